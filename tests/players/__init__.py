"""Custom players, well and badly behaved."""
