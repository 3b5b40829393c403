"""The program `pokersvc`."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.cli import drawing as drawing
    from pokersvc.cli import main as main
    from pokersvc.cli import replay as replay
    from pokersvc.cli import statistics as statistics
else:
    __getattr__ = imported_when_used(__name__)
