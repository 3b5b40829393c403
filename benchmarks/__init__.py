"""Measures what the project promises to be fast at: ``python -m benchmarks`` prints a table for each."""
