"""The betting part of a game's state: chips, who is in, whose turn it is, and what follows directly from these.

Seats count from 1; lists by seat have an unused place 0. Sets of seats are those of `pokersvc.betting.seats`. Amounts
are chips. The *price* is the amount that a seat must have put into a betting round to stay in; a seat faces a bet when
it has put in less.
"""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from pokersvc.betting.cash_seats import CashSeats
from pokersvc.betting.events import OfSeat
from pokersvc.betting.seats import fewer_than_two, has, seats_in
from pokersvc.betting.terms import NOTHING_STATED, FirstRound, PostDue, StreetTerms, Terms
from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.seats import OPEN, Seat


class Pot(NamedTuple):
    """A main or side pot: its chips, and the set of seats that may win them."""

    amount: int
    eligible: int


def pots_of(total: int, staked: Sequence[int], live: int) -> list[Pot]:
    """Return the main pot and the side pots, one for each level that a seat still in has staked.

    ``staked`` is what each seat has put in this round, by seat; ``total`` also includes chips carried from earlier
    rounds and chips left by players who are out, which belong to the main pot.

    >>> pots_of(60, [0, 10, 20, 20, 10], 0b01110)
    [Pot(amount=40, eligible=14), Pot(amount=20, eligible=12)]
    >>> pots_of(65, [0, 10, 20, 20, 10], 0b01110)
    [Pot(amount=45, eligible=14), Pot(amount=20, eligible=12)]
    """
    different = {staked[seat] for seat in seats_in(live)}
    if len(different) < 2:
        return [Pot(total, live)]
    pots = []
    below, rest = 0, total - sum(staked)
    for level in sorted(different):
        amount = rest + sum(min(stake, level) - min(stake, below) for stake in staked)
        rest = 0
        eligible = sum(1 << seat for seat in seats_in(live) if staked[seat] >= level)
        if amount:
            pots.append(Pot(amount, eligible))
        below = level
    paid = sum(pot.amount for pot in pots)
    if pots and paid < total:  # a folded seat staked more than the highest stake still in
        pots[-1] = Pot(pots[-1].amount + total - paid, pots[-1].eligible)
    return pots or [Pot(total, live)]


def uncalled_of(staked: Sequence[int]) -> tuple[int, int] | None:
    """Return the index of the largest of two or more stakes, and its lead over the second; None for a tie.

    >>> uncalled_of([0, 10, 30, 20]), uncalled_of([0, 20, 20])
    ((2, 10), None)
    """
    second, most = sorted(staked)[-2:]
    return (staked.index(most), most - second) if most > second else None


