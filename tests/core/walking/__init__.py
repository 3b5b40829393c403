"""What becomes of a table by random events, kept as digests: see `walked`."""
