"""What services record, refuse and answer in random games, kept as digests: see `walked`."""
