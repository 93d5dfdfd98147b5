"""Writes the example tender: mark-up sources in `content/` become PDF files, a catalog and gold labels."""