class BettingState:
    """The betting part of a game's state. Only the functions of this package, and the game's own, change it.

    Nothing here calls the game's own code: functions return what the game needs to go on.
    """

    __slots__ = (
        "acted", "actor", "aggressor", "all_in", "ante", "began", "bets", "big_blind", "bomb_pots", "brought",
        "button", "cash", "cash_seats", "closed", "cursor", "forgone", "former", "level", "live", "names",
        "out", "owes_big", "owes_small", "pending", "persons", "posts", "pot", "pots", "price", "put",
        "rake_due", "raked", "round", "rounds", "seated", "seats", "small_blind", "stacks", "staked",
        "stakes_since", "stated", "step", "street_terms", "taken", "terms", "two", "uncapped", "won",
    )  # fmt: skip

    def __init__(
        self,
        terms: Terms,
        street: StreetTerms,
        seats: tuple[Seat, ...],
        stacks: list[int],
        *,
        persons: int = 0,
        out: int = 0,
        rounds: int | None = None,
        stated: FirstRound = NOTHING_STATED,
    ) -> None:
        """Set up the state before the first round; ``street`` has the terms of the first street of a round."""
        self.terms = terms
        self.stated = stated
        self.seats = seats
        """The players, in the order of seats; one who has got up stays listed until somebody else takes the seat."""
        self.names = ("", *[seat.name for seat in seats])
        self.persons = persons
        """The seats of people, including open ones."""
        self.rounds = rounds
        self.stacks = stacks
        self.began = tuple(stacks)
        """The chips that each seat began with."""
        self.cash = terms.cash
        """Whether people may sit down, get up and buy chips between rounds."""
        self.seated = (2 << len(seats)) - 2
        if self.cash:  # a seat without chips is open
            self.seated = sum(1 << seat for seat, stack in enumerate(stacks) if stack)
        self.out = out
        """Seats that sit out."""
        self.cash_seats = CashSeats([0] * len(stacks))
        """The people of a cash game besides the chips in their stacks."""
        self.owes_small = self.owes_big = 0
        """Seats that owe a missed small blind, and seats that owe a missed big blind."""
        self.brought = [0] * len(stacks)
        """The chips that each seat has brought to the table since the game began."""
        self.taken = [0] * len(stacks)
        """The chips that each seat has taken from the table since the game began."""
        self.former = [0] * len(stacks)
        """The net result of all earlier holders of each seat."""
        self.raked = 0
        """The chips that the house has kept."""
        self.round = self.ante = self.button = self.pot = 0
        self.stakes_since = 0
        """The number of rounds that had been played when the amounts of the terms came into force."""
        self.small_blind = self.big_blind = 0
        """The seats of the blinds in this round or, between rounds, in the last round.

        With a dead button, the small blind's seat may be empty."""
        self.two = 0
        """The two seats dealt into the current or last round, if that round is heads-up; else no seats.

        Always no seats unless `Terms.waits_after_heads_up`."""
        self.bomb_pots: tuple[int, ...] = ()
        """The rounds that are announced as bomb pots, from the current one on, in order."""
        self.closed = False
        """Whether the game was closed: no more rounds are played, even if more were planned."""
        BettingState.clear_round(self, street)  # a subclass has yet to make the attributes that it adds

    def __eq__(self, other: object) -> bool:
        """Return whether all attributes of betting are equal; a subclass also compares its own attributes."""
        if not isinstance(other, BettingState):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in BettingState.__slots__)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def clear_round(self, street: StreetTerms) -> None:
        """Reset everything about the round, but keep stacks, pot and seats; the next round begins with ``street``."""
        places = len(self.stacks)
        self.live = self.pending = self.all_in = self.actor = self.cursor = 0
        self.staked = [0] * places
        """The chips that each seat has put in this round."""
        self.forgone = 0
        """Seats that had to fold because they gave no share to the shuffle."""
        self.won = [0] * places
        self.pots: list[Pot] = []
        self.posts: tuple[PostDue, ...] = ()
        """The posts still due, in a game that determines them when the round begins (`blinds.open_round`)."""
        self.rake_due = 0
        self.street_terms = street
        self.clear_betting()

    def clear_betting(self) -> None:
        """Reset everything about the betting round."""
        places = len(self.stacks)
        self.put = [0] * places
        """The chips that each seat has put in this betting round."""
        self.acted = [-1] * places
        """For each seat, the price to stay in when it last acted in this betting round; -1 if it has not acted."""
        self.price = self.level = self.bets = self.aggressor = 0
        self.step = 0
        self.uncapped = False

    # Between rounds

    def price_to_stay(self) -> int:
        """Return the minimum stack to be dealt into another round."""
        terms = self.terms
        return max(terms.stay, terms.ante + terms.ante_increase * (self.round - self.stakes_since))

    def sitting(self) -> int:
        """Return the seats that can be dealt into a round."""
        if not self.terms.only_who_can_pay:
            return self.seated
        price = max(self.price_to_stay(), 1)
        return sum(1 << seat for seat in seats_in(self.seated & ~self.out) if self.stacks[seat] >= price)

    def owing(self, sitting: int) -> int:
        """Return the seats of ``sitting`` that owe a missed blind; empty if only two sit or fewer than two owe nothing.

        After a heads-up round, the seats that were not in it owe a blind too: they post nothing extra, but wait for
        the big blind.
        """
        owing = sitting & (self.owes_small | self.owes_big | (~self.two if self.two else 0))
        return 0 if sitting.bit_count() == 2 or fewer_than_two(sitting & ~owing) else owing

    def pauses(self) -> bool:
        """Return whether the game now pauses between two rounds, so that people may leave or join.

        Outside cash games, players who cannot go on must be out first, unless `Terms.pauses_for_all`.
        """
        if self.cash:
            if not self.round or not self.persons or self.rounds_played() or self.cash_seats.admitted:
                return False
            if self.bomb_pot_due is not None:
                return False
            return self.persons & self.seated > 0 or (self.terms.people_come_to_programs and not self.ending())
        if not self.round or not self.persons & self.seated or self.ending():
            return False
        if self.terms.pauses_for_all:
            return True
        price = self.price_to_stay()
        return all(self.stacks[seat] >= price for seat in seats_in(self.seated)) and any(
            self.stacks[seat] for seat in seats_in(self.persons & self.seated)
        )

    def ending(self) -> bool:
        """Return whether the game ends before another round."""
        return self.rounds_played() or not self.two_able(self.price_to_stay())

    def rounds_played(self) -> bool:
        """Return whether all planned rounds have been played, or the game was closed."""
        return self.closed or (self.rounds is not None and self.round >= self.rounds)

    def two_able(self, price: int) -> bool:
        """Return whether two or more players, not sitting out, have at least ``price`` chips, and at least one chip."""
        least = max(price, 1)
        return len([seat for seat in seats_in(self.seated & ~self.out) if self.stacks[seat] >= least]) >= 2

    def net(self) -> list[int]:
        """Return the net result of each seat's current holder, by seat; place 0 is unused."""
        parts = zip(self.stacks, self.taken, self.brought, self.began, self.former, strict=True)
        return [stack + taken - brought - first - former for stack, taken, brought, first, former in parts]

    @property
    def still_open(self) -> tuple[int, ...]:
        """The seats at which nobody has sat yet."""
        return tuple([seat for seat, who in enumerate(self.seats, 1) if who.kind == OPEN])

    def leaders(self) -> tuple[int, ...]:
        """Return the winners if the game ends now: the best net results in a cash game, else the largest stacks.

        Stacks are compared among the seated players if `Terms.winners_sit`, or among all if nobody is seated.
        """
        if self.cash:
            net, nobodys = self.net(), self.still_open
            held = [seat for seat in range(1, len(net)) if seat not in nobodys]
            most = max(net[seat] for seat in held)
            return tuple([seat for seat in held if net[seat] == most])
        sitting = seats_in(self.seated) if self.terms.winners_sit else ()
        among = sitting or range(1, len(self.stacks))
        stacks = self.stacks
        largest = max([stacks[seat] for seat in among])
        return tuple([seat for seat in among if stacks[seat] == largest])

    @property
    def small_blind_missing(self) -> bool:
        """Whether nobody has the small blind: with a dead button, its seat may be empty."""
        return self.small_blind != 0 and not has(self.seated, self.small_blind) and not self.is_bomb_pot

    @property
    def bomb_pot_next(self) -> bool:
        """Whether the next round is a bomb pot."""
        return self.round + 1 in self.bomb_pots

    @property
    def bomb_pot_due(self) -> int | None:
        """The round after the next, if the dealer must now, after a round, announce it as a bomb pot; else None."""
        every, round_ = self.terms.at_cash.bomb_every, self.round + 2
        if every is None or round_ % every or round_ in self.bomb_pots:
            return None
        return None if self.rounds is not None and round_ > self.rounds else round_

    @property
    def is_bomb_pot(self) -> bool:
        """Whether the current or last round is a bomb pot."""
        return self.round in self.bomb_pots

    # In a round

    def must_fold(self, seat: int) -> bool:
        """Return whether folding is the only legal choice of the seat to act, which then folds without being asked."""
        if self.terms.all_in:  # a short seat goes all in instead
            return False
        stack, owed = self.stacks[seat], self.price - self.put[seat]
        if owed > 0:
            return stack < owed
        street = self.street_terms
        return not street.may_check and stack < street.least

    @property
    def capped(self) -> bool:
        """Whether this betting round has had the maximum number of bets and raises, so that nobody may raise again."""
        most = self.street_terms.most_bets
        return most is not None and self.bets >= most and not self.uncapped

    def able(self) -> int:
        """Return the seats still in that have chips to bet."""
        return self.live & ~self.all_in

    @property
    def only_one_left(self) -> bool:
        """Whether all seats but one have folded or left in this round."""
        return fewer_than_two(self.live)

    def settle_price(self) -> None:
        """Lower the price of staying in to the most that any seat still in has put in, if fewer than two can bet.

        The price exceeds that amount only while a short big blind counts in full, for the players who can still bet.
        """
        if self.terms.price_settles and fewer_than_two(self.able()):
            self.price = max((self.put[seat] for seat in seats_in(self.live)), default=0)

    def nobody_left(self) -> bool:
        """Return whether nobody is left to act: fewer than two seats have chips, and no seat with chips faces a bet."""
        able = self.able()
        return fewer_than_two(able) and all(self.put[seat] >= self.price for seat in seats_in(able))

    def uncalled(self) -> tuple[int, int] | None:
        """Return the seat and amount of an uncalled bet; None without one, or if players cannot be all in.

        The bet of a seat that forwent the round is not returned.
        """
        if not self.terms.all_in:
            return None
        found = uncalled_of(self.staked)
        return found if found is not None and not has(self.forgone, found[0]) else None

    def measure_raise(self, price: int) -> None:
        """Update the minimum of the next raise after a bet or raise or, with a fixed limit, the number of bets."""
        if self.terms.raises == "fixed_limit":
            if (price - self.level) * 2 >= self.step:  # half a unit or more counts as a raise
                self.level = price
                self.bets += 1
        else:
            self.step = max(self.step, price - self.price)

    def levels(self) -> list[Pot]:
        """Return the main pot and the side pots so far: a new pot begins above each amount that put a seat all in."""
        found: list[Pot] = []
        for amount, eligible in pots_of(self.pot, self.staked, self.live):
            same = found and found[-1].eligible & self.all_in == eligible & self.all_in
            below = found.pop().amount if same else 0
            found.append(Pot(below + amount, eligible))
        return found

    def several_pots(self) -> bool:
        """Return whether the round has side pots, even if some of them were already awarded."""
        return self.terms.all_in and len({self.staked[seat] for seat in seats_in(self.live)}) > 1


# Refusals of events that are impossible under any terms; they come before anything is changed


def exists(state: BettingState, event: object, seat: int) -> None:
    """Raise `ImpossibleEvent` if the seat of an event does not exist in the game."""
    if seat > len(state.seats):
        raise ImpossibleEvent(event, f"there is no seat {seat}")


def not_one_of(event: OfSeat, which: str) -> NoReturn:
    """Raise `ImpossibleEvent`, saying that the event's seat is not what ``which`` says, such as "in the round"."""
    raise ImpossibleEvent(event, f"seat {event.seat} is not {which}")


def not_in_turn(state: BettingState, event: OfSeat) -> NoReturn:
    """Raise `ImpossibleEvent` with the message that the event's seat is not the seat to act."""
    whose = f"seat {state.actor}" if state.actor else "the dealer"
    raise ImpossibleEvent(event, f"{whose} is to act, not seat {event.seat}")
