"""The event log: append-only, hash-chained, in SQLite; it knows no game."""
