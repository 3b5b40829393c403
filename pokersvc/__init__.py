"""pokersvc: a game service whose only truth is its log of events."""

from typing import Final

__version__: Final = "0.1.0"
