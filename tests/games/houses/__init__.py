"""Tests of the founding houses `buy-the-pot` and `capped-raise`, and of what every house must hold."""
