"""Tables without rules between their columns: rows of short entries that stand in the same columns.

Financial statements, price lists and shaded tables print no vertical rules. Their rows are found by what
a reader goes by: entries apart from each other on one line, again and again at the same places, with at
least one column of figures, or with rules between the rows. Columns of prose, lists with their markers and
lists of contents share some of that and are told apart here. What the rows are, is settled in `unruled_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median

from bidproof.documents.grids.strips import Part, Strip, is_figure, is_leader, is_year, strips_of
from bidproof.documents.grids.unruled_rows import build_grid
from bidproof.documents.page import Grid, Rect, around
from bidproof.documents.sheets.words import Fragment

_MIN_ROWS = 3
# A strip of white is a border between columns when at most this share of rows prints in it.
_CROSSED = 0.12
_MIN_WHITE = 2.5
_FIGURES = 0.6
_PITCHES = 3.2
_MOST = 0.6
_LOOSE = 0.75
_SET_APART = 1.4
_SAME_EDGE = 12.0
_ACROSS = 0.7
_MARKER = re.compile(
    r"(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})?[.):°]?|[^\w\s]|\uf0b7|\uf0a7|\uf0d8|o)[*†‡]?"
)
_PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-\d{1,3}")


def find_unruled(fragments: list[Fragment], horizontal: Sequence[Rect]) -> tuple[list[Grid], list[Fragment]]:
    """Tables without rules between columns, top to bottom, and the fragments that lie in none.

    Args:
        fragments: what ruled tables have left over, in the reading frame.
        horizontal: horizontal rules of the page: they part rows where they stand between lines.
    """
    if not _may_hold_rows(fragments):
        return [], fragments
    strips = strips_of(fragments)
    if sum(map(_is_row, strips)) < _MIN_ROWS:
        return [], fragments
    grids: list[Grid] = []
    taken: set[int] = set()
    pending = list(_runs(strips))[::-1]
    while pending:
        run = pending.pop()
        edges = _edges(run)
        at = _second_heads(run, edges) if edges else None
        if at is not None:
            pending += [*_trimmed(run[at:]), *_trimmed(run[:at])]
            continue
        found = _table(run, edges, horizontal) if edges else None
        if found is not None:
            grids.append(found)
            taken.update(id(word) for strip in run for part in strip.parts for word in part.words)
    if not grids:
        return [], fragments
    free = [strip for strip in strips if id(strip.parts[0].words[0]) not in taken]
    return _joined(grids, free), _left(fragments, taken)


def _may_hold_rows(fragments: list[Fragment]) -> bool:
    """Whether text stands side by side on several lines: most pages of prose are passed by here.

    MuPDF parts a line at wide gaps, unless the gap is made of blanks; then the line is long for its letters.
    """
    beside = 0
    heights = sorted((part.base, part.size) for part in fragments if part.level)
    for (one, size), (other, _) in pairwise(heights):
        beside += other - one <= 0.4 * size
    if beside >= _MIN_ROWS:
        return True
    for part in fragments:
        letters = sum([len(word.text) for word in part.words])
        beside += part.box[2] - part.box[0] > _LOOSE * part.size * (letters + len(part.words))
    return beside >= _MIN_ROWS


def _joined(grids: list[Grid], free: list[Strip]) -> list[Grid]:
    """Grids with those joined that white alone parts: the lower one has the same columns and no heads."""
    joined = grids[:1]
    for grid in grids[1:]:
        above = joined[-1]
        same = len(grid.edges) == len(above.edges) and not grid.heads
        same = same and all(abs(a - b) <= _SAME_EDGE for a, b in zip(grid.edges, above.edges, strict=True))
        if not same or any(above.box[3] - 1 < strip.base < grid.box[1] + 1 for strip in free):
            joined.append(grid)
            continue
        for cell in grid.cells:
            cell.row += above.rows
        box, rows = around([above.box, grid.box]), above.rows + grid.rows
        joined[-1] = Grid(box, rows, above.edges, above.cells + grid.cells, above.heads, ruled=False)
    return joined


def _is_row(strip: Strip) -> bool:
    """Several entries stand side by side; a marker and its text are one."""
    return len(strip.parts) > 2 or (len(strip.parts) == 2 and not _MARKER.fullmatch(strip.parts[0].text))


def _left(fragments: list[Fragment], taken: set[int]) -> list[Fragment]:
    rest = []
    for fragment in fragments:
        words = [word for word in fragment.words if id(word) not in taken]
        if len(words) == len(fragment.words):
            rest.append(fragment)
        elif words:
            rest.append(Fragment(words, fragment.level))
    return rest


def _runs(strips: list[Strip]) -> Iterator[list[Strip]]:
    """Strips that may be one table: rows of several parts, and between them labels and heads of columns."""
    pitch = _pitch(strips)
    run: list[Strip] = []
    for at, strip in enumerate(strips):
        if run and strip.base - run[-1].base > _PITCHES * max(pitch, strip.size):
            yield from _trimmed(run)
            run = []
        if not _is_row(strip) and _is_prose(strips, at):
            yield from _trimmed(run)
            run = []
            continue
        run.append(strip)
    yield from _trimmed(run)


def _pitch(strips: list[Strip]) -> float:
    """Usual distance of one line from the next."""
    return median([after.base - before.base for before, after in pairwise(strips)] or [12.0])


def _is_prose(strips: list[Strip], at: int) -> bool:
    """A line that runs on across the place where the rows next to it are parted."""
    # A number or bullet set apart from its text says nothing of columns.
    x0, _, x1, _ = strips[at].parts[-1].box
    near = [strips[n] for n in (at - 3, at - 2, at - 1, at + 1, at + 2, at + 3) if 0 <= n < len(strips)]
    rows = [strip for strip in near if _is_row(strip)]
    if not rows:
        return True
    crossed = [
        any(x0 < a.box[2] - 1 and x1 > b.box[0] + 1 for a, b in pairwise(strip.parts)) for strip in rows
    ]
    # A head that spans columns of figures crosses their gaps, but begins past the column of labels.
    begins_past = all(x0 > strip.parts[0].box[2] - 1 for strip in rows)
    return sum(crossed) >= _MOST * len(crossed) and not begins_past


def _trimmed(run: list[Strip]) -> Iterator[list[Strip]]:
    """The run from the heads above its first row to its last row; nothing when it has too few rows."""
    several = [at for at, strip in enumerate(run) if _is_row(strip)]
    if len(several) < _MIN_ROWS:
        return
    first, last = several[0], several[-1]
    values = _value_area([run[at] for at in several])
    while first > 0 and _is_head_line(run, first, values):
        first -= 1
    while last + 1 < len(run) and _is_tail_line(run[last], run[last + 1]):
        last += 1
    yield run[first : last + 1]


def _value_area(rows: list[Strip]) -> tuple[float, float, float]:
    """Left end of the labels, and left and right end of what stands beside them."""
    return (
        min(strip.box[0] for strip in rows),
        median(strip.parts[1].box[0] for strip in rows),
        max(strip.box[2] for strip in rows),
    )


def _is_head_line(run: list[Strip], first: int, values: tuple[float, float, float]) -> bool:
    """A single head over the columns of values, close above the first row; a title stands over all columns."""
    head, below = run[first - 1], run[first]
    low, left, right = values
    x0, _, x1, _ = head.box
    middle = (x0 + x1) / 2
    near = abs(middle - (left + right) / 2) < abs(middle - (low + right) / 2)
    return x0 > low + 0.5 * (left - low) and near and below.base - head.base < 2 * head.size


def _is_tail_line(row: Strip, line: Strip) -> bool:
    """The rest of the last row's label, wrapped below it."""
    text = line.parts[0].text
    return text[0].islower() and line.base - row.base < 1.4 * row.size and not text.endswith(".")


