"""Language of one chunk in a pack of several languages: its own words where they are enough, else its page's or document's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from bidproof.documents.language import guess_language, stop_word_hits

# A page's language gives way only to words that are plainly of another: names hold "de", "la" and "van" anywhere.
_MIN_HITS, _MIN_SHARE = 5, 0.2
_TIMES_MORE = 3


def chunk_language(text: str, page_language: str) -> str:
    """ISO 639-1 code; empty when neither the text nor its page tells.

    Args:
        text: the chunk's own text.
        page_language: of its page, or of the document where the page's is unknown.
    """
    own = guess_language(text)
    if not own or own == page_language:
        return page_language
    hits = stop_word_hits(text)
    if own not in hits:
        return own  # told by its script
    least = max(_MIN_HITS, _MIN_SHARE * len(text.split()), _TIMES_MORE * hits.get(page_language, 0))
    return own if hits[own] >= least else page_language


def document_languages(pages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The language of most pages of each document, by doc_id; the first by its code where two are as frequent."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        if page["language"]:
            counts[page["doc_id"]][page["language"]] += 1
    return {doc_id: max(sorted(held), key=lambda code: held[code]) for doc_id, held in counts.items()}
