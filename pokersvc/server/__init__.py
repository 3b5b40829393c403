"""The HTTP server for tables in a browser, which streams the events of the log. Needs the extra ``serve``."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.server import app as app
    from pokersvc.server import run as run
    from pokersvc.server import settings as settings
    from pokersvc.server import tables as tables
else:
    __getattr__ = imported_when_used(__name__)
