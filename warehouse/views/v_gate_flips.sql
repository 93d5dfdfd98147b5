-- One row a single verdict that would turn a bidder's gate if it were another; those still to review first.
select
    s.tender, s.bidder, s.pack, s.gate, flip.rule_id, r.text as rule, flip.status, flip.if_status, flip.gate as gate_then,
    flip.needs_review, f.quote, f.file_name, f.page, f.review_reason
from (select tender, bidder, pack, gate, unnest(gate_flips) as flip from scores) s
left join requirements r on r.tender = s.tender and r.rule_id = flip.rule_id
left join findings f on f.pack = s.pack and f.rule_id = flip.rule_id
order by s.tender, s.bidder, flip.needs_review desc, flip.rule_id, flip.if_status
