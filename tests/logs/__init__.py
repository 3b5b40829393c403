"""Whole logs as every released version wrote them; they are read for ever."""
