"""Exports of real games of every kind and engine, each changed in one place, to be judged by every verifier."""
