"""The bots that fill seats: built-in and custom players."""

from pokersvc.players.process import ChoiceForfeited, UnusablePlayer
from pokersvc.players.programs import LIMIT, Choice, Programs, choice_of, content_of
from pokersvc.players.worker import close_memory

__all__ = [
    "LIMIT",
    "Choice",
    "ChoiceForfeited",
    "Programs",
    "UnusablePlayer",
    "choice_of",
    "close_memory",
    "content_of",
]
