"""What an RFP says around a rule: flags, defined terms, places referred to, questions, documents asked for."""
