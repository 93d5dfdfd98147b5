"""What tests with several Dagster instances in one process need."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from dagster._core.storage.defs_state.base import set_defs_state_storage


@pytest.fixture(autouse=True)
def _no_instance_left_over() -> Iterator[None]:
    """Let go of the instances of earlier tests now.

    A context that Dagster opened for one of them is closed when the collector happens to find it, and then
    takes back a context variable in the middle of another test's run, or leaves one that names a dead instance.
    """
    gc.collect()
    with set_defs_state_storage(None):
        yield
