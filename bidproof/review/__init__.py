"""What people see of the results: the compliance matrix and its exports. Holds no pipeline stage."""
