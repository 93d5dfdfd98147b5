"""Finding the passages that decide a rule: lexical and dense legs, fusion, evidence score, selection.

Holds what ranks and chooses chunks. Must not hold verdicts, quotes or anything that reads a bid's meaning:
those are for `judging` and `verification`.
"""
