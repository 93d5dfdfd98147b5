-- One row a verdict that stands on a quote: where it is, how it matched, which checks hold.
select
    f.tender, f.bidder, f.pack, f.rule_id, f.status, f.quote, f.match_kind, f.file_name, d.sha256,
    f.page, f.page_label, f.boxes, f.heading_path, f.chunk_id,
    array_to_string(f.checks_passed, ', ') as checks_passed,
    array_to_string(f.checks_failed, '; ') as checks_failed
from findings f
left join documents d on d.pack = f.pack and d.doc_id = f.doc_id
where f.status <> 'Missing'
order by f.tender, f.bidder, f.rule_id
