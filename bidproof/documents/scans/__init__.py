"""Pages that are pictures: recognition of their text and the lines of their tables."""
