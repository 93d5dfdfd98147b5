"""Language of one chunk in a pack of several languages: its own words where they are enough, else its page's."""

from __future__ import annotations

from bidproof.documents.language import guess_language, stop_word_hits

# A page's language gives way only to words that are plainly of another: names hold "de", "la" and "van" anywhere.
_MIN_HITS = 4
_TIMES_MORE = 2


def chunk_language(text: str, page_language: str) -> str:
    """ISO 639-1 code; empty when neither the text nor its page tells."""
    own = guess_language(text)
    if not own or not page_language or own == page_language:
        return own or page_language
    hits = stop_word_hits(text)
    if own not in hits:
        return own  # told by its script
    plain = hits[own] >= _MIN_HITS and hits[own] >= _TIMES_MORE * hits.get(page_language, 0)
    return own if plain else page_language
