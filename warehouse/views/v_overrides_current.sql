-- One row a rule and bidder that a person has decided on, the last decision: whether it holds, what has drifted where it does not, and what the run says now. `decisions`: how many there were.
select
    v.tender, v.bidder, v.pack, v.rule_id, r.mandatory, r.text as rule, v.state, v.drift, v.action, v.from_status,
    v.to_status, v.found_status, v.status, v.reviewer, v.at, o.reason, o.comment, o.quote, o.file_name, o.page,
    n.decisions, v.event_id
from reviews v
join overrides o on o.event_id = v.event_id
left join requirements r on r.tender = v.tender and r.rule_id = v.rule_id
left join (select pack, rule_id, count(*) as decisions from overrides group by pack, rule_id) n
    on n.pack = v.pack and n.rule_id = v.rule_id
order by v.tender, v.state desc, v.rule_id, v.bidder
