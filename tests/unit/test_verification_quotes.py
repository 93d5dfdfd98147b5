"""When a quote counts as found in a bid, and when it only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidproof.records import MatchKind
from bidproof.verification import match_quote


def kind_and_slice(quote: str, source: str) -> tuple[str, str]:
    match = match_quote(quote, source)
    return match.kind.value, source[match.start : match.end] if match.start >= 0 else ""


@pytest.mark.parametrize(
    ("quote", "source", "found"),
    [
        (
            "the bid's validity is >= 90 days",
            "So the bid\u2019s validity is \u2265 90\u00a0days here.",
            "the bid\u2019s validity is \u2265 90\u00a0days",
        ),
        ("a non-breaking hyphen", "with a non\u2011breaking hyphen", "a non\u2011breaking hyphen"),
        ("the certificate of", "the certi\ufb01cate of", "the certi\ufb01cate of"),
        ("la main-d'oeuvre et", "la main-d\u2019\u0153uvre et", "la main-d\u2019\u0153uvre et"),
        ("valid for 90 days", "valid  for\n90 days", "valid  for\n90 days"),
        ("2 % du prix total", "2\u202f% du prix total", "2\u202f% du prix total"),
        ("2% du prix total", "2 % du prix total", "2 % du prix total"),
        (
            "soft hyphens are unseen",
            "so\u00adft hy\u00adphens are unseen",
            "so\u00adft hy\u00adphens are unseen",
        ),
        ("été validé par", "e\u0301te\u0301 valide\u0301 par", "e\u0301te\u0301 valide\u0301 par"),
        ('"the bid is valid"', "Hence the bid is valid now.", "the bid is valid"),
        ("the alpha risk is", "the \u03b1 risk is", "the \u03b1 risk is"),
        ("open 24x7 for all", "open 24\u00d77 for all", "open 24\u00d77 for all"),
    ],
)
def test_typography_does_not_stop_a_match_and_the_source_slice_is_kept(
    quote: str, source: str, found: str
) -> None:
    assert kind_and_slice(quote, source) == ("typographic", found)


@pytest.mark.parametrize(
    ("quote", "source", "found"),
    [
        ("a guarantee of two", "a guaran-\ntee of two", "a guaran-\ntee of two"),
        ("an on-demand bond", "an on-\ndemand bond", "an on-\ndemand bond"),
        ("an ondemand bond", "an on-\ndemand bond", "an on-\ndemand bond"),
        ("an active-active setup", "an active- active setup", "an active- active setup"),
        ("see OCS-001 for this", "see OCS- 001 for this", "see OCS- 001 for this"),
        ("a guaran- tee of two", "a guarantee of two", "a guarantee of two"),
    ],
)
def test_a_word_broken_at_a_line_end_matches_with_and_without_its_hyphen(
    quote: str, source: str, found: str
) -> None:
    assert kind_and_slice(quote, source) == ("dehyphenated", found)


def test_a_hanging_hyphen_is_no_broken_word_and_a_hyphen_is_not_dropped_at_will() -> None:
    assert kind_and_slice("bid- and performance bond", "the bid- and performance bond")[0] == "exact"
    assert not match_quote("bidand performance bond", "the bid- and performance bond").verified
    assert not match_quote("they re-sign the paper", "they resign the paper").verified


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("90 days", "valid for 190 days"),
        ("90 days", "0.90 days"),
        ("is 1", "it is 1.5 days"),
        ("bond", "unbonded"),
        ("valide", "validé"),
        ("00 days", "1,200 days"),
    ],
)
def test_a_quote_never_cuts_into_a_word_or_a_number(quote: str, source: str) -> None:
    assert match_quote(quote, source).kind is MatchKind.NONE


def test_the_whole_number_is_found_behind_one_that_contains_it() -> None:
    assert kind_and_slice("90 days", "190 days or 90 days") == ("exact", "90 days")


@pytest.mark.parametrize("quote", ["bidder is ... bound", "bidder is … bound", "bidder is [...] bound"])
def test_an_ellipsis_that_swallows_a_not_does_not_verify(quote: str) -> None:
    match = match_quote(quote, "The bidder is not bound by it.")
    assert (match.kind, match.verified) == (MatchKind.ELIDED, False)


def test_words_in_order_with_others_between_do_not_verify() -> None:
    match = match_quote("bidder is bound", "The bidder is not bound by it.")
    assert (match.kind, match.verified) == (MatchKind.INTERLEAVED, False)


def test_case_letters_and_digits_are_never_changed() -> None:
    assert not match_quote("bid is valid for 62 days", "bid is valid for 64 days").verified
    assert not match_quote("BID IS VALID", "bid is valid").verified
    assert not match_quote("ACME bond number 7", "Our bond number is 9.").verified


@pytest.mark.parametrize("quote", ["", "   ", "\n", "...", "— —", '""'])
def test_an_empty_quote_is_no_match(quote: str) -> None:
    assert match_quote(quote, "any text, any — — text ...").kind is MatchKind.NONE
    assert match_quote("a quote", "").kind is MatchKind.NONE


def test_forty_words_are_found_in_fifty_thousand_characters() -> None:
    words = [f"word{n % 613}é" for n in range(6000)]
    source = " ".join(words)[:50_000]
    quote = "  ".join(words[4000:4040])
    for wanted, kind in ((quote, MatchKind.TYPOGRAPHIC), (quote + " absent", MatchKind.NONE)):
        assert match_quote(wanted, source).kind is kind


TEXT = st.text(alphabet="ab cé-\u2011\u00a0\u2019'\ufb01%1.\n\u00ad|≥", min_size=1, max_size=60)


@given(TEXT, st.integers(0, 60), st.integers(1, 60))
def test_a_verified_match_is_always_a_real_slice(source: str, start: int, length: int) -> None:
    quote = source[start : start + length]
    match = match_quote(quote, source)
    if match.verified:
        assert 0 <= match.start < match.end <= len(source)
        again = match_quote(source[match.start : match.end], source)
        assert again.verified or not source[match.start : match.end].strip()


@given(TEXT, TEXT)
def test_matching_never_raises(quote: str, source: str) -> None:
    match = match_quote(quote, source)
    assert (match.start == -1) == (match.kind is MatchKind.NONE)
