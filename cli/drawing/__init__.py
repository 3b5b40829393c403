"""Drawing at a terminal: tables in colour, on the full screen or above a prompt."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.cli.drawing import drawn_screen as drawn_screen
    from pokersvc.cli.drawing import progress_bar as progress_bar
    from pokersvc.cli.drawing import qr_code as qr_code
else:
    __getattr__ = imported_when_used(__name__)
