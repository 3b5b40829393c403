"""Mutants: small changes of meaning, and whether the tests notice."""
