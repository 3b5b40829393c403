"""Sessions driven by scripts instead of people."""

from collections.abc import Callable
from random import Random

from pokersvc.games.draw_poker.advising.players import MinimumPlayer
from pokersvc.service import (
    Choose,
    Next,
    Over,
    Pause,
    Session,
    Shown,
    Stopped,
    Waiting,
)


def answer(session: Session, found: Next) -> bool:
    """Make the cheapest bet, call, stand pat or continue; return whether there was a question."""
    if isinstance(found, Choose):
        return session.act(MinimumPlayer().choose(found.view, found.legal, Random(0)))
    return isinstance(found, Pause) and session.go_on()


def drive(session: Session, until: Callable[[Next], bool] = lambda _: False) -> list[Next]:
    """Answer questions until nothing is left to do here, or the awaited step comes."""
    said: list[Next] = []
    while True:
        found = session.next()
        said.append(found)
        if isinstance(found, Over | Stopped | Waiting) or until(found):
            return said
        if not isinstance(found, Shown):
            answer(session, found)


def shown(said: list[Next]) -> list[Shown]:
    return [one for one in said if isinstance(one, Shown)]


def seqs(said: list[Next]) -> list[int]:
    return [one.record.seq for one in shown(said)]


def is_choice(found: Next) -> bool:
    return isinstance(found, Choose)


def is_pause(found: Next) -> bool:
    return isinstance(found, Pause)
