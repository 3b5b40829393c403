"""Games whose drawn table is broken on purpose, each in one place."""

from functools import partial
from typing import Any, Final

import kuhn
from kuhn import CardDealt, KuhnView, KuhnWords

from pokersvc.core.drawing import Line, Piece, Room, Shortcut
from pokersvc.testing import Promise

from .broken import Broken, made

BROKEN: Final[dict[str, Broken]] = {}

broken: Final = partial(made, BROKEN)


class DrawsWide(KuhnWords):
    def draw(self, view: KuhnView, room: Room) -> list[Line]:
        return [(Piece("-" * 61),)]


class DrawsLong(KuhnWords):
    def draw(self, view: KuhnView, room: Room) -> list[Line]:
        return [(Piece("-"),)] * 13


class DrawsPickedWide(KuhnWords):
    def draw_picked(self, text: str, view: KuhnView, legal: kuhn.Legal, room: Room) -> list[Line]:
        return [(Piece(text * 61),)]


class DrawsBareText(KuhnWords):
    def draw(self, view: KuhnView, room: Room) -> list[Line]:
        texts: Any = ("a", "b")
        return [texts]


class DrawsWhatIsHidden(KuhnWords):
    """Reads the cards from what the record keeps for others too."""

    def draw(self, view: KuhnView, room: Room) -> list[Line]:
        happened, _ = view.record.of
        return [(Piece(f"{event.card}"),) for event in happened.events if isinstance(event, CardDealt)]


class AdvisesByWhatIsHidden(KuhnWords):
    def moment(self, view: KuhnView, legal: kuhn.Legal) -> list[str]:
        happened, _ = view.record.of
        return [f"{event}" for event in happened.events]


class OffersWhatIsNotRead(KuhnWords):
    def shortcuts(self, view: KuhnView, legal: kuhn.Legal) -> list[Shortcut]:
        return [Shortcut("x", "pass")]


class CompletesWhatIsNotRead(KuhnWords):
    def completions(self, view: KuhnView, legal: kuhn.Legal) -> list[str]:
        return ["pass", "raise"]


class RefusesAll(KuhnWords):
    def shortcuts(self, view: KuhnView, legal: kuhn.Legal) -> list[Shortcut]:
        return [Shortcut("pass", "check or fold")]

    def why_not(self, text: str, view: KuhnView, legal: kuhn.Legal) -> str | None:
        return "You cannot do that."


for what, words in {
    "a drawn line is too wide": DrawsWide(),
    "more lines are drawn than there is room for": DrawsLong(),
    "a line is too wide while something is picked": DrawsPickedWide(),
    "a drawing of bare texts": DrawsBareText(),
    "hidden cards are drawn": DrawsWhatIsHidden(),
    "the rules of the moment name hidden cards": AdvisesByWhatIsHidden(),
    "a short command that is not understood": OffersWhatIsNotRead(),
    "a completion that is not understood": CompletesWhatIsNotRead(),
    "a reason against what is allowed": RefusesAll(),
}.items():
    broken(what, Promise.DRAWN, words=words)
