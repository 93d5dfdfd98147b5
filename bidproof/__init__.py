"""Bidproof: bid packs checked against an RFP's rules, each verdict proven by quote, page and box.

This package holds the domain: plain functions over typed records and Polars tables, one package a
stage, in the order in which data flows. It never imports Dagster.
"""

__version__ = "0.1.0"
