"""Tables: by rules, by the places of words, and over page breaks."""
