-- One row a rule and bidder: the matrix as a list. `catalog_draft`: no person has accepted the rules yet.
select
    f.tender, f.bidder, f.pack, f.rule_id, r.rule_no, r.area, r.mandatory, r.text as rule,
    f.status, f.needs_review, f.review_reason, f.quote, f.file_name, f.page, f.page_label, f.heading_path,
    f.rationale, f.risk, f.catalog_version,
    r.draft as catalog_draft
from findings f
join requirements r on r.tender = f.tender and r.rule_id = f.rule_id
order by f.tender, r.mandatory desc, r.rule_no, f.bidder
