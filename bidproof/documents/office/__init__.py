"""Files without pages of their own: Word, Excel, HTML and plain text."""
