"""The client of a server's tables: follows them over HTTP, checks every event, and plays at them.

It needs no more than pokersvc itself, so that checking a server does not require the server's packages.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.remote import copy as copy
    from pokersvc.remote import device as device
    from pokersvc.remote import errors as errors
    from pokersvc.remote import heads as heads
    from pokersvc.remote import link as link
    from pokersvc.remote import table as table
else:
    __getattr__ = imported_when_used(__name__)
