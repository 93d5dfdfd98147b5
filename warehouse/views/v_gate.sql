-- One row a bidder: the gate with its reasons, the scores apart.
select
    s.tender, s.bidder, s.pack, s.gate, array_to_string(s.gate_reasons, chr(10)) as reasons,
    s.technical, s.commercial, s.overall, s.passed, s.partial, s.failed, s.missing, s.to_review,
    s.quotes_verified, s.pages, s.pages_readable, array_to_string(s.unreadable_files, ', ') as unreadable_files,
    s.catalog_version
from scores s
order by s.tender, case s.gate when 'pass' then 0 when 'cannot decide' then 1 else 2 end, s.technical desc, s.bidder
