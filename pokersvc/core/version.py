"""The version of pokersvc."""

__version__ = "0.1.0"
