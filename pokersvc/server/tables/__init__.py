"""Tables: how they are made, filled, kept in the database, and ended when nobody plays."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.server.tables import schema as schema
else:
    __getattr__ = imported_when_used(__name__)
