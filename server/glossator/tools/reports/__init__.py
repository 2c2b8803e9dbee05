"""Coverage reports in the forms that test runners write, read as data and nothing else."""
