-- One row a question of an RFP and a bid pack of its tender: where it is asked, and where the bid repeats it.
with held as (
    select
        tender, bidder, pack, file_name, page, chunk_id,
        unnest(questions) as question
    from chunks
    where len(questions) > 0
),
asked as (
    select
        tender, question.id as question_id, first(question.label order by page, chunk_id) as label,
        first(question.text order by length(question.text) desc, page, chunk_id) as question,
        first(file_name order by page, chunk_id) as asked_file, min(page) as asked_page
    from held
    where bidder = ''
    group by tender, question_id
),
packs as (
    select distinct tender, bidder, pack from documents where bidder <> ''
),
repeated as (
    select
        pack, question.id as question_id, first(file_name order by page, chunk_id) as file_name,
        min(page) as page, list(chunk_id order by page, chunk_id) as chunk_ids
    from held
    where bidder <> ''
    group by pack, question_id
)
select
    a.tender, p.bidder, p.pack, a.question_id, a.label, a.question, a.asked_file, a.asked_page,
    r.file_name, r.page, coalesce(r.chunk_ids, []) as chunk_ids, r.page is not null as found
from asked a
join packs p on p.tender = a.tender
left join repeated r on r.pack = p.pack and r.question_id = a.question_id
order by a.tender, a.asked_file, a.asked_page, a.question_id, p.bidder