def _second_heads(run: list[Strip], edges: list[float]) -> int | None:
    """Where a second table with heads of its own begins below the first: set apart by white, a line of text or bold."""
    pitch = _pitch(run)
    seen = 0
    for at, strip in enumerate(run):
        beside = [part for part in strip.parts if part.box[0] > edges[1] - 1]
        values = sum(_is_value(part.text) for part in beside)
        seen += values > 0
        if seen < _MIN_ROWS or len(beside) < 2 or values or len(run) - at < _MIN_ROWS:
            continue
        first = at
        while run[first - 1].box[0] > edges[1] - 1 and len(run[first - 1].parts) == 1:
            first -= 1
        above = run[first - 1]
        apart = run[first].base - above.base > _SET_APART * pitch
        if apart or not _is_row(above) or (strip.bold and not above.bold):
            return first
    return None


def _table(run: list[Strip], edges: list[float], horizontal: Sequence[Rect]) -> Grid | None:
    rows = [strip for strip in run if _is_row(strip)]
    columns = len(edges) - 1
    held = [_dealt(strip, edges) for strip in rows]
    texts = [[" ".join(part.text for part in row.get(c, [])) for row in held] for c in range(columns)]
    numeric = [_is_numeric(column) for column in texts]
    box = around([strip.box for strip in run])
    levels = _levels(box, run, horizontal)
    if not _is_table(texts, numeric, levels) or _lists_pages(texts, numeric):
        return None
    return build_grid(run, edges, numeric, levels)


def _edges(run: list[Strip]) -> list[float] | None:
    """Borders of the columns from left to right, the outer ones included; None for a single column.

    Counted over rows with several parts: how many print at each point. Borders run down the middle of
    the strips of white in which hardly any row prints.
    """
    several = [strip for strip in run if _is_row(strip)]
    bodies = [strip for strip in several if any(_is_value(part.text) for part in strip.parts)]
    # Heads are centred over columns and cross the white between them: the rows of figures say where it is.
    items = [strip for strip in run if len(strip.parts) == 2 and not _is_row(strip)]
    rows = bodies + items if len(bodies) >= _MIN_ROWS else several
    low = min(strip.box[0] for strip in run)
    high = max(strip.box[2] for strip in run)
    width = int(high - low) + 2
    printed = [0] * (width + 1)
    for strip in rows:
        for part in strip.parts:
            if is_leader(part.text):
                continue
            printed[max(int(part.box[0] - low), 0)] += 1
            printed[min(int(part.box[2] - low) + 1, width)] -= 1
    counts = list(accumulate(printed))
    edges = [low - 1]
    for start, end in _whites(counts, int(_CROSSED * len(rows))):
        if start > 0 and end < width and end - start >= _MIN_WHITE:
            edges.append(low + _emptiest(counts, start, end))
    edges.append(high + 1)
    return edges if len(edges) > 2 else None


