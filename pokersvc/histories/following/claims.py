"""Compares a text's claims about the dealer with the engine: posts, returns, shown hands, payments and sums."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from pokersvc.cards import Hand
from pokersvc.cards.unknown import AnyCard, all_known
from pokersvc.histories import statements
from pokersvc.histories.following.cards import HAND, oddly_counted
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.engine_actions import HandDone, Reshuffle
from pokersvc.histories.following.finding import Contradiction, say_amount
from pokersvc.histories.following.hand_names import contradicts, in_words
from pokersvc.histories.following.order import after_cancelling, endings_out_of_order
from pokersvc.histories.following.posting import big_blind_of
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import HandHistory

_T = TypeVar("_T", bound=statements.Statement)


def contradicted_claims(hand: HandHistory, seating: DealtIn, done: HandDone) -> Iterator[Contradiction]:
    """Yield claims about the dealer that the engine contradicts, and missing claims that the dialect always makes."""
    yield from _Claims(hand, seating, done).contradictions()


class _Claims:
    def __init__(self, hand: HandHistory, seating: DealtIn, done: HandDone) -> None:
        self.hand, self.seating, self.done = hand, seating, done
        self.customs = CONVENTIONS[hand.dialect]
        self.by_type: dict[type[statements.Statement], list[Any]] = {}
        """Type → its statements, in the order of the text."""
        for one in hand.told:
            self.by_type.setdefault(one.__class__, []).append(one)
        self.players = {player.name: player for player in hand.players}
        self.tells_positions = any(one.position for one in self._all(statements.Summed))
        self.blinds: dict[str, set[str]] = {"small": set(), "big": set()}
        """Blind → the players who had it, if the text states positions."""
        if self.tells_positions:
            posted = self._all(statements.Posted)
            big = big_blind_of(posted, seating)
            self.blinds["small"] = {one.name for one in posted if one.kind == "small"}
            self.blinds["big"] = set() if big is None else {big.name}

    def _all(self, *types: type[_T]) -> list[_T]:
        """Return the statements of the given types, type by type, each type in the order of the text."""
        if len(types) == 1:
            return self.by_type.get(types[0], [])
        return [one for type_ in types for one in self.by_type.get(type_, ())]

    def contradictions(self) -> Iterator[Contradiction]:
        if statements.Cancelled in self.by_type:
            yield from self._twice()
            yield from after_cancelling(self.hand)
            yield from self._cancelled()
            for one in self._all(statements.Summed):
                yield from self._place(one)
            return
        yield from self._twice()
        yield from self._posts()
        yield from self._returns()
        yield from self._draws()
        yield from self._endings()
        yield from endings_out_of_order(self.hand, self.seating, self.done)
        yield from self._wins()
        for type_, claim in _CLAIMS.items():
            for one in self.by_type.get(type_, ()):
                yield from claim(self, one)

    def _cancelled(self) -> Iterator[Contradiction]:
        """Yield wins, losses, rake and pots that a cancelled hand claims: everybody got their chips back."""
        for one in self.hand.told:
            match one:
                case statements.Won(amount=amount) if amount:
                    yield Contradiction(one.line, f"that {one.name} wins {self._chips(amount)}", "a cancelled hand")
                case statements.Summed(won=won, net=net) if won or net:
                    yield Contradiction(one.line, f"that {one.name} won", "a cancelled hand")
                case statements.Totals(rake=rake) if rake:
                    yield Contradiction(one.line, f"a rake of {self._chips(rake)}", "a cancelled hand")
                case statements.Totals(pot=pot) if pot:
                    yield Contradiction(one.line, f"a pot of {self._chips(pot)}", "a cancelled hand")
                case _:
                    pass

    def _chips(self, amount: int) -> str:
        return say_amount(amount, self.hand.currency)

    def _amount(self, line: int, what: str, says: int, implied: int) -> Iterator[Contradiction]:
        if says != implied:
            yield Contradiction(line, f"{what} {self._chips(says)}", self._chips(implied))

    def _seat(self, name: str) -> int:
        return self.seating.seats.get(name, 0)

    @property
    def last_choice(self) -> int:
        """The line of the last choice, or the hand's first line if nobody chose."""
        return max((one.line for one in self._all(*_CHOICES)), default=self.hand.first_line)

    def _ending_line(self) -> int:
        """Return the line of the first statement after the last choice, where a missing statement is reported."""
        last = self.last_choice
        return min((one.line for one in self.hand.told if one.line > last), default=self.hand.last_line)

    def _twice(self) -> Iterator[Contradiction]:
        """Yield repetitions of statements that can be made only once."""
        seen: set[tuple[object, ...]] = set()
        for type_, once in _ONCE.items():
            for one in self.by_type.get(type_, ()):
                key = (type_ if type_ not in _ENDS else statements.Showed, *once(one))
                if key in seen:
                    yield Contradiction(one.line, "what is told already", "that it is told once")
                seen.add(key)

    # Chips.

    def _posts(self) -> Iterator[Contradiction]:
        posted: dict[int, int] = defaultdict(int)
        for one in self._all(statements.Posted):
            seat = self._seat(one.name)
            posted[seat] += one.amount
            if posted[seat] > self.done.posted.get(seat, 0):
                due = self.done.posted.get(seat, 0) - posted[seat] + one.amount
                yield from self._amount(one.line, f"that {one.name} posts", one.amount, max(due, 0))
        for seat, amount in self.done.posted.items():
            if posted[seat] < amount:
                first = min((one.line for one in self.hand.told if not isinstance(one, statements.Posted)), default=0)
                name = self.seating.name(seat)
                owed = self._chips(amount - posted[seat])
                yield Contradiction(first, f"nothing of what {name} posts", f"that {name} posts {owed} before")

    def _returns(self) -> Iterator[Contradiction]:
        returned: dict[int, int] = defaultdict(int)
        for one in self._all(statements.Returned):
            seat = self._seat(one.name)
            returned[seat] += one.amount
            due = self.done.returned.get(seat, 0) - returned[seat] + one.amount
            yield from self._amount(one.line, f"that {one.name} takes back", one.amount, max(due, 0))
        if self.customs.returns:
            for seat, amount in self.done.returned.items():
                if not returned[seat] and amount:
                    name = self.seating.name(seat)
                    yield Contradiction(
                        self._ending_line(),
                        "nothing of what nobody called",
                        f"that {name} takes back {self._chips(amount)} before",
                    )

    def _wins(self) -> Iterator[Contradiction]:
        told_: dict[tuple[int, int | None], int] = defaultdict(int)
        last = 0
        for one in self._all(statements.Won):
            last = max(last, one.line)
            seat = self._seat(one.name)
            back = self.done.returned.get(seat, 0) if one.uncalled_too and not told_[seat, None] else 0
            amount = one.amount - back
            told_[seat, None] += amount
            paid = self.done.won_by(seat)
            if one.pot is not None and one.pot + 1 not in self.done.eligible:
                yield Contradiction(one.line, f"a payment of side pot {one.pot}", "that there is no such pot")
            if one.pot is not None and len(self.done.pots) > 1:
                pot = one.pot + 1
                told_[seat, pot] += amount
                due = self.done.won.get((seat, pot), 0) - told_[seat, pot] + amount
            else:
                due = paid - told_[seat, None] + amount
            yield from self._amount(one.line, f"that {one.name} wins", one.amount, max(due, 0) + back)
        if self.customs.wins:
            told_so = any(
                one.rake == self.done.rake for one in self._all(statements.Totals)
            )  # a house may take all of a pot
            for pot, raked in self.done.raked.items():
                if not self.done.pots.get(pot) and not told_so:
                    paid_out = f"that a pot of {self._chips(raked)} is paid before"
                    yield Contradiction(self._summary_line(last), "nothing of who wins a pot", paid_out)
            for seat in {seat for seat, _ in self.done.won}:
                if told_[seat, None] < self.done.won_by(seat):
                    name, line = self.seating.name(seat), self._summary_line(last)
                    missing = self._chips(self.done.won_by(seat) - told_[seat, None])
                    yield Contradiction(line, f"nothing of what {name} wins", f"that {name} wins {missing} more")

    def _summary_line(self, after: int) -> int:
        """Return the first line of the summary, before which all winners must be stated."""
        later = (
            one.line
            for one in self._all(statements.Totals, statements.StatedPot, statements.Summed)
            if one.line > after
        )
        return min(later, default=self.hand.last_line)

    # The draw.

    def _draws(self) -> Iterator[Contradiction]:
        """Yield reshuffles where the deck does not run out, and missing reshuffles where it does."""
        due = self.done.reshuffled
        shuffles = self._all(statements.Reshuffled)
        for number, shuffle in enumerate(shuffles):
            if not self._runs_out(shuffle, due[number] if number < len(due) else None):
                yield Contradiction(shuffle.line, "that the deck is reshuffled", "that it does not run out here")
        if self.customs.reshuffles:
            for number, reshuffle in enumerate(due):
                line = self._not_served(reshuffle)
                late = self.customs.draws == "together" and number < len(shuffles) and shuffles[number].line > line
                if number >= len(shuffles) or late:
                    yield Contradiction(line, "nothing of the deck", "that it runs out, and is reshuffled before")

    def _runs_out(self, shuffle: statements.Reshuffled, due: Reshuffle | None) -> bool:
        """Return whether the deck runs out at a reshuffle of the text, or right before or after it."""
        if self.customs.draws == "as_told":  # in PHH and OHH the deck of the program that wrote the file is unknown
            return True
        if due is None:
            return False
        if self.customs.draws == "in_turn":
            discards = sum(one.line < shuffle.line for one in self._all(statements.Discarded))
            return discards == due.discards - self.customs.reshuffles_first
        draws = self._all(statements.Drew)
        if sum(one.count or 0 for one in draws) != self.done.drawn:  # the text leaves out some draws
            return True
        before = sum(one.count or 0 for one in draws if one.line < shuffle.line)
        following = next((one.count or 0 for one in draws if one.line > shuffle.line), 0)
        return before + following > due.drawn

    def _not_served(self, reshuffle: Reshuffle) -> int:
        """Return the line of the player for whom the deck runs out."""
        if self.customs.draws == "in_turn":
            return self._all(statements.Discarded)[reshuffle.discards - 1].line
        served = 0
        for one in self._all(statements.Drew):
            served += one.count or 0
            if served > reshuffle.drawn:
                return one.line
        return self._ending_line()

    def _endings(self) -> Iterator[Contradiction]:
        """Yield players who neither show nor muck in a showdown, and chips returned after the hand has ended."""
        ends = self._all(statements.Won, statements.Showed, statements.Mucked, statements.NotShown)
        if returned := self._all(statements.Returned):
            for end in ends:
                later = next((one for one in returned if one.line > end.line), None)
                if later is not None:
                    yield Contradiction(end.line, "how it ended", f"that {later.name} takes back something first")
        for one in (*ends, *self._all(statements.Dealt)):
            if one.name not in self.seating.seats:
                yield Contradiction(one.line, f"something of {one.name}", f"that {one.name} was not dealt in")
        if self.customs.shows and self.done.contested:
            told_ = {one.name for one in [*self._all(statements.Showed), *self._all(statements.Mucked)]}
            for seat, player in enumerate(self.seating.players, 1):
                if seat not in self.done.folded and player.name not in told_:
                    line = self._summary_line(self.last_choice)
                    yield Contradiction(line, "how it ended", f"that {player.name} shows or mucks before")

    # One statement.

    def _pot_so_far(self, one: statements.PotSoFar) -> Iterator[Contradiction]:
        yield from self._amount(one.line, "a pot of", one.amount, sum(self.done.before_draw) or self.done.all_pots)
        if one.pots:
            yield from self._amount(one.line, "pots that come to", sum(one.pots), one.amount)
            if sum(one.pots) == one.amount and one.pots != (pots := self.done.before_draw) and pots:
                says, implied = (" and ".join(map(self._chips, amounts)) for amounts in (one.pots, pots))
                yield Contradiction(one.line, f"pots of {says}", f"pots of {implied}")

    def _pot_told(self, one: statements.StatedPot) -> Iterator[Contradiction]:
        pot, done = one.pot + 1, self.done
        yield from self._amount(one.line, "a pot of", one.amount, done.pots[pot] + done.raked[pot])

    def _not_shown(self, one: statements.NotShown) -> Iterator[Contradiction]:
        seat, folded = self._seat(one.name), self.done.folded
        if seat in folded or self.done.contested:
            why = f"that {one.name} folded" if seat in folded else "that others are still in"
            yield Contradiction(one.line, f"that {one.name} need not show", why)

    def _dealt(self, one: statements.Dealt | statements.Drew) -> Iterator[Contradiction]:
        if one.called is not None:
            hand = one.cards if isinstance(one, statements.Dealt) else one.hand
            yield from self._name(one.line, one.name, one.called, hand or ())
        if isinstance(one, statements.Drew):
            yield from oddly_counted(one)

    def _showed(self, one: statements.Showed) -> Iterator[Contradiction]:
        yield from self._still_in(one, "shows a hand")
        yield from self._name(one.line, one.name, one.called, one.cards)

    def _mucked(self, one: statements.Mucked) -> Iterator[Contradiction]:
        yield from self._still_in(one, "mucks a hand")
        yield from self._name(one.line, one.name, one.called, one.cards or ())
        if self.done.won_by(self._seat(one.name)) and self.done.contested:
            yield Contradiction(one.line, f"that {one.name} mucks", f"that {one.name} wins")

    def _won(self, one: statements.Won) -> Iterator[Contradiction]:
        yield from self._name(one.line, one.name, one.called, self.done.hands.get(self._seat(one.name), ()))
        yield from self._has_shown(one)

    def _has_shown(self, one: statements.Won) -> Iterator[Contradiction]:
        """Yield a finding if the hand of a winner at a showdown is not shown, at sites that always write that line."""
        if not self.customs.shows or not self.done.contested:
            return
        shown = {other.name for other in self._all(statements.Showed) if other.line < one.line}
        if one.name not in shown:
            yield Contradiction(one.line, f"that {one.name} wins", f"that {one.name} has not shown a hand")

    def _still_in(self, one: statements.PlayerStatement, does: str) -> Iterator[Contradiction]:
        if self._seat(one.name) in self.done.folded:
            yield Contradiction(one.line, f"that {one.name} {does}", f"that {one.name} folded")

    def _name(
        self, line: int, name: str, called: str | None, cards: Sequence[AnyCard | None]
    ) -> Iterator[Contradiction]:
        if not called or not all_known(cards) or not len(cards) == len(set(cards)) == HAND:
            return
        if contradicts(called, hand := Hand(cards)):
            yield Contradiction(line, f"that {name} has {called}", f"that {name} has {in_words(hand)}")

    def _totals(self, one: statements.Totals) -> Iterator[Contradiction]:
        done = self.done
        if one.pot is not None:
            yield from self._amount(one.line, "a total pot of", one.pot, done.all_pots)
        if one.rake is not None:
            yield from self._amount(one.line, "a rake of", one.rake, done.all_pots - sum(done.pots.values()))
        if one.rakes and one.rakes != (raked := tuple([done.raked[pot] for pot in sorted(done.pots)])):
            says, implied = (" and ".join(map(self._chips, rakes)) for rakes in (one.rakes, raked))
            yield Contradiction(one.line, f"a rake of {says}", implied)
        if one.pots:
            paid = [done.pots[pot] for pot in sorted(done.pots)]
            before = [done.pots[pot] + done.raked[pot] for pot in sorted(done.pots)]
            if list(one.pots) not in (paid, before):  # some sites give pots after rake, others before it
                says, implied = (" and ".join(map(self._chips, pots)) for pots in (one.pots, paid))
                yield Contradiction(one.line, f"pots of {says}", f"pots of {implied} after rake")

    # The summary.

    def _summed(self, one: statements.Summed) -> Iterator[Contradiction]:
        done, seat, name = self.done, self._seat(one.name), one.name
        yield from self._place(one)
        if not seat:
            stack = None if (player := self.players.get(name)) is None else player.stack
            if one.won or one.net or one.outcome not in (None, "sat_out") or one.stack not in (None, stack):
                yield Contradiction(one.line, f"something of {name}", f"that {name} was not dealt in")
            return
        if one.outcome == "sat_out":
            yield Contradiction(one.line, f"that {name} sat out", f"that {name} was dealt in")
        if one.won is not None and one.won != done.won_by(seat):
            yield from self._amount(one.line, f"that {name} won", one.won, done.won_by(seat))
        if one.net is not None:
            yield from self._amount(
                one.line, f"a net result of {name} of", one.net, done.after[seat] - done.before[seat]
            )
        if one.stack is not None and one.stack != done.after[seat]:
            yield from self._amount(one.line, f"that {name} has", one.stack, done.after[seat])
        if one.cards:
            yield from self._name(one.line, name, one.called, one.cards)
            yield from self._still_in(one, "had a hand at the end")
        if one.outcome is not None:
            yield from self._outcome(one, one.outcome, seat)

    def _outcome(self, one: statements.Summed, outcome: str, seat: int) -> Iterator[Contradiction]:
        done, name = self.done, one.name
        folded = None
        if seat in done.folded:
            folded = "folded_before_draw" if done.folded[seat] else "folded_after_draw"
        implied = {"folded_before_draw": "folded before the draw", "folded_after_draw": "folded after the draw"}
        if folded is not None and outcome != folded:
            yield Contradiction(one.line, f"that {name} {_said(outcome)}", f"that {name} {implied[folded]}")
        elif folded is None and outcome in implied:
            yield Contradiction(one.line, f"that {name} {_said(outcome)}", f"that {name} did not fold")
        elif outcome in ("collected", "showed") and not done.won_by(seat) and (outcome, one.won) != ("collected", 0):
            yield Contradiction(one.line, f"that {name} won", f"that {name} won nothing")
        elif outcome in ("lost", "mucked") and done.won_by(seat):
            yield Contradiction(one.line, f"that {name} {_said(outcome)}", f"that {name} won")
        elif outcome in ("showed", "lost", "mucked", "collected") and self.customs.shows:
            yield from self._how_it_ended(one, outcome)
        beside_ante = done.put[seat] - min(done.put[seat], self.hand.ante)
        if one.did_not_bet is not None and one.did_not_bet != (outcome == "folded_before_draw" and not beside_ante):
            says, why = ("did not bet", "put in") if one.did_not_bet else ("bet", "did not, and put in")
            yield Contradiction(one.line, f"that {name} {says}", f"that {name} {why} {self._chips(done.put[seat])}")

    def _how_it_ended(self, one: statements.Summed, outcome: str) -> Iterator[Contradiction]:
        """Yield a finding if a summary's outcome does not fit the end, or states a show or muck that has no line."""
        showed = any(other.name == one.name for other in self._all(statements.Showed))
        mucked = any(other.name == one.name for other in self._all(statements.Mucked))
        if (outcome == "collected") == self.done.contested and outcome != "showed":
            yield Contradiction(one.line, f"that {one.name} {_said(outcome)}", "another end of the hand")
        elif (outcome in ("showed", "lost") and not showed) or (outcome == "mucked" and not mucked):
            yield Contradiction(one.line, f"that {one.name} {_said(outcome)}", "that no line before says so")

    def _place(self, one: statements.Summed) -> Iterator[Contradiction]:
        """Yield a wrong seat number, and the button or a blind that is ascribed to the wrong player."""
        name, player = one.name, self.players.get(one.name)
        if player is None:
            return
        if one.number is not None and one.number != player.number:
            yield Contradiction(one.line, f"that {name} has seat {one.number}", f"seat {player.number}")
        if not self.tells_positions or not self._seat(name):
            return
        if ("button" in one.position) != (player.number == self.hand.button):
            where = "has" if "button" in one.position else "does not have"
            found = "that nobody does" if self.hand.button is None else f"that seat {self.hand.button} has it"
            yield Contradiction(one.line, f"that {name} {where} the button", found)
        for kind, what in (("small", "the small blind"), ("big", "the big blind")):
            posted = name in self.blinds[kind]
            if (kind in one.position) != posted:
                had, did = ("did not have", "posted") if posted else ("had", "did not post")
                yield Contradiction(one.line, f"that {name} {had} {what}", f"that {name} {did} it")


