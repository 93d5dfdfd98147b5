-- One row a pack and pass: what was planned, what the last run that asked a model used, and what all runs used. Costs are null where no price is known.
with planned as (
    select
        tender, bidder, pack, pass_name, any_value(judge) as judge, any_value(basis) as basis,
        sum(chance) as planned_requests, sum(tokens_in) as planned_tokens_in,
        sum(tokens_out) as planned_tokens_out,
        case when count(*) = count(cost) then sum(cost) end as planned_cost
    from token_plan
    group by tender, bidder, pack, pass_name
),
last_run as (
    select pack, max(run_no) as run_no from usage group by pack
),
actual as (
    select
        u.tender, u.bidder, u.pack, u.pass_name, any_value(u.judge) as judge,
        count(*) filter (u.run_no = l.run_no) as actual_requests,
        coalesce(sum(u.tokens_in) filter (u.run_no = l.run_no), 0) as actual_tokens_in,
        coalesce(sum(u.tokens_out) filter (u.run_no = l.run_no), 0) as actual_tokens_out,
        case
            when count(*) filter (u.run_no = l.run_no) = count(u.cost) filter (u.run_no = l.run_no)
                then sum(u.cost) filter (u.run_no = l.run_no)
        end as actual_cost,
        max(u.finished_seconds) filter (u.run_no = l.run_no) as actual_seconds,
        sum(u.tokens_in + u.tokens_out) as tokens_of_all_runs,
        case when count(*) = count(u.cost) then sum(u.cost) end as cost_of_all_runs
    from usage u
    join last_run l on l.pack = u.pack
    group by u.tender, u.bidder, u.pack, u.pass_name
)
select
    coalesce(p.tender, a.tender) as tender, coalesce(p.bidder, a.bidder) as bidder, coalesce(p.pack, a.pack) as pack,
    coalesce(p.pass_name, a.pass_name) as pass_name, coalesce(a.judge, p.judge) as judge, p.basis,
    p.planned_requests, a.actual_requests, p.planned_tokens_in, a.actual_tokens_in, p.planned_tokens_out,
    a.actual_tokens_out, a.actual_tokens_in / nullif(p.planned_tokens_in, 0) as tokens_in_ratio,
    p.planned_cost, a.actual_cost, a.actual_seconds, a.tokens_of_all_runs, a.cost_of_all_runs
from planned p
full join actual a on a.pack = p.pack and a.pass_name = p.pass_name
order by tender, bidder, pass_name desc
