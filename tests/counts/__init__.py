"""Counts of work per hand, event read, event audited and command, which are the same on every machine."""
