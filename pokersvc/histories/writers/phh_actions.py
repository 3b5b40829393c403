"""Converts the statements of a hand to the actions of a PHH."""

from collections.abc import Sequence

from pokersvc.histories.dialects.phh_actions import RESHUFFLED
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    Raised,
    Reshuffled,
    Showed,
    Statement,
)
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten, money
from pokersvc.histories.writers.outcome import HandEnd
from pokersvc.histories.writers.pots import paid_pots
from pokersvc.histories.writers.showdown import showdown_of


def cards_text(cards: Cards | None, count: int = 5) -> str:
    """Return the notation of cards without separators; unknown cards are ``??``."""
    return "??" * count if cards is None else "".join(card.notation for card in cards)


class Written:
    """The actions of a hand, and the mucked or shown hands that actions cannot express."""

    def __init__(self, hand: HandHistory, players: Sequence[HistoryPlayer], end: HandEnd | None) -> None:
        self.actions: list[str] = []
        self.mucked: list[str] = []
        self.shown: list[str] = []
        self._players = {player.name: f"p{number}" for number, player in enumerate(players, 1)}
        self._currency = hand.currency
        self._live = set(self._players)
        self._deal({told.name: told.cards for told in hand.told if isinstance(told, Dealt)})
        draw = [told for told in hand.told if isinstance(told, Discarded | Drew | Reshuffled)]
        first = hand.told.index(draw[0]) if draw else len(hand.told)
        for told in hand.told[:first]:
            self._write(told)
        self._draw(draw)
        for told in hand.told[first:]:
            self._write(told)
        self._showdown(hand, end)

    def _of(self, name: str) -> str:
        if (player := self._players.get(name)) is None:
            raise CannotBeWritten("PHH", f"{name} takes part in it but was not dealt in")
        return player

    def _deal(self, dealt: dict[str, Cards | None]) -> None:
        for name, player in self._players.items():
            self.actions.append(f"d dh {player} {cards_text(dealt.get(name))}")

    def _write(self, told: Statement) -> None:
        match told:
            case Folded():
                self.actions.append(f"{self._of(told.name)} f")
                self._live.discard(told.name)
            case Checked() | Called():
                self.actions.append(f"{self._of(told.name)} cc")
            case Bet():
                self.actions.append(f"{self._of(told.name)} cbr {money(told.amount, self._currency)}")
            case Raised():
                self.actions.append(f"{self._of(told.name)} cbr {money(told.to, self._currency)}")
            case _:
                pass

    def _draw(self, draw: Sequence[Statement]) -> None:
        """Write the draw in PokerKit's order: all discards, and then all draws."""
        counts = {told.name: told.count for told in draw if isinstance(told, Discarded)}
        dealt: dict[str, list[str]] = {name: [] for name in counts}
        reshuffled = list[str]()
        for told in draw:
            if isinstance(told, Reshuffled):
                reshuffled.append(RESHUFFLED)
                continue
            assert isinstance(told, Discarded | Drew)
            texts = dealt.setdefault(told.name, [])
            texts += reshuffled
            reshuffled.clear()
            if isinstance(told, Discarded):
                cards = cards_text(told.cards, told.count)
                self.actions.append(f"{self._of(told.name)} sd {cards}".rstrip())
            elif count := len(told.cards) if told.cards is not None else told.count or counts.get(told.name, 0):
                texts.append(f"d dh {self._of(told.name)} {cards_text(told.cards, count)}")
        for name, texts in dealt.items():
            if counts.get(name) and not any(text.startswith("d") for text in texts):
                texts.append(f"d dh {self._of(name)} {cards_text(None, counts[name])}")
            self.actions += texts
        self.actions += reshuffled

    def _showdown(self, hand: HandHistory, end: HandEnd | None) -> None:
        """Write shows and mucks as actions; an uncalled hand and a winner's unknown hand have no action.

        Raise `CannotBeWritten` for such a winner if there are side pots: `winnings` do not say which pot was won.
        """
        done = showdown_of(hand, end)
        silent = self._live - {told.name for told in done} if len(self._live) > 1 else set[str]()
        if end is not None and any(end.won.get(name) for name in silent) and len(paid_pots(hand, end)) > 1:
            raise CannotBeWritten("PHH", "it has side pots, and a winning hand is unknown")
        for told in done:
            player = self._of(told.name)
            self.actions.append(f"{player} sm {cards_text(told.cards)}" if isinstance(told, Showed) else f"{player} sm")
            if isinstance(told, Mucked) and told.cards:
                self.mucked.append(f"{player} {cards_text(told.cards)}")
        if len(self._live) == 1:
            alone = [told for told in hand.told if isinstance(told, Showed)]
            self.shown += [f"{self._of(told.name)} {cards_text(told.cards)}" for told in alone]
