"""Random events at a table, with the results stored as digests: see `walked`."""
