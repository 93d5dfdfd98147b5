-- One row a rule and candidate: which legs found it, how it scored, whether it was chosen and why.
select
    c.tender, c.bidder, c.pack, c.rule_id, c.rank, c.chunk_id, k.file_name, k.page, k.heading_path, k.kind,
    c.evidence_score, c.score_terms, c.score_numbers, c.score_section, c.score_table, c.score_length,
    c.score_echo, c.score_lexical, c.score_dense, c.score_page, c.score_rrf, c.bm25_rank, c.dense_rank, c.tag_rank,
    c.clause_rank, c.relevance_rank, c.tag_hits, c.sentry_hits,
    p.order_no as passage_no, p.why, k.text
from candidates c
join chunks k on k.chunk_id = c.chunk_id
left join passages p on p.pack = c.pack and p.rule_id = c.rule_id and p.chunk_id = c.chunk_id
order by c.tender, c.bidder, c.rule_id, c.rank
