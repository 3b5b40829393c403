"""Tests of draw poker: its rules one by one, and its invariants."""
