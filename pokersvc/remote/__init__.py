"""Tables of a server from outside: followed over HTTP, checked event by event, and played at.

Needs no more than pokersvc itself, so that who checks a server installs nothing that serves.
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
