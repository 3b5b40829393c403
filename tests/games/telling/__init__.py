"""Everything that games print, draw, offer, refuse and do at every step, stored as digests: see `told`."""
