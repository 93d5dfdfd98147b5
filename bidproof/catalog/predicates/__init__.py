"""What code can test of a rule, derived from its words; and where its evidence is looked for."""
