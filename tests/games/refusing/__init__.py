"""Which rules, options, tables and stored events are refused, and how, kept as digests: see `refused`."""
