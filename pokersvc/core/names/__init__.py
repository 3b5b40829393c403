"""Checks of new names: a name that is unreadable or looks like another's is refused before anything is recorded."""

from pokersvc.core.names.checks import apart as apart
from pokersvc.core.names.checks import like as like
from pokersvc.core.names.checks import readable as readable
from pokersvc.core.names.checks import unlike as unlike
from pokersvc.core.names.checks import unreadable as unreadable
from pokersvc.core.names.looks import alike as alike
from pokersvc.core.names.looks import same as same
