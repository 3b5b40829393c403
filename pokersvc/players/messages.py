"""The messages of a player's process: their kinds, their headers, and their maximum lengths."""

import struct
from typing import Final

HEADER: Final = struct.Struct(">IcI")
"""The header of an answer: the question's number, the kind of answer and its length."""
MOST: Final = 4000
"""Most bytes of an answer: with its header it is written atomically (POSIX's PIPE_BUF, 4096 on Linux)."""
MOST_TOGETHER: Final = 256
"""Most views of a batch."""
MOST_OF_A_BATCH: Final = MOST_TOGETHER * (3 + MOST)
"""Most bytes of the answers of a batch, each with a header (`answering.PART`)."""

ANSWERED, RAISED, TIMEOUT, ILLEGAL = b"A", b"R", b"T", b"I"
POLICY = b"P"
BATCH = b"B"
MISSING, NO_CHOICE = b"M", b"C"
NO_BOX, REFUSED = b"N", b"F"
"""The kinds of answers to a choice, to loading a player, or to making a box.

In order: done; failed, too late, or not an action of the game; a policy in place of an action; the answers to a batch;
the file has no such name, or the name has none of the methods `METHODS`; no box can be made here, or the code loaded in
it would let one choice pass information to the next.
"""
OF_CHOICES = ANSWERED, POLICY, RAISED, ILLEGAL, BATCH, *(kind.lower() for kind in (ANSWERED, POLICY, ILLEGAL, BATCH))
OF_LOADING = ANSWERED, RAISED, MISSING, NO_CHOICE
"""The kinds of answers that a player's own process may send, to a choice and to loading; none is about the box.

A kind in lower case says that most of a slow choice went into preparing the player (`answering.SLOW`).
"""
KINDS: Final = {*OF_CHOICES, *OF_LOADING, TIMEOUT, NO_BOX, REFUSED}

METHODS: Final = ("policy", "choose_many", "choose")
"""The methods with which a player may answer; of those that it has, the first is asked."""


def method_of(player: object) -> str:
    """Return the method with which a class answers, one of `METHODS`; empty if it has none."""
    return next((name for name in METHODS if callable(getattr(player, name, None))), "")
