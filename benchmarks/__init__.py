"""Measures whether the project is as fast as it promises: ``python -m benchmarks`` prints a table for each promise."""
