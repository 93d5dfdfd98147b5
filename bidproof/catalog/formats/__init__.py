"""Catalog files in and out: YAML, CSV, XLSX, OCDS, with every fault by line or cell."""
