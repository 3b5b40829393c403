"""Doctored files, and files as they are."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, islice
from random import Random
from typing import Final, NamedTuple

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.evidence.jsonl import line_of

from .copies import exported
from .events import EVENTS
from .files import BYTES, LINES
from .forms import FORMS
from .games import Game, Line, games
from .hand import Hand
from .values import PARTS, VALUES

SEED: Final = 26
COUNT: Final = 500
_TRIES: Final = 1000
"""How many places are tried for a change; numbers stand in the secrets of hands from elsewhere only."""


class Doctored(NamedTuple):
    """A file, and what was done to it."""

    change: str
    """What was changed, as the table of changes names it; empty for a file that is as it was made."""
    where: str
    """The game, the viewer and the event."""
    content: bytes


CHANGES: Final = {**VALUES, **EVENTS, **PARTS}
"""Changes of what is said."""

KINDS: Final[Mapping[str, str]] = {
    **{f"payload: {name}": "form" for name in FORMS},
    **{f"secret: {name}": "form" for name in FORMS},
    **{f"line: {name}": "form" for name in FORMS},
    **{f"member: {name}": "form" for name in LINES},
    **{f"bytes: {name}": "form" for name in BYTES},
    **{f"said: {name}": "content" for name in CHANGES},
}
"""Every change, and whether it is one of form or of what is said."""
_OF_FORM: Final = {
    "said: an event is of another version", "said: a secret that should not be", "said: no secret where one should be",
}  # fmt: skip


def is_of_form(change: str) -> bool:
    """Tell whether a change leaves what a file says, and changes how it is written: then nothing excuses a verifier."""
    return KINDS[change] == "form" or change in _OF_FORM


def honest() -> Iterator[Doctored]:
    """Yield every game as it is, in a copy for each kind of viewer."""
    for game in games():
        for viewer, opens in ((EVERYONE, False), (1, False), (1, True), (AUDITOR, False)):
            if opens or viewer == AUDITOR or not game.owes_seeds:
                yield Doctored("", f"{game.name} as {viewer}", _as_made(game.name, viewer, opens))


def doctored(number: int = COUNT, seed: int = SEED) -> Iterator[Doctored]:
    """Yield so many doctored files; every change as often as the others, in games and at events drawn at random."""
    random = Random(seed)
    every = games()
    made = (file for _ in count() for change in KINDS if (file := doctored_one(change, random, every)) is not None)
    yield from islice(made, number)


@cache
def _as_made(name: str, viewer: Viewer, opens: bool) -> bytes:
    (game,) = (game for game in games() if game.name == name)
    return b"".join(map(line_of, exported(game, game.lines, viewer, opens=opens)))


def doctored_one(change: str, random: Random, of: Sequence[Game], tries: int = _TRIES) -> Doctored | None:
    """Return a file of one of some games with one change, None where there is no place for it."""
    for _ in range(tries):
        game = random.choice(of)
        copies: list[tuple[Viewer, bool]] = [(EVERYONE, False), (1, True), (AUDITOR, False), (1, game.owes_seeds)]
        viewer, opens = random.choice(copies)
        places = list(range(len(game.lines)))
        if change.startswith("secret"):
            places = [at for at in places if game.lines[at]["secret"] is not None]
        at = random.choice(places)
        hand = Hand(game, list(map(dict, game.lines)), at, random, viewer, opens)
        content = _changed(change, hand)
        if content is not None and content != _as_made(game.name, viewer, opens):
            return Doctored(change, f"{game.name} as {viewer}, event {at + 1}", content)
    return None


def _changed(change: str, hand: Hand) -> bytes | None:
    where, _, name = change.partition(": ")
    random, at = hand.random, hand.at + 1
    if where in ("payload", "secret"):
        text = hand.line[where]
        rewritten = None if text is None else FORMS[name](text, random)
        if rewritten is None:
            return None
        hand.line[where] = rewritten
    elif where == "said" and not CHANGES[name](hand):
        return None
    lines = exported(hand.game, hand.lines, hand.viewer, opens=hand.opens)
    if where == "member":
        LINES[name](lines, at, random)
    written = _written(lines)
    if where == "line":
        at = random.choice([0, at])
        rewritten = FORMS[name](written[at].decode()[:-1], random)
        if rewritten is None:
            return None
        written[at] = rewritten.encode() + b"\n"
    elif where == "bytes":
        BYTES[name](written, at, random)
    return b"".join(written)


def _written(lines: list[Line]) -> list[bytes]:
    return [json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n" for line in lines]
