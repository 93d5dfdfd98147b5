"""Wiring: partitions, jobs, schedules, sensors and the one `Definitions`. No domain logic stands here."""
