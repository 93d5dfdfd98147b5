"""Rules out of an RFP: its statements, whose duty each is, how strongly, and its atomic parts."""
