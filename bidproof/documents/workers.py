"""Processes that read PDFs apart from this one, so that no file can crash it, hang it or fill its memory.

Starts, feeds and ends them, and keeps them for the next file. What they do stands in `serving`; what a lost
page means for a document, in `parsing`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Literal, NamedTuple

from bidproof.errors import StageError

# A program of its own, not multiprocessing's spawn: that runs the caller's main module again, which fails
# for a script without a guard and for a program read from standard input.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from bidproof.documents.serving import serve; serve(int(sys.argv[1]))"
)
_START_SECONDS = 120.0

EventKind = Literal["item", "done", "refused", "died", "slow"]


class Event(NamedTuple):
    """What a worker did: gave an item, was done, refused the file, died, or took too long."""

    worker: Worker
    kind: EventKind
    value: Any


class Worker:
    """One reader process and the line to it.

    Raises:
        StageError: no process can be started.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            # OMP: two OCR threads a page took ten times as long as one under load.
            try:
                self.process = subprocess.Popen(
                    [sys.executable, "-c", _BOOT, str(theirs.fileno()), json.dumps(sys.path)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()], env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                )  # fmt: skip
            except OSError as error:
                ours.close()
                raise StageError(
                    f"no reader process can be started ({error.strerror}); free memory and run again"
                ) from None
        self.line: Connection = Connection(ours.detach())
        self.ready = False
        self.due = time.monotonic() + _START_SECONDS

    def give(self, task: str, arguments: Sequence[Any], seconds: float) -> None:
        """Hand over a task, each item of which may take `seconds`."""
        self.seconds = seconds
        if self.ready:
            self.due = time.monotonic() + seconds
        # A worker that died while it was idle is found when its answer is awaited.
        with contextlib.suppress(OSError):
            self.line.send((task, tuple(arguments)))

    def next_event(self) -> Event | None:
        """The message that waits on the line; None for the greeting of a fresh process."""
        try:
            kind, value = self.line.recv()
        except (EOFError, OSError):
            if not self.ready:
                self.end()
                raise StageError("the reader process does not start; check the installation") from None
            return Event(self, "died", None)
        self.due = time.monotonic() + getattr(self, "seconds", _START_SECONDS)
        if kind == "ready":
            self.ready = True
            return None
        return Event(self, kind, value)

    def end(self) -> None:
        """Kill the process and close the line."""
        self.process.kill()
        self.line.close()
        self.process.wait()


_idle: list[Worker] = []
_lock = threading.Lock()


def hire() -> Worker:
    """A worker that waits for a task: one kept from before, or a new one (half a second)."""
    with _lock:
        while _idle:
            worker = _idle.pop()
            if worker.process.poll() is None:
                return worker
            worker.end()
    return Worker()


def keep(worker: Worker, fit: bool) -> None:
    """Keep a worker whose task is done for the next file, or end it where it is not fit for more."""
    if not fit:
        worker.end()
        return
    with _lock:
        _idle.append(worker)


@atexit.register
def end_all() -> None:
    """End the workers that are kept."""
    with _lock:
        while _idle:
            _idle.pop().end()


def await_events(workers: Sequence[Worker]) -> list[Event]:
    """What happens next among `workers`, at least one of which has a task: messages, or a limit that passed."""
    while True:
        nearest = min(worker.due for worker in workers)
        ready = wait([worker.line for worker in workers], max(nearest - time.monotonic(), 0))
        events = [event for each in workers if each.line in ready and (event := each.next_event())]
        if events:
            return events
        now = time.monotonic()
        slow = [Event(each, "slow", None) for each in workers if each.due <= now and each.line not in ready]
        if slow:
            return slow
