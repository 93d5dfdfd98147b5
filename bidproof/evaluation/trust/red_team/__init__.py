"""A red team: errors planted in right packs and right judgements, each followed to the finding on its rule.

An error is missed where the finding is a Pass that nobody would look at.
"""

from bidproof.evaluation.trust.red_team.errors import KINDS, PlantedError, read_errors
from bidproof.evaluation.trust.red_team.team import RedTeam, Result, catch_rates

__all__ = ["KINDS", "PlantedError", "RedTeam", "Result", "catch_rates", "read_errors"]
