-- One row a rule and bidder: the matrix as a list. A verdict that contradicts another needs a review too. `catalog_draft`: no person has accepted the rules yet.
select
    f.tender, f.bidder, f.pack, f.rule_id, r.rule_no, r.area, r.mandatory, r.text as rule,
    f.status, f.needs_review or c.reasons is not null as needs_review,
    concat_ws('; ', nullif(f.review_reason, ''), c.reasons) as review_reason,
    f.quote, f.file_name, f.page, f.page_label, f.heading_path,
    f.rationale, f.risk, f.catalog_version,
    r.draft as catalog_draft
from findings f
join requirements r on r.tender = f.tender and r.rule_id = f.rule_id
left join (
    select pack, rule_id, string_agg(reason, '; ' order by reason) as reasons from consistency group by pack, rule_id
) c on c.pack = f.pack and c.rule_id = f.rule_id
order by f.tender, r.mandatory desc, r.rule_no, f.bidder
