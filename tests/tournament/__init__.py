"""Tests of tournaments: their games, their results file, and their output."""
