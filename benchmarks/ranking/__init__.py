"""Two pipelines from files to ranked candidates, and one yardstick for both."""
