"""What games say, draw, offer, refuse and take at every step, kept as digests: see `told`."""
