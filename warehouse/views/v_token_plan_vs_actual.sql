-- One row a pack, plan and pass: what was planned, what the last run under that plan used, and what all of them used. A plan without a run has no actual figures, a run without a plan no planned ones. Costs are null where no price is known.
with planned as (
    select
        tender, bidder, pack, plan_no, pass_name, any_value(judge) as judge, any_value(basis) as basis,
        sum(chance) as planned_requests, sum(tokens_in) as planned_tokens_in, sum(tokens_out) as planned_tokens_out,
        case when count(*) = count(cost) then sum(cost) end as planned_cost
    from token_plan
    group by tender, bidder, pack, plan_no, pass_name
),
logged as (
    select *, run_no = max(run_no) over (partition by pack, plan_no, pass_name = 'escalation') as last_run from usage
),
actual as (
    select
        tender, bidder, pack, plan_no, pass_name, any_value(judge) as judge,
        count(*) filter (last_run) as actual_requests,
        coalesce(sum(tokens_in) filter (last_run), 0) as actual_tokens_in,
        coalesce(sum(tokens_out) filter (last_run), 0) as actual_tokens_out,
        case
            when count(*) filter (last_run) = count(cost) filter (last_run) then sum(cost) filter (last_run)
        end as actual_cost,
        max(finished_seconds) filter (last_run) as actual_seconds,
        count(distinct run_no) as runs, sum(tokens_in + tokens_out) as tokens_of_all_runs,
        case when count(*) = count(cost) then sum(cost) end as cost_of_all_runs
    from logged
    group by tender, bidder, pack, plan_no, pass_name
)
select
    coalesce(p.tender, a.tender) as tender, coalesce(p.bidder, a.bidder) as bidder, coalesce(p.pack, a.pack) as pack,
    coalesce(p.plan_no, a.plan_no) as plan_no, coalesce(p.pass_name, a.pass_name) as pass_name,
    coalesce(a.judge, p.judge) as judge, p.basis,
    p.planned_requests, a.actual_requests, p.planned_tokens_in, a.actual_tokens_in, p.planned_tokens_out,
    a.actual_tokens_out, a.actual_tokens_in / nullif(p.planned_tokens_in, 0) as tokens_in_ratio,
    p.planned_cost, a.actual_cost, a.actual_seconds, a.runs, a.tokens_of_all_runs, a.cost_of_all_runs
from planned p
full join actual a on a.pack = p.pack and a.plan_no = p.plan_no and a.pass_name = p.pass_name
order by tender, bidder, plan_no desc, pass_name desc
