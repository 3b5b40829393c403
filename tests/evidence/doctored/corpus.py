"""Doctored and unchanged files."""

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
"""The number of places tried for a change; some values are rare, such as numbers in secrets."""


class Doctored(NamedTuple):
    """A doctored file, and its change."""

    change: str
    """The name of the change in the table of changes; empty for an unchanged file."""
    where: str
    """The game, the viewer and the event."""
    content: bytes


CHANGES: Final = {**VALUES, **EVENTS, **PARTS}
"""Changes to the content of events."""

KINDS: Final[Mapping[str, str]] = {
    **{f"payload: {name}": "form" for name in FORMS},
    **{f"secret: {name}": "form" for name in FORMS},
    **{f"line: {name}": "form" for name in FORMS},
    **{f"member: {name}": "form" for name in LINES},
    **{f"bytes: {name}": "form" for name in BYTES},
    **{f"said: {name}": "content" for name in CHANGES},
}
"""Change → "form" if it concerns the form of a file, "content" if it concerns the content."""
_OF_FORM: Final = {
    "said: an event is of another version", "said: a secret that should not be", "said: no secret where one should be",
}  # fmt: skip


def is_of_form(change: str) -> bool:
    """Return whether a change alters only the form of a file, which every verifier must notice."""
    return KINDS[change] == "form" or change in _OF_FORM


def honest() -> Iterator[Doctored]:
    """Yield every game as it is, in a copy for each kind of viewer."""
    for game in games():
        for viewer, opens in ((EVERYONE, False), (1, False), (1, True), (AUDITOR, False)):
            if opens or viewer == AUDITOR or not game.owes_seeds:
                yield Doctored("", f"{game.name} as {viewer}", _as_made(game.name, viewer, opens))


def doctored(number: int = COUNT, seed: int = SEED) -> Iterator[Doctored]:
    """Yield doctored files; all changes are equally frequent, in random games and at random events."""
    random = Random(seed)
    every = games()
    made = (file for _ in count() for change in KINDS if (file := doctored_one(change, random, every)) is not None)
    yield from islice(made, number)


@cache
def _as_made(name: str, viewer: Viewer, opens: bool) -> bytes:
    (game,) = (game for game in games() if game.name == name)
    return b"".join(map(line_of, exported(game, game.lines, viewer, opens=opens)))


def doctored_one(change: str, random: Random, of: Sequence[Game], tries: int = _TRIES) -> Doctored | None:
    """Return a file of one of the games with one change; None if no place for it was found."""
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
