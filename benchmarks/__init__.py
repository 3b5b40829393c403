"""What the project promises to be fast at, measured: ``python -m benchmarks`` prints a table for each."""
