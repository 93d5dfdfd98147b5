-- One row a value of a table: what row it belongs to, under which heads, and where it stands on its page.
with labelled as (
    select
        *,
        first(text) over line as row_label,
        first(col_no) over line as label_col
    from table_cells
    where not is_header and text <> ''
    window line as (
        partition by pack, doc_id, table_no, row_no order by col_no
        rows between unbounded preceding and unbounded following
    )
)
select
    tender, bidder, pack, doc_id, file_name, page, table_no, row_no, col_no,
    row_label as subject, header_path as attribute, text as value, x0, y0, x1, y1, anchor
from labelled
where col_no > label_col
order by tender, bidder, doc_id, table_no, row_no, col_no
