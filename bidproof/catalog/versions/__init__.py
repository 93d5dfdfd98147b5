"""Catalog versions: what differs, what addenda do, what the warehouse keeps, what an auditor asks."""
