"""What a text says of the dealer, held to what the engine did: posts, what was returned, shown and paid, and sums."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pokersvc.cards import Hand
from pokersvc.cards.unknown import AnyCard, all_known
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.recorded_events import RecordedCardsDiscarded
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.histories import told
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.finding import Contradiction, say_amount
from pokersvc.histories.following.hand_names import contradicts
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import ToldHand
from pokersvc.text import counted


@dataclass(slots=True)
class HandDone:
    """What the engine did, by seat; amounts in the smallest unit."""

    posted: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    put: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    returned: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    won: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """(seat, pot from 1) → what the pot paid."""
    pots: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Pot from 1 → what it paid, after rake."""
    raked: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Pot from 1 → what the house took of it."""
    folded: dict[int, bool] = field(default_factory=dict)
    """Seat → whether before the draw."""
    discards: int = 0
    reshuffled: list[int] = field(default_factory=list)
    """For each reshuffle, how many had discarded."""
    before_draw: int | None = None
    """The pots when the draw began; None where there was none."""
    hands: dict[int, Sequence[AnyCard | None]] = field(default_factory=dict)
    """The hands at the end."""
    before: dict[int, int] = field(default_factory=dict)
    """Stacks when the hand began."""
    after: dict[int, int] = field(default_factory=dict)

    @property
    def all_pots(self) -> int:
        """Everything that was put in and not returned."""
        return sum(self.put.values()) - sum(self.returned.values())

    @property
    def rake(self) -> int:
        """What the house took."""
        return sum(self.raked.values())

    def won_by(self, seat: int) -> int:
        """Return what all pots paid a seat."""
        return sum(amount for (winner, _), amount in self.won.items() if winner == seat)


def what_was_done(state: DrawPokerState, done: Sequence[Event]) -> HandDone:
    """Return what the events of a hand did."""
    all_ = HandDone()
    for event in done:
        match event:
            case events.AntePosted() | events.BlindPosted() | events.Posted():
                all_.posted[event.seat] += event.amount
                all_.put[event.seat] += event.amount
            case events.Bet() | events.Called() | events.Raised():
                all_.put[event.seat] += event.amount
            case events.Folded():
                all_.folded[event.seat] = all_.before_draw is None
            case RecordedCardsDiscarded() if all_.before_draw is None:
                all_.before_draw = all_.all_pots
                all_.discards += 1
            case events.UncalledBetReturned():
                all_.returned[event.seat] += event.amount
            case RecordedCardsDiscarded():
                all_.discards += 1
            case events.DeckReshuffled():
                all_.reshuffled.append(all_.discards)
            case events.RakeTaken():
                all_.raked[event.pot] += event.amount
            case events.PotAwarded():
                for share in event.shares:
                    all_.won[share.seat, event.pot] += share.amount
                    all_.pots[event.pot] += share.amount
            case _:
                pass
    all_.hands = dict(enumerate(state.hands))
    all_.after = dict(enumerate(state.stacks))
    all_.before = {
        seat: state.stacks[seat] + all_.put[seat] - all_.returned[seat] - all_.won_by(seat)
        for seat in range(1, len(state.stacks))
    }
    return all_


def contradicted_claims(hand: ToldHand, seating: DealtIn, done: HandDone) -> Iterator[Contradiction]:
    """Yield what a text says of the dealer and what did not happen so; and, by its customs, what it leaves out."""
    yield from _Claims(hand, seating, done).contradictions()


class _Claims:
    def __init__(self, hand: ToldHand, seating: DealtIn, done: HandDone) -> None:
        self.hand, self.seating, self.done = hand, seating, done
        self.customs = CONVENTIONS[hand.dialect]
        self.last_choice = max((one.line for one in hand.told if isinstance(one, _CHOICES)), default=hand.first_line)

    def contradictions(self) -> Iterator[Contradiction]:
        if any(isinstance(one, told.Cancelled) for one in self.hand.told):
            yield from self._twice()
            yield from self._cancelled()
            return
        yield from self._twice()
        yield from self._posts()
        yield from self._returns()
        yield from self._draws()
        yield from self._endings()
        yield from self._wins()
        for one in self.hand.told:
            yield from self._claim(one)

    def _cancelled(self) -> Iterator[Contradiction]:
        """Yield what somebody is said to have won, or lost, although everybody has what they had."""
        for one in self.hand.told:
            match one:
                case told.Won(amount=amount) if amount:
                    yield Contradiction(one.line, f"that {one.name} wins {self._chips(amount)}", "a cancelled hand")
                case told.Summed(won=won, net=net) if won or net:
                    yield Contradiction(one.line, f"that {one.name} won", "a cancelled hand")
                case told.Totals(rake=rake) if rake:
                    yield Contradiction(one.line, f"a rake of {self._chips(rake)}", "a cancelled hand")
                case _:
                    pass

    def _chips(self, amount: int) -> str:
        return say_amount(amount, self.hand.currency)

    def _amount(self, line: int, what: str, says: int, implied: int) -> Iterator[Contradiction]:
        if says != implied:
            yield Contradiction(line, f"{what} {self._chips(says)}", self._chips(implied))

    def _seat(self, name: str) -> int:
        return self.seating.seats.get(name, 0)

    def _ending_line(self) -> int:
        """Return the first line after the last choice: where what is missing would have stood."""
        return min((one.line for one in self.hand.told if one.line > self.last_choice), default=self.hand.last_line)

    def _twice(self) -> Iterator[Contradiction]:
        """Yield what can be told once, and is told again."""
        seen: set[tuple[object, ...]] = set()
        for one in self.hand.told:
            if (key := _once(one)) is None:
                continue
            if key in seen:
                yield Contradiction(one.line, "what is told already", "that it is told once")
            seen.add(key)

    # Chips.

    def _posts(self) -> Iterator[Contradiction]:
        posted: dict[int, int] = defaultdict(int)
        for one in self.hand.told:
            if isinstance(one, told.Posted):
                seat = self._seat(one.name)
                posted[seat] += one.amount
                if posted[seat] > self.done.posted.get(seat, 0):
                    due = self.done.posted.get(seat, 0) - posted[seat] + one.amount
                    yield from self._amount(one.line, f"that {one.name} posts", one.amount, max(due, 0))
        first = min((one.line for one in self.hand.told if not isinstance(one, told.Posted)), default=0)
        for seat, amount in self.done.posted.items():
            if posted[seat] < amount:
                name = self.seating.name(seat)
                owed = self._chips(amount - posted[seat])
                yield Contradiction(first, f"nothing of what {name} posts", f"that {name} posts {owed} before")

    def _returns(self) -> Iterator[Contradiction]:
        returned: dict[int, int] = defaultdict(int)
        for one in self.hand.told:
            if isinstance(one, told.Returned):
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
        for one in self.hand.told:
            if isinstance(one, told.Won):
                last = max(last, one.line)
                seat = self._seat(one.name)
                back = self.done.returned.get(seat, 0) if one.uncalled_too and not told_[seat, None] else 0
                amount = one.amount - back
                told_[seat, None] += amount
                paid = self.done.won_by(seat)
                if one.pot is not None and len(self.done.pots) > 1:
                    pot = one.pot + 1
                    told_[seat, pot] += amount
                    due = self.done.won.get((seat, pot), 0) - told_[seat, pot] + amount
                else:
                    due = paid - told_[seat, None] + amount
                yield from self._amount(one.line, f"that {one.name} wins", one.amount, max(due, 0) + back)
        if self.customs.wins:
            for seat in {seat for seat, _ in self.done.won}:
                if told_[seat, None] < self.done.won_by(seat):
                    name, line = self.seating.name(seat), self._summary_line(last)
                    missing = self._chips(self.done.won_by(seat) - told_[seat, None])
                    yield Contradiction(line, f"nothing of what {name} wins", f"that {name} wins {missing} more")

    def _summary_line(self, after: int) -> int:
        """Return the first line of the summary: by there everybody who wins was told."""
        summary = (told.Totals, told.PotTold, told.Summed)
        later = (one.line for one in self.hand.told if isinstance(one, summary) and one.line > after)
        return min(later, default=self.hand.last_line)

    # The draw.

    def _draws(self) -> Iterator[Contradiction]:
        """Yield reshuffles where the deck does not run out."""
        discards = [one.line for one in self.hand.told if isinstance(one, told.Discarded)]
        reshuffles = list(self.done.reshuffled)
        for shuffle in self.hand.told:
            if isinstance(shuffle, told.Reshuffled):
                before = sum(line < shuffle.line for line in discards)
                due = reshuffles.pop(0) if reshuffles else -1
                if self.customs.draws == "in_turn" and before != due - self.customs.reshuffles_first:
                    yield Contradiction(shuffle.line, "that the deck is reshuffled", "that it does not run out here")

    def _endings(self) -> Iterator[Contradiction]:
        """Yield who neither shows nor mucks in a showdown, and chips that come back after a pot is paid."""
        first_won = min((one.line for one in self.hand.told if isinstance(one, told.Won)), default=None)
        for one in self.hand.told:
            if isinstance(one, told.Returned) and first_won is not None and first_won < one.line:
                yield Contradiction(first_won, "that a pot is paid", f"that {one.name} takes back something first")
        if self.customs.shows and len(self.done.folded) < len(self.seating.players) - 1:
            told_ = {one.name for one in self.hand.told if isinstance(one, told.Showed | told.Mucked)}
            for seat, player in enumerate(self.seating.players, 1):
                if seat not in self.done.folded and player.name not in told_:
                    line = self._summary_line(self.last_choice)
                    yield Contradiction(line, "how it ended", f"that {player.name} shows or mucks before")

    # One statement.

    def _claim(self, one: told.Told) -> Iterator[Contradiction]:
        done = self.done
        match one:
            case told.PotSoFar():
                yield from self._amount(one.line, "a pot of", one.amount, done.before_draw or done.all_pots)
            case told.Totals():
                yield from self._totals(one)
            case told.PotTold():
                pot = one.pot + 1
                yield from self._amount(one.line, "a pot of", one.amount, done.pots[pot] + done.raked[pot])
            case told.NotShown():
                seat = self._seat(one.name)
                if seat in done.folded or len(done.folded) != len(self.seating.players) - 1:
                    why = f"that {one.name} folded" if seat in done.folded else "that others are still in"
                    yield Contradiction(one.line, f"that {one.name} need not show", why)
            case told.Showed():
                yield from self._still_in(one, "shows a hand")
                yield from self._name(one.line, one.name, one.called, one.cards)
            case told.Mucked():
                yield from self._still_in(one, "mucks a hand")
                if done.won_by(self._seat(one.name)) and len(done.folded) < len(self.seating.players) - 1:
                    yield Contradiction(one.line, f"that {one.name} mucks", f"that {one.name} wins")
            case told.Won():
                seat = self._seat(one.name)
                yield from self._name(one.line, one.name, one.called, done.hands.get(seat, ()))
                yield from self._has_shown(one)
            case told.Summed():
                yield from self._summed(one)
            case _:
                pass

    def _has_shown(self, one: told.Won) -> Iterator[Contradiction]:
        """Yield that somebody wins a showdown without having shown a hand, where the site tells who shows."""
        if not self.customs.shows or len(self.done.folded) >= len(self.seating.players) - 1:
            return
        shown = {other.name for other in self.hand.told if isinstance(other, told.Showed) and other.line < one.line}
        if one.name not in shown:
            yield Contradiction(one.line, f"that {one.name} wins", f"that {one.name} has not shown a hand")

    def _still_in(self, one: told.Of, does: str) -> Iterator[Contradiction]:
        if self._seat(one.name) in self.done.folded:
            yield Contradiction(one.line, f"that {one.name} {does}", f"that {one.name} folded")

    def _name(
        self, line: int, name: str, called: str | None, cards: Sequence[AnyCard | None]
    ) -> Iterator[Contradiction]:
        if not called or not all_known(cards) or len(set(cards)) != 5:
            return
        if contradicts(called, hand := Hand(cards)):
            yield Contradiction(line, f"that {name} has {called}", f"that {name} has {hand.describe()}")

    def _totals(self, one: told.Totals) -> Iterator[Contradiction]:
        done = self.done
        if one.pot is not None:
            yield from self._amount(one.line, "a total pot of", one.pot, done.all_pots)
        if one.rake is not None:
            yield from self._amount(one.line, "a rake of", one.rake, done.all_pots - sum(done.pots.values()))
        if one.pots:
            paid = [done.pots[pot] for pot in sorted(done.pots)]
            before = [done.pots[pot] + done.raked[pot] for pot in sorted(done.pots)]
            if list(one.pots) not in (paid, before):  # sites tell them after rake, or before it
                says, implied = (" and ".join(map(self._chips, pots)) for pots in (one.pots, paid))
                yield Contradiction(one.line, f"pots of {says}", f"pots of {implied} after rake")

    # The summary.

    def _summed(self, one: told.Summed) -> Iterator[Contradiction]:
        done, seat, name = self.done, self._seat(one.name), one.name
        player = next((player for player in self.hand.players if player.name == name), None)
        if one.number is not None and player is not None and one.number != player.number:
            yield Contradiction(one.line, f"that {name} has seat {one.number}", f"seat {player.number}")
        if not seat:
            if one.won or one.net or (one.outcome not in (None, "sat_out")):
                yield Contradiction(one.line, f"something of {name}", f"that {name} was not dealt in")
            return
        if one.outcome == "sat_out":
            yield Contradiction(one.line, f"that {name} sat out", f"that {name} was dealt in")
        if one.won is not None:
            yield from self._amount(one.line, f"that {name} won", one.won, done.won_by(seat))
        if one.net is not None:
            yield from self._amount(
                one.line, f"a net result of {name} of", one.net, done.after[seat] - done.before[seat]
            )
        if one.stack is not None:
            yield from self._amount(one.line, f"that {name} has", one.stack, done.after[seat])
        if one.cards:
            yield from self._name(one.line, name, one.called, one.cards)
            yield from self._still_in(one, "had a hand at the end")
        yield from self._outcome(one, seat)
        yield from self._position(one, seat)

    def _outcome(self, one: told.Summed, seat: int) -> Iterator[Contradiction]:
        done, name = self.done, one.name
        folded = None
        if seat in done.folded:
            folded = "folded_before_draw" if done.folded[seat] else "folded_after_draw"
        implied = {"folded_before_draw": "folded before the draw", "folded_after_draw": "folded after the draw"}
        if one.outcome is None:
            return
        if folded is not None and one.outcome != folded:
            yield Contradiction(one.line, f"that {name} {_said(one.outcome)}", f"that {name} {implied[folded]}")
        elif folded is None and one.outcome in implied:
            yield Contradiction(one.line, f"that {name} {_said(one.outcome)}", f"that {name} did not fold")
        elif one.outcome in ("collected", "showed") and not done.won_by(seat):
            yield Contradiction(one.line, f"that {name} won", f"that {name} won nothing")
        elif one.outcome in ("lost", "mucked") and done.won_by(seat):
            yield Contradiction(one.line, f"that {name} {_said(one.outcome)}", f"that {name} won")
        if one.did_not_bet and done.put[seat] > self.hand.ante:
            yield Contradiction(
                one.line, f"that {name} did not bet", f"that {name} put in {self._chips(done.put[seat])}"
            )

    def _position(self, one: told.Summed, seat: int) -> Iterator[Contradiction]:
        number = self.seating.players[seat - 1].number
        if ("button" in one.position) != (number == self.hand.button) and self._tells_positions():
            where = "has" if "button" in one.position else "does not have"
            yield Contradiction(one.line, f"that {one.name} {where} the button", f"that seat {self.hand.button} has it")
        for kind, said in (("small", "the small blind"), ("big", "the big blind")):
            if kind in one.position and not any(
                isinstance(post, told.Posted) and post.name == one.name and post.kind in (kind, "both")
                for post in self.hand.told
            ):
                yield Contradiction(one.line, f"that {one.name} had {said}", f"that {one.name} did not post it")

    def _tells_positions(self) -> bool:
        return any(isinstance(one, told.Summed) and one.position for one in self.hand.told)


def _once(one: told.Told) -> tuple[object, ...] | None:
    """Return what of a statement can be told once in a hand; None where it may come again."""
    match one:
        case told.Posted(name=name, kind=kind):
            return (type(one), name, kind)
        case told.Showed(name=name) | told.Mucked(name=name) | told.NotShown(name=name):
            return (type(one), name)
        case told.Summed(name=name, won=won, stack=stack):
            return (type(one), name, won is None, stack is None)
        case told.Totals(pot=pot, rake=rake):
            return (type(one), pot is None, rake is None)
        case told.PotTold(pot=pot):
            return (type(one), pot)
        case told.PotSoFar():
            return (type(one),)
        case _:
            return None


_CHOICES = (told.Folded, told.Checked, told.Called, told.Bet, told.Raised, told.Discarded, told.Drew)


def _said(outcome: str) -> str:
    return outcome.replace("_", " ").replace("before draw", "before the draw").replace("after draw", "after the draw")


def cards_said(count: int) -> str:
    """Return how many cards, in words."""
    return counted(count, "card")
