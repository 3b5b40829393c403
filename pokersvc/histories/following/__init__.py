"""Plays a hand again under the rules: gives its game, and the contradictions in its text."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.histories.following import finding as finding
else:
    __getattr__ = imported_when_used(__name__)
