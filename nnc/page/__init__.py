"""The page: a report as one HTML file in which everything that is shown is linked with everything else."""
