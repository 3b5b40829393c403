"""What bots choose, and what searches find, kept as digests: see `thought`."""
