"""Fuzzing of every file reader with thousands of generated files: only typed errors may occur."""
