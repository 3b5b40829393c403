"""Games whose seats shuffle together, broken on purpose, each in one place; and one that is not broken."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from kuhn import GameStarted, Kuhn, KuhnBooks, KuhnState, KuhnWords, RoundEnded

from pokersvc.core.actions import Action, ForgoRound, IllegalAction
from pokersvc.core.books import Mismatch
from pokersvc.core.common_events import RoundForgone
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import Entropy
from pokersvc.testing import Promise

from .broken import Broken

BROKEN: Final[dict[str, Broken]] = {}


@dataclass(slots=True)
class TogetherState(KuhnState):
    """Kuhn poker in which a seat that forgoes a round loses what it paid."""

    forgone: int = 0
    """The seat that forwent the round."""

    @property
    def awaited(self) -> tuple[int, ...]:
        return () if self.forgone else KuhnState.awaited.__get__(self)

    def between(self) -> bool:
        return not (self.ended or self.chips.live or self.chips.round == self.started.rounds)

    def deals_to(self) -> tuple[int, ...] | None:
        return (1, 2) if self.between() else None

    def dealer_event(self, entropy: Entropy) -> Event | None:
        if self.forgone and self.chips.live:
            return RoundEnded(None, self.chips.staked[self.forgone], self.chips.round, 3 - self.forgone)
        return KuhnState.dealer_event(self, entropy)

    def choice(self, action: Action) -> Event:
        if not isinstance(action, ForgoRound):
            return KuhnState.choice(self, action)
        if not self.awaited or action.seat not in (1, 2):
            raise IllegalAction("already_out", f"Seat {action.seat!r} cannot forgo a round now.")
        return RoundForgone(action.seat)

    def change(self, event: Event) -> None:
        if isinstance(event, RoundForgone):
            self.forgone = event.seat
        else:
            KuhnState.change(self, event)
            if isinstance(event, RoundEnded):
                self.forgone = 0


class TogetherWords(KuhnWords):
    def tell(self, event: Event, state: KuhnState) -> str:
        return "A round is forgone." if isinstance(event, RoundForgone) else super().tell(event, state)


class NoWords(TogetherWords):
    def tell(self, event: Event, state: KuhnState) -> str:
        return "" if isinstance(event, RoundForgone) else super().tell(event, state)


class Together(Kuhn):
    dealt_together = True
    event_types = {**Kuhn.event_types, ("RoundForgone", 1): RoundForgone}  # noqa: RUF012 - as the contract declares it
    words = TogetherWords()

    def begin(self, started: GameStarted) -> KuhnState:
        return TogetherState(started)


TOGETHER: Final = Together()
"""A game that keeps every promise."""


def broken(what: str, state: type[KuhnState], promise: Promise = Promise.TOGETHER, **changed: Any) -> None:
    members = {"begin": lambda _, started: state(started), **changed}
    BROKEN[what] = Broken(promise, type("BrokenTogether", (Together,), members)())


class Announces(TogetherState):
    """Announces other decks than there are."""

    @staticmethod
    def by(announced: Any) -> type[TogetherState]:
        return type("Announces", (TogetherState,), {"deals_to": announced})


def _by_card(state: TogetherState) -> tuple[int, ...] | None:
    return ((1,) if state.cards.get(1) == "K" else (1, 2)) if state.between() else None


def _while_dealing(state: TogetherState) -> tuple[int, ...] | None:
    dealing = state.chips.live and not state.awaited and not state.forgone and len(state.cards) < 2
    return (1, 2) if state.between() or dealing else None


def _of(seats: tuple[int, ...]) -> Any:
    return lambda state: seats if state.between() else None


announces: Final = {
    "every other deck is not announced": lambda state: (1, 2) if state.between() and state.chips.round % 2 else None,
    "no deck is announced": lambda _: None,
    "to whom a deck is dealt depends on a secret": _by_card,
    "a deck is announced while cards are dealt": _while_dealing,
    "a deck is announced while a seat must choose": lambda _: (1, 2),
    "a deck is announced after the last round": lambda state: None if state.chips.live or state.ended else (1, 2),
    "a deck is announced after the game": lambda state: (1, 2) if state.ended or state.between() else None,
    "a deck is announced to one seat and dealt to two": _of((1,)),
    "a deck is announced to nobody": _of(()),
    "a deck is announced to a seat that there is not": _of((1, 2, 3)),
    "a deck is announced to seats out of order": _of((2, 1)),
}
for what, announced in announces.items():
    broken(what, Announces.by(announced))
broken("a deck is announced in a game that is not dealt together", TogetherState, dealt_together=False)


class NobodyForgoes(TogetherState):
    def choice(self, action: Action) -> Event:
        if isinstance(action, ForgoRound):
            raise self.unknown(action)
        return TogetherState.choice(self, action)


class ForgoesAnyTime(TogetherState):
    def choice(self, action: Action) -> Event:
        forgoes = isinstance(action, ForgoRound) and action.seat in (1, 2)
        return RoundForgone(action.seat) if forgoes else TogetherState.choice(self, action)


class AnybodyForgoes(TogetherState):
    def choice(self, action: Action) -> Event:
        forgoes = isinstance(action, ForgoRound) and self.awaited
        return RoundForgone(action.seat) if forgoes else TogetherState.choice(self, action)


class KingsStay(TogetherState):
    def choice(self, action: Action) -> Event:
        if isinstance(action, ForgoRound) and self.cards.get(action.seat) == "K" and action.seat not in self.awaited:
            raise IllegalAction("already_out", "A king stays.")
        return TogetherState.choice(self, action)


class NotesWhoForgoes(TogetherState):
    def choice(self, action: Action) -> Event:
        if isinstance(action, ForgoRound):
            self.chips.stacks[1] += 1
        return TogetherState.choice(self, action)


class AsksAgain(TogetherState):
    def change(self, event: Event) -> None:
        if not isinstance(event, RoundForgone):
            TogetherState.change(self, event)


class ForgetsWhoForwent(TogetherState):
    def apply(self, event: Event) -> None:
        TogetherState.apply(self, event)
        if isinstance(event, RoundForgone):
            self.chips.stacks[1] += id(self)


class LosesChips(KuhnBooks):
    def post(self, event: Event) -> Iterable[Mismatch]:
        if isinstance(event, RoundForgone):
            self.scores[0] -= 1
        return super().post(event)


broken("nobody can forgo a round", NobodyForgoes)
broken("a round is forgone while the dealer is to act", ForgoesAnyTime)
broken("a seat that there is not forgoes a round", AnybodyForgoes)
broken("whether a seat can forgo a round depends on a secret", KingsStay)
broken("a seat that forwent the round is asked", AsksAgain)
broken("that a seat may forgo a round leaves a trace", NotesWhoForgoes, Promise.DECIDING)
broken("a forgone round does not replay", ForgetsWhoForwent, Promise.REPLAY)
broken("the books lose a chip in a forgone round", TogetherState, Promise.BOOKS, books=lambda *_: LosesChips())
broken("there are no words for a forgone round", TogetherState, Promise.WORDS, words=NoWords())
broken(
    "`action_of` does not know a forgone round",
    TogetherState,
    Promise.ACTION_OF,
    action_of=lambda self, event: None if isinstance(event, RoundForgone) else Kuhn.action_of(self, event),
)
