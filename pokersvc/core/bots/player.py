"""A bot: a program that fills a seat."""

from random import Random
from typing import Protocol

from pokersvc.core.actions import Action
from pokersvc.core.typevars import LegalT_contra, ViewT_contra


class Player(Protocol[ViewT_contra, LegalT_contra]):
    """A bot: a program that fills a seat."""

    def choose(self, view: ViewT_contra, legal: LegalT_contra, random: Random) -> Action:
        """Return the action for a seat's view and legal actions; all randomness comes from ``random``."""
        ...
