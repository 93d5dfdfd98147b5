"""Lines to blocks: reading order, running headers, lists, headings and lists of contents."""
