"""Connections of strangers: who has a place, and who is let go because nothing comes or nothing is read."""
