"""One PDF page as it is: its words, what the eye sees of them, and what lies over and beside them."""
