"""What tests with several Dagster instances in one process need."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def _no_instance_left_over() -> None:
    """Let go of the instances of earlier tests now.

    A context that Dagster opened for one of them is closed when the collector happens to find it, and then
    takes back a context variable in the middle of another test's run.
    """
    gc.collect()
