"""Writes the lines of PokerStars' text after its header."""

from typing import Final

from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialects.site_words import stars_words
from pokersvc.histories.hand import Currency, HandHistory
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cancelled,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    NotShown,
    Posted,
    Raised,
    Reshuffled,
    Returned,
    Showed,
    Statement,
)
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten, money
from pokersvc.histories.writers.outcome import HandEnd, outcome_of
from pokersvc.histories.writers.pots import PaidPot, paid_pots
from pokersvc.histories.writers.showdown import showdown_of
from pokersvc.histories.writers.statement_order import in_order
from pokersvc.text import counted

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
_POSTS: Final = {
    "ante": "the ante",
    "small": "small blind",
    "big": "big blind",
    "extra": "big blind",
    "both": "small & big blinds",
    "straddle": "straddle",
}
_AWAY: Final = " is sitting out"
_OUT_OF_HAND: Final = " out of hand (moved from another table into small blind)"
"""The text after a player who is not dealt in at a tournament, where players who sit out are dealt in."""


def stars_money(amount: int, currency: Currency, *, whole: bool = False) -> str:
    """Return an amount as PokerStars writes it; with ``whole``, decimals are written even if they are zeros.

    >>> stars_money(1905, Currency("USD", 2)), stars_money(1900, Currency("EUR", 2)), stars_money(50, Currency("", 0))
    ('$19.05', '€19', '50')
    """
    text = money(amount, currency)
    return _SIGNS.get(currency.code, "") + (text if whole else text.removesuffix(".00"))


