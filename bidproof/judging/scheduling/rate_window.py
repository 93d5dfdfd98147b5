"""What a server has counted against its limits in its last window, as far as can be known from here.

Belongs here: reservation, correction by what was really used, and when there is room. Does not belong here: which
request takes the room (`dispatch`).
"""

from __future__ import annotations

from bidproof.judging.scheduling.requests import RateLimits

MARGIN = 0.01
"""Seconds added to a window: whether its ends count is the server's to say, and clocks tick in steps."""


class Entry:
    """One attempt as the server counts it. `sent` is set by the thread that sends, just before it does."""

    __slots__ = ("answered", "sent", "tokens")

    def __init__(self, tokens: float) -> None:
        self.tokens = tokens
        self.sent: float | None = None
        self.answered: float | None = None


class RateWindow:
    """Attempts that a server may still be counting.

    A server counts a request when it arrives, which is between sending and answer. So a request is counted here from
    before it is sent until a window after the latest time at which it can have arrived: its answer, or `slack_seconds`
    after it was sent, whichever came first. Before it is sent it cannot leave the count at all. Whatever the network
    does within the slack, no window of the server holds more than this one.
    """

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self._entries: list[Entry] = []

    def reserve(self, tokens: float) -> Entry:
        """Count an attempt that is about to be sent and may use `tokens`."""
        entry = Entry(tokens)
        self._entries.append(entry)
        return entry

    def correct(self, entry: Entry, used: int | None, now: float) -> None:
        """Take note of an answer: from now on what was used counts, be it less or more than was reserved.

        Where the server charges the maximum, or did not say what was used, at least the reservation stands.
        """
        entry.answered = now
        if used is not None:
            entry.tokens = used if self.limits.counts_used else max(used, entry.tokens)

    def refuse(self, entry: Entry, now: float) -> None:
        """Take note that the server turned an attempt away: it counts as a request still, its tokens do not."""
        entry.answered, entry.tokens = now, 0.0

    @property
    def unsent(self) -> bool:
        """Some attempt is counted whose start is not noted yet."""
        return any(entry.sent is None for entry in self._entries)

    def _leaves(self, entry: Entry) -> float:
        """When the server has forgotten an attempt for sure; infinite before it was sent."""
        if entry.sent is None:
            return float("inf")
        latest = entry.sent + self.limits.slack_seconds
        arrived = latest if entry.answered is None else min(entry.answered, latest)
        return arrived + self.limits.window_seconds + MARGIN

    def counted(self, now: float) -> tuple[int, float]:
        """Requests and tokens that the server may be counting at `now`."""
        self._entries = [entry for entry in self._entries if self._leaves(entry) > now]
        return len(self._entries), sum(entry.tokens for entry in self._entries)

    def room_at(self, tokens: float, now: float) -> float:
        """When an attempt of `tokens` fits by what is known at `now`: now itself, later, or infinite.

        Infinite also where only an answer can make room.
        """
        requests, counted = self.counted(now)
        if requests + 1 <= self.limits.requests and counted + tokens <= self.limits.tokens:
            return now
        for leaves, freed in sorted((self._leaves(entry), entry.tokens) for entry in self._entries):
            requests, counted = requests - 1, counted - freed
            if requests + 1 <= self.limits.requests and counted + tokens <= self.limits.tokens:
                return leaves
        return float("inf")
