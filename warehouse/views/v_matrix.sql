-- One row a rule and bidder: the matrix as a list, with what people decided. A verdict that contradicts another needs a review too, until a person has decided on it. `found_status`: the run's own verdict. `catalog_draft`: no person has accepted the rules yet.
select
    f.tender, f.bidder, f.pack, f.rule_id, r.rule_no, r.area, r.mandatory, r.text as rule,
    coalesce(v.status, f.status) as status,
    case when v.state = 'kept' then v.needs_review else f.needs_review or v.needs_review is true or c.reasons is not null end as needs_review,
    case
        when v.state = 'kept' then v.review_reason
        else concat_ws('; ', nullif(v.review_reason, ''), nullif(f.review_reason, ''), c.reasons)
    end as review_reason,
    if(o.own, v.quote, f.quote) as quote, if(o.own, v.file_name, f.file_name) as file_name,
    if(o.own, v.page, f.page) as page, if(o.own, v.page_label, f.page_label) as page_label,
    if(o.own, v.heading_path, f.heading_path) as heading_path,
    if(v.state = 'kept', v.rationale, f.rationale) as rationale, f.risk, f.status as found_status, v.state as review_state,
    v.reviewer as decided_by, v.at as decided_at, f.catalog_version,
    r.draft as catalog_draft
from findings f
join requirements r on r.tender = f.tender and r.rule_id = f.rule_id
left join (
    select pack, rule_id, string_agg(reason, '; ' order by reason) as reasons from consistency group by pack, rule_id
) c on c.pack = f.pack and c.rule_id = f.rule_id
left join reviews v on v.pack = f.pack and v.rule_id = f.rule_id
-- The person's own evidence stands where it is another, or where there is to be none.
left join (
    select pack, rule_id, true as own from reviews where state = 'kept' and (quote <> '' or status <> found_status)
) o on o.pack = f.pack and o.rule_id = f.rule_id
order by f.tender, r.mandatory desc, r.rule_no, f.bidder
