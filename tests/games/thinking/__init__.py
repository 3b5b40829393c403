"""The choices of bots and the results of searches, stored as digests: see `thought`."""
