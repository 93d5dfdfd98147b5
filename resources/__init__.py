"""Dagster resources: thin holders of what stages share. No pipeline logic, no domain knowledge."""
