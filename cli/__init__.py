"""The program `pokersvc`."""
