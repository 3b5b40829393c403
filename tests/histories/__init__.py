"""Tests of other sites' hand histories."""
