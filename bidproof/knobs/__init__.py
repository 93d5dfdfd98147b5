"""Every knob of the pipeline by group, each with its default, unit and reason. Reads nothing; computes nothing.

One module a part of the pipeline; `bidproof.params` puts the groups together and reads them from files.
"""
