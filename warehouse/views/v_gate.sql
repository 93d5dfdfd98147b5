-- One row a bidder: its place and rank, the gate with its reasons and the single verdicts that would turn it, the scores apart. `catalog_draft`: no person has accepted the rules yet; null where their record is gone.
select
    s.tender, s.bidder, s.pack, s.gate, r.rank, r.rank_if_passed, array_to_string(r.tied_with, ', ') as tied_with,
    array_to_string(s.gate_reasons, chr(10)) as reasons, len(s.gate_flips) as flips,
    len(list_filter(s.gate_flips, lambda flip: flip.needs_review)) as flips_to_review,
    s.technical, s.commercial, s.overall, s.passed, s.partial, s.failed, s.missing, s.to_review,
    s.quotes_verified, s.pages, s.pages_readable, array_to_string(s.unreadable_files, ', ') as unreadable_files,
    s.catalog_version, c.draft as catalog_draft
from scores s
left join catalogs c on c.tender = s.tender and c.catalog_version = s.catalog_version
left join rankings r on r.pack = s.pack
order by
    s.tender, r.order_no nulls last, case s.gate when 'pass' then 0 when 'cannot decide' then 1 else 2 end,
    s.technical desc, s.bidder