class StarsLines:
    """Builds the lines of a hand."""

    def __init__(self, hand: HandHistory) -> None:
        self._hand = hand
        self._staked = Contributions(hand.players, hand.big_blind)
        self._held: Cards | None = None
        """The hero's current cards."""
        self._did_not_bet: set[str] = set()
        self._after_the_draw: set[str] = set()
        self._shown: dict[str, Cards] = {}
        self._mucked: dict[str, Cards | None] = {}
        self.lines: list[str] = []
        self._seats()
        for told in in_order(hand):
            if not isinstance(told, Posted) and "*** DEALING HANDS ***" not in self.lines:
                self.lines.append("*** DEALING HANDS ***")
            if not isinstance(told, Drew):
                self._write(told)
            if isinstance(told, Discarded):  # here each player is dealt cards right after discarding
                for drew in hand.told:
                    if isinstance(drew, Drew) and drew.name == told.name:
                        self._write(drew)
        self._end()

    def _money(self, amount: int) -> str:
        return stars_money(amount, self._hand.currency)

    def _seats(self) -> None:
        away = _AWAY if self._hand.tournament is None else _OUT_OF_HAND
        for player in self._hand.players:
            out = away if player.sitting_out else ""
            self.lines.append(f"Seat {player.number}: {player.name} ({self._money(player.stack)} in chips){out}")

    def _write(self, told: Statement) -> None:
        """Write a statement from before the showdown."""
        if isinstance(told, Discarded | Reshuffled) and not self._staked.drawn:
            self._end_betting()
            self._staked.draw()
        before = self._staked.in_round.copy(), self._staked.price
        if not isinstance(told, Returned):
            self._staked.take(told)
        match told:
            case Posted():
                self._say(told.name, f"posts {_POSTS[told.kind]} {self._money(told.amount)}", bets=True)
            case Dealt() if told.name == self._hand.hero and told.cards is not None:
                self._held = told.cards
                self.lines.append(f"Dealt to {told.name} {_cards(told.cards)}")
            case Folded():
                self._fold(told.name)
            case Checked():
                self._say(told.name, "checks")
            case Called():
                self._say(told.name, f"calls {self._money(told.amount)}", bets=True)
            case Bet():
                self._say(told.name, f"bets {self._money(told.amount)}", bets=True)
            case Raised():
                step = self._money(told.to - before[1])
                self._say(told.name, f"raises {step} to {self._money(told.to)}", bets=True)
            case Discarded():
                self._discard(told)
            case Drew() if told.name == self._hand.hero and told.cards and self._held is not None:
                kept = f"{_cards(self._held)} " if self._held else ""
                self.lines.append(f"Dealt to {told.name} {kept}{_cards(told.cards)}")
                self._held += told.cards
            case Reshuffled():
                self.lines.append("The deck is reshuffled")
            case Showed():
                self._shown[told.name] = told.cards
            case _:
                pass

    def _say(self, name: str, what: str, *, bets: bool = False) -> None:
        all_in = " and is all-in" if bets and self._staked.left.get(name) == 0 else ""
        self.lines.append(f"{name}: {what}{all_in}")

    def _fold(self, name: str) -> None:
        self._say(name, "folds")
        if self._staked.drawn:
            self._after_the_draw.add(name)
        elif not self._staked.in_round.get(name):
            self._did_not_bet.add(name)

    def _discard(self, told: Discarded) -> None:
        known = told.cards if told.name == self._hand.hero else None
        if not told.count:
            held = f" on {_cards(self._held)}" if told.name == self._hand.hero and self._held else ""
            self._say(told.name, f"stands pat{held}")
            return
        self._say(told.name, f"discards {counted(told.count, 'card')}" + (f" {_cards(known)}" if known else ""))
        if told.name == self._hand.hero:
            self._held = tuple([card for card in self._held or () if card not in (known or ())])

    def _end_betting(self) -> None:
        """Write the line that returns the uncalled part of a bet, if there is one."""
        if found := self._staked.uncalled:
            self.lines.append(f"Uncalled bet ({self._money(found[1])}) returned to {found[0]}")
            self._staked.return_uncalled()

    def _end(self) -> None:
        """Write the showdown, the payments, and the summary."""
        hand = self._hand
        if any(isinstance(told, Cancelled) for told in hand.told):
            self.lines += ["Hand cancelled", "*** SUMMARY ***", f"Total pot {self._money(0)} | Rake {self._money(0)}"]
            self._summary_lines(dict.fromkeys(self._staked.left, 0), shown=False)
            return
        self._end_betting()
        end = outcome_of(hand)
        live = [player.name for player in hand.dealt_in() if player.name not in self._staked.folded]
        if end is None or not end.won:
            raise CannotBeWritten("PokerStars' text", "it does not say who won what")
        if not end.pot:
            raise CannotBeWritten("PokerStars' text", "there was nothing to win")
        if len(live) > 1:
            self._showdown(end)
        pots = paid_pots(hand, end)
        if pots[0].several:
            raise CannotBeWritten("PokerStars' text", "it has side pots, and does not say whom they paid")
        for number in reversed(range(len(pots))):
            side = "" if len(pots) == 2 else f"-{number}"
            name = "pot" if len(pots) == 1 else f"side pot{side}" if number else "main pot"
            for winner, amount in pots[number].won.items():
                self.lines.append(f"{winner} collected {self._money(amount)} from {name}")
        if len(live) == 1:
            self._alone(live[0])
        self._summary(end, pots, live)

    def _showdown(self, end: HandEnd) -> None:
        """Write shows and mucks; raise `CannotBeWritten` if a winner's hand is unknown: winners show at PokerStars."""
        self.lines.append("*** SHOW DOWN ***")
        for told in showdown_of(self._hand, end):
            if isinstance(told, Showed):
                self._shown[told.name] = told.cards
                self._show(told.name)
            else:
                self._mucked[told.name] = told.cards
                self._say(told.name, "mucks hand")
        if any(won and name not in self._shown for name, won in end.won.items()):
            raise CannotBeWritten("PokerStars' text", "a winning hand is unknown")

    def _show(self, name: str) -> None:
        cards = self._shown[name]
        self._say(name, f"shows {_cards(cards)} ({stars_words(cards)})")

    def _alone(self, name: str) -> None:
        if name in self._shown:
            self._show(name)
        elif any(isinstance(told, NotShown) for told in self._hand.told):
            self._say(name, "doesn't show hand")

    def _summary(self, end: HandEnd, pots: list[PaidPot], live: list[str]) -> None:
        sides = ""
        if len(pots) > 1:
            amounts = [self._money(sum(pot.won.values())) for pot in pots]
            numbers = [""] if len(pots) == 2 else [f"-{number}" for number in range(1, len(pots))]
            side = "".join(f" Side pot{number} {amount}." for number, amount in zip(numbers, amounts[1:], strict=True))
            sides = f" Main pot {amounts[0]}.{side}"
        self.lines += [
            "*** SUMMARY ***",
            f"Total pot {self._money(end.pot)}{sides} | Rake {self._money(end.rake)}",
        ]
        self._summary_lines(end.won, shown=len(live) > 1)

    def _summary_lines(self, won: dict[str, int], *, shown: bool) -> None:
        posted = {told.kind: told.name for told in reversed(self._hand.told) if isinstance(told, Posted)}
        for player in self._hand.dealt_in():
            name = player.name
            place = " (button)" if player.number == self._hand.button else ""
            place += " (small blind)" if posted.get("small") == name else ""
            place += " (big blind)" if posted.get("big") == name else ""
            self.lines.append(f"Seat {player.number}: {name}{place} {self._outcome(name, won[name], shown=shown)}")

    def _outcome(self, name: str, won: int, *, shown: bool) -> str:
        if name in self._staked.folded:
            if name in self._after_the_draw:
                return "folded after the Draw"
            return "folded before the Draw" + (" (didn't bet)" if name in self._did_not_bet else "")
        if shown and name in self._shown:
            cards = self._shown[name]
            result = f"won ({self._money(won)})" if won else "lost"
            return f"showed {_cards(cards)} and {result} with {stars_words(cards)}"
        if won or not shown:
            return f"collected ({self._money(won)})"
        cards = self._mucked.get(name) or ()
        return f"mucked {_cards(cards)}" if cards else "mucked"


def _cards(cards: Cards) -> str:
    return f"[{' '.join(card.notation for card in cards)}]"
