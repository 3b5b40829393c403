"""Sources of chance: seeds, streams of random numbers, and common shuffles."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.core.randomness import common_shuffle as common_shuffle
    from pokersvc.core.randomness import shares as shares
else:
    __getattr__ = imported_when_used(__name__)