_CLAIMS: Final[Mapping[type[statements.Statement], Callable[..., Iterator[Contradiction]]]] = {
    statements.Dealt: _Claims._dealt,
    statements.Discarded: lambda _, one: oddly_counted(one),
    statements.Drew: _Claims._dealt,
    statements.PotSoFar: _Claims._pot_so_far,
    statements.Totals: _Claims._totals,
    statements.StatedPot: _Claims._pot_told,
    statements.NotShown: _Claims._not_shown,
    statements.Showed: _Claims._showed,
    statements.Mucked: _Claims._mucked,
    statements.Won: _Claims._won,
    statements.Summed: _Claims._summed,
}
"""Statement about cards or about the end of the hand → its check."""

_ONCE: Final[Mapping[type[statements.Statement], Callable[..., tuple[object, ...]]]] = {
    statements.Dealt: lambda one: (one.name,),
    statements.Showed: lambda one: (one.name,),
    statements.Mucked: lambda one: (one.name,),
    statements.NotShown: lambda one: (one.name,),
    statements.Summed: lambda one: (one.name, one.won is None, one.stack is None),
    statements.Totals: lambda one: (one.pot is None, one.rake is None),
    statements.StatedPot: lambda one: (one.pot,),
    statements.PotSoFar: lambda _: (),
}
"""Type of statement → a function that returns a statement's key; no two statements of a hand may have the same key.

Statements of other types may be repeated.
"""


_ENDS: Final = (statements.Mucked, statements.NotShown)
"""Types of statements; a player has at most one statement of all these types in a hand, and none besides a show."""

_CHOICES = (
    statements.Folded,
    statements.Checked,
    statements.Called,
    statements.Bet,
    statements.Raised,
    statements.Discarded,
    statements.Drew,
)


def _said(outcome: str) -> str:
    return outcome.replace("_", " ").replace("before draw", "before the draw").replace("after draw", "after the draw")
