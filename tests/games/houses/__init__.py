"""Tests of the founding houses `buy-the-pot` and `capped-raise`, and of the invariants of every house."""
