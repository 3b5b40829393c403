"""Imports and programs that earlier versions of the docs printed, which must still work."""