def _whites(counts: list[int], allowed: int) -> Iterator[tuple[int, int]]:
    """Ranges of points at which at most `allowed` rows print."""
    start = None
    for at, count in enumerate([*counts, allowed + 1]):
        if count <= allowed:
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None


def _emptiest(counts: list[int], start: int, end: int) -> float:
    """Middle of the widest stretch of a white strip in which fewest rows print."""
    fewest = min(counts[start:end])
    stretches = [(b - a, start + (a + b) / 2) for a, b in _whites(counts[start:end], fewest)]
    return max(stretches)[1]


def _dealt(strip: Strip, edges: Sequence[float]) -> dict[int, list[Part]]:
    """Parts of a strip by the column in which most of each stands."""
    held: dict[int, list[Part]] = {}
    for part in strip.parts:
        shares = [min(part.box[2], b) - max(part.box[0], a) for a, b in pairwise(edges)]
        held.setdefault(max(range(len(shares)), key=lambda c: shares[c]), []).append(part)
    return held


def _is_value(text: str) -> bool:
    return is_figure(text) and not is_year(text)


def _is_numeric(column: list[str]) -> bool:
    filled = [text for text in column if text]
    figures = sum(map(_is_value, filled))
    return figures >= 2 and figures >= _FIGURES * sum(not is_year(text) for text in filled)


def _levels(box: Rect, run: list[Strip], horizontal: Sequence[Rect]) -> list[float]:
    """Heights of rules that part rows: they stand between lines and span most of the table."""
    width = box[2] - box[0]
    spans: dict[int, list[Rect]] = {}
    for rule in horizontal:
        if box[1] - 4 <= rule[1] <= box[3] + 4:
            spans.setdefault(round(rule[1] / 2), []).append(rule)
    levels = []
    for rules in spans.values():
        covered, reached = 0.0, box[0]
        for x0, _, x1, _ in sorted(rules):
            covered += max(min(x1, box[2]) - max(x0, reached), 0.0)
            reached = max(reached, x1)
        if covered >= _ACROSS * width:
            levels.append(rules[0][1])
    return sorted(levels)


def _is_table(texts: list[list[str]], numeric: list[bool], levels: list[float]) -> bool:
    """Figures in a column of their own, or rules between rows of several columns of words.

    A column of markers alone (1., (a), bullets) makes a list, not a table.
    """
    words = [column for column in texts if not _is_markers(column)]
    if len(words) < 2 and not (len(texts) >= 2 and sum(numeric) >= 2):
        return False
    rows = len(texts[0])
    inner = len(levels) - 1 if levels else 0
    if any(numeric[c] for c in range(len(texts)) if texts[c] in words or sum(numeric) >= 2):
        filled = max(
            sum(bool(t) for t in column) for column, flag in zip(texts, numeric, strict=True) if flag
        )
        return filled >= _MIN_ROWS or (filled >= 2 and inner >= 2)
    if inner >= 2 and (len(words) >= 3 or inner >= 0.5 * rows):
        return True
    return len(words) >= 3 and rows >= 4 and all(_is_terse(column) for column in words) and _is_full(words)


def _is_markers(column: list[str]) -> bool:
    filled = [text for text in column if text]
    return bool(filled) and all(_MARKER.fullmatch(text) for text in filled)


def _is_terse(column: list[str]) -> bool:
    """Short entries that begin like entries: not the lines of narrow columns of prose."""
    filled = [text for text in column if text]
    if not filled:
        return True
    small = sum(text[0].islower() for text in filled)
    return median(len(text.split()) for text in filled) <= 3 and small <= 0.15 * len(filled)


def _is_full(columns: list[list[str]]) -> bool:
    return sum(bool(text) for column in columns for text in column) >= 0.7 * sum(map(len, columns))


def _lists_pages(texts: list[list[str]], numeric: list[bool]) -> bool:
    """A list of contents: titles, and page numbers on the right that never fall."""
    last = [text for text in texts[-1] if text]
    if sum(numeric) > 1 or sum(bool(_PAGE.fullmatch(text)) for text in last) < max(
        _MIN_ROWS, 0.8 * len(last)
    ):
        return False
    pages = [int(text) for text in last if text.isdigit()]
    rising = sum(a <= b for a, b in pairwise(pages))
    return len(set(pages)) > 1 and rising >= 0.9 * (len(pages) - 1) and max(pages) < 2000
