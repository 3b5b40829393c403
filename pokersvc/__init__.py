"""pokersvc: a game service whose only truth is its log of events."""

__version__ = "0.1.0"
