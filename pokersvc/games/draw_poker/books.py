"""The books of draw poker: every chip is in one account, and only events move it.

A chip is in a seat's stack, in the seat's stake in the round, or in the pot's own account: chips that were carried, and
chips that players who are out have left. When the first pot of a round is awarded, all chips outside the stacks move
into pots; these are computed here a second time, from what was put in and who still held a hand.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from pokersvc.betting.events import OfChips
from pokersvc.core.books import LedgerPage, Mismatch
from pokersvc.core.event import Event
from pokersvc.core.seats import OPEN
from pokersvc.games.draw_poker import cash_events, events
from pokersvc.games.draw_poker.house.cash_table import seats_at_start, stacks_of
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.table_accounts import TableAccounts
from pokersvc.text import counted

NOTHING: Final[tuple[Mismatch, ...]] = ()


class _Pot(NamedTuple):
    chips: int
    seats: frozenset[int]
    """The seats that may win the pot."""


class DrawPokerBooks:
    """A second record of all chips, kept from the events alone; lists by seat have an unused place 0."""

    def __init__(self, started: events.GameStarted) -> None:
        seats = len(started.seats)
        self.rules = started.rules
        self.names = ["", *(seat.name for seat in started.seats)]
        self.held = [[seat.name] if seat.kind != OPEN else [] for seat in seats_at_start(started.seats, started.table)]
        """For each seat from 1, the names of all who have held it, in order; there is no unused place 0."""
        self.stacks = stacks_of(started.table, seats, started.rules.stack)
        self.began = tuple(self.stacks)
        self.entry = started.entry
        self.prices = [0 if started.entry is None else started.entry.price] * seats
        """The prices that each seat has paid, in units; there is no unused place 0."""
        self.all_chips = sum(self.stacks)
        self.pot = 0
        """All chips that are not in a stack."""
        self.carried = 0
        """The pot's own account: chips carried from earlier rounds, and kept for the next."""
        self.accounts = TableAccounts(seats)
        self.game = _Sums(seats)
        self.ended: events.GameEnded | None = None
        self.round, self.going_on = 0, False
        self._open_round()

    def _open_round(self) -> None:
        self.sums = _Sums(len(self.stacks) - 1)
        self.accounts.open_round(len(self.stacks) - 1)
        self.left = [0] * len(self.stacks)
        """By seat: chips that a player left in the pot when going out; other players need not match them."""
        self.carried_in = self.carried
        self.holding: set[int] = set()
        """Seats known to hold a hand: they showed or mucked it, and have not folded since."""
        self.forgone: set[int] = set()
        """Seats whose share of the common shuffle was missing: they are folded, and get no bet back."""
        self.pots: list[_Pot] | None = None
        self.undivided = 0
        """Chips that could not be divided when pots were awarded, to be carried into the next round."""
        self.awards: list[tuple[int, events.PotAwarded]] = []
        """The awards of the round, each with the chips of its pot."""
        self.done: Callable[[], LedgerPage] | None = None

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Enter an event in the books; return the mismatches between the event and the books."""
        posting = _POST.get(event.__class__)
        return NOTHING if posting is None else posting(self, event)

    def compare(self, state: Situation) -> Iterable[Mismatch]:
        """Return a mismatch if the stacks or the pot of the state differ from those of the books."""
        if state.stacks == self.stacks and state.pot == self.pot:
            return NOTHING
        return (Mismatch(_balances(state.stacks, state.pot), _balances(self.stacks, self.pot)),)

    def ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the round or the game that has just ended; None at any other time."""
        done, self.done = self.done, None
        return None if done is None else done()

    def open_ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the round in progress; None between rounds."""
        return self._page()._replace(title=f"Round {self.round}, in progress") if self.going_on else None

    # Chips that seats put in and take back.

    def _started(self, event: events.RoundStarted) -> Iterable[Mismatch]:
        self._open_round()
        self.round, self.going_on = event.round, True
        return NOTHING

    def _put(self, event: Any) -> Iterable[Mismatch]:
        seat, amount = event.seat, event.amount
        self.stacks[seat] -= amount
        self.sums.put[seat] += amount
        self.pot += amount
        if self.stacks[seat] < 0:
            has = self.stacks[seat] + amount
            return (Mismatch(f"{amount} put in by {self.names[seat]}", f"at most the stack, {has}"),)
        return NOTHING

    def _left(self, event: events.PlayerLeft) -> Iterable[Mismatch]:
        self.left[event.seat] += event.amount
        return self._put(event)

    def _posted(self, event: events.Posted) -> Iterable[Mismatch]:
        if event.kind == "dead":
            self.accounts.dead[event.seat] += event.amount
        return self._put(event)

    def _sat_down(self, event: events.SatDown) -> Iterable[Mismatch]:
        if event.name is not None:
            self.names[event.seat] = event.name
            self.held[event.seat - 1].append(event.name)
        return self._brought(event)

    def _brought(self, event: OfChips) -> Iterable[Mismatch]:
        self.stacks[event.seat] += event.amount
        self.accounts.bought[event.seat] += event.amount
        return NOTHING

    def _got_up(self, event: OfChips) -> Iterable[Mismatch]:
        has = self.stacks[event.seat]
        self.stacks[event.seat] -= event.amount
        self.accounts.cashed[event.seat] += event.amount
        if event.amount != has:
            return (Mismatch(f"{event.amount} taken from the table by {self.names[event.seat]}", f"the stack, {has}"),)
        return NOTHING

    def _raked(self, event: events.RakeTaken) -> Iterable[Mismatch]:
        has = self.pot
        self.pot -= event.amount
        self.accounts.take_rake(event)
        if event.amount > has:
            return (Mismatch(f"rake of {event.amount}", f"at most the pot, {has}"),)
        return NOTHING

    def _returned(self, event: events.UncalledBetReturned) -> Iterable[Mismatch]:
        seat, amount = event.seat, event.amount
        stakes = self._stakes()
        self.stacks[seat] += amount
        self.sums.returned[seat] += amount
        self.pot -= amount
        most = 0
        if seat not in self.forgone:
            most = stakes[seat] - max([stake for other, stake in enumerate(stakes) if other != seat])
        if amount != most:
            return (Mismatch(f"{amount} returned to {self.names[seat]}", f"{max(0, most)}, which nobody matched"),)
        return NOTHING

    def _stakes(self) -> list[int]:
        sums, dead = self.sums, self.accounts.dead
        return [
            put - back - left - no_stake
            for put, back, left, no_stake in zip(sums.put, sums.returned, self.left, dead, strict=True)
        ]

    # Seats that hold a hand.

    def _opened(self, event: events.HandsOpened) -> Iterable[Mismatch]:
        self.holding = {hand.seat for hand in event.hands}
        return NOTHING

    def _held(self, event: Any) -> Iterable[Mismatch]:
        self.holding.add(event.seat)
        return NOTHING

    def _gave_up(self, event: Any) -> Iterable[Mismatch]:
        self.holding.discard(event.seat)
        return NOTHING

    def _forwent(self, event: events.RoundForgone) -> Iterable[Mismatch]:
        self.forgone.add(event.seat)
        return self._gave_up(event)

    # The pots.

    def _awarded(self, event: events.PotAwarded) -> Iterable[Mismatch]:
        if event.reason == "game_end":
            return self._given_at_the_end(event)
        if self.pots is None:
            last_in = event.reason == "last_in"
            self._make_pots({share.seat for share in event.shares} if last_in else self.holding)
        assert self.pots is not None
        number, pot = len(self.pots), self.pots.pop() if self.pots else _Pot(0, frozenset())
        paid = sum(share.amount for share in event.shares)
        for share in event.shares:
            self.stacks[share.seat] += share.amount
            self.sums.paid[share.seat] += share.amount
        self.pot -= paid
        self.undivided += pot.chips - paid
        self.awards.append((pot.chips, event))
        return self._wrong_award(event, number, pot, paid)

    def _wrong_award(self, event: events.PotAwarded, number: int, pot: _Pot, paid: int) -> Iterable[Mismatch]:
        if event.pot != number:
            yield Mismatch(f"pot {event.pot} awarded", f"pot {number}" if number else "no pot, all are awarded")
        for share in event.shares:
            if share.seat not in pot.seats:
                names = ", ".join(self.names[seat] for seat in sorted(pot.seats))
                yield Mismatch(f"a share of pot {event.pot} for {self.names[share.seat]}", f"shares for {names} only")
        odd = pot.chips - paid
        most = len(event.shares) - 1 if self.rules.remainder == "carry" else 0
        if not 0 <= odd <= most:
            yield Mismatch(f"{paid} paid from pot {event.pot}", f"{pot.chips}, which is in it")

    def _make_pots(self, holding: set[int]) -> None:
        """Divide the stakes and the carried chips into pots: one for each amount that a seat still in has staked."""
        stakes = self._stakes()
        levels = sorted({stakes[seat] for seat in holding}) if self.rules.all_in else []
        pots: list[_Pot] = []
        rest, below = self.pot + sum(self.accounts.rake.values()), 0
        for level in levels[:-1]:
            seats = frozenset(seat for seat in holding if stakes[seat] >= level)
            chips = sum(min(stake, level) - min(stake, below) for stake in stakes)
            if not pots:  # the main pot includes the chips that were carried, left or posted dead
                chips += self.carried + sum(self.left) + sum(self.accounts.dead)
            if chips:
                pots.append(_Pot(chips, seats))
            rest, below = rest - chips, level
        top = frozenset(seat for seat in holding if not levels or stakes[seat] >= levels[-1])
        if rest or not pots:
            pots.append(_Pot(rest, top))
        self.pots = [_Pot(pot.chips - self.accounts.rake.get(at, 0), pot.seats) for at, pot in enumerate(pots, 1)]
        self.carried = 0

    def _kept(self, event: events.RemainderCarried) -> Iterable[Mismatch]:
        over, self.undivided = self.undivided, 0
        self.carried = over
        if event.amount != over:
            return (Mismatch(f"{event.amount} carried", f"{over}, which did not divide"),)
        return NOTHING

    def _given_at_the_end(self, event: events.PotAwarded) -> Iterable[Mismatch]:
        paid = sum(share.amount for share in event.shares)
        for share in event.shares:
            self.stacks[share.seat] += share.amount
            self.game.paid[share.seat] += share.amount
        over, self.carried = self.carried, 0
        self.pot -= paid
        if paid != over:
            return (Mismatch(f"{paid} paid at the end of the game", f"{over}, which was carried"),)
        return NOTHING

    # The end of a round and of the game.

    def _round_ended(self, event: events.RoundEnded) -> Iterable[Mismatch]:
        self.game.add(self.sums)
        self.going_on = False
        self.done = self._page
        return self._out_of_balance()

    def _out_of_balance(self) -> Iterable[Mismatch]:
        if self.pots is None or self.pots:
            yield Mismatch("the end of the round", f"the award of the {self.pot} in the pot")
        if self.undivided:
            yield Mismatch("the end of the round", f"{self.undivided} carried, which did not divide")
        if self.pot != self.carried:
            yield Mismatch(f"{self.pot} in the pot after the round", f"{self.carried}, which was carried")
        everywhere = sum(self.stacks) + self.pot + self.accounts.gone
        if everywhere != self.all_chips:
            yield Mismatch(f"{counted(everywhere, 'chip')} in all", f"{self.all_chips:,}, which the game began with")

    def _entered(self, event: events.Reentered | events.AddOnTaken) -> Iterable[Mismatch]:
        """Enter chips that were bought in a tournament, and their price, which the start of the game sets."""
        self.stacks[event.seat] += event.amount
        self.accounts.bought[event.seat] += event.amount
        self.prices[event.seat - 1] += event.price
        if (sold := _sold(self.entry, event, self.rules.stack)) != (event.amount, event.price):
            said = "nothing" if sold is None else f"{counted(sold[0], 'chip')} for {sold[1]}"
            yield Mismatch(f"{counted(event.amount, 'chip')} for {event.price}", said)

    def _raced_off(self, event: events.ChipsRacedOff) -> Iterable[Mismatch]:
        """Enter a chip race: a seat's odd chips leave play or become one whole chip, and nobody loses all chips."""
        before, saved = self.stacks[1:], 0
        if len(event.stacks) != len(before):
            yield Mismatch(f"the stacks of {counted(len(event.stacks), 'seat')}", f"those of {len(before)}")
            return
        for seat, (had, has) in enumerate(zip(before, event.stacks, strict=True), 1):
            whole = had - had % event.chip
            if has != had and (not had or has not in (whole or event.chip, whole + event.chip)):
                yield Mismatch(f"{counted(has, 'chip')} after the race for {self.names[seat]}", f"{had}, rounded")
            saved += has - had if not whole else 0
            self.accounts.raced[seat] += has - had
            self.stacks[seat] = has
        if (more := sum(event.stacks) - sum(before)) > saved:
            yield Mismatch(f"{counted(more, 'chip')} more after the race", f"{saved}, as nobody is raced out of play")

    def _prizes_awarded(self, event: events.PrizesAwarded) -> Iterable[Mismatch]:
        """Check that the prizes pay out exactly what was paid, and that places fit the numbers of better players."""
        paid, won = sum(self.prices), sum(event.prizes)
        if list(event.prices) != self.prices:
            said = " ".join(map(str, event.prices))
            yield Mismatch(f"prices of {said}", f"{' '.join(map(str, self.prices))}, as they were paid")
        if won != paid:
            yield Mismatch(f"prizes of {won} in all", f"{paid}, which all have paid")
        for place in sorted(set(event.places)):
            better = sum(other < place for other in event.places)
            if better != place - 1:
                yield Mismatch(f"place {place} behind {counted(better, 'player')}", f"place {better + 1}")

    def _game_ended(self, event: events.GameEnded) -> Iterable[Mismatch]:
        self.done = self._page_of_the_game
        return self._wrong_end(event)

    def _wrong_end(self, event: events.GameEnded) -> Iterable[Mismatch]:
        if list(event.stacks) != self.stacks[1:]:
            yield Mismatch(f"final stacks {' '.join(map(str, event.stacks))}", f"{' '.join(map(str, self.stacks[1:]))}")
        if self.pot:
            yield Mismatch(f"{self.pot} in the pot at the end of the game", "nothing, all is paid")

    # The ledger.

    def _page(self) -> LedgerPage:
        sums = self.sums
        rows = [(self.names[seat], sums.row(seat)) for seat in range(1, len(self.stacks)) if sums.moved(seat)]
        carried = ("carried", (None, None, self.carried_in, self.carried, self.carried - self.carried_in))
        if self.carried_in or self.carried:
            rows.append(carried)
        if kept := sum(self.accounts.rake.values()):
            rows.append(("rake", (None, None, None, kept, kept)))
        total = tuple(sum(row[column] or 0 for _, row in rows) for column in range(len(COLUMNS)))
        notes = tuple(
            f"pot {event.pot}, {counted(chips, 'chip')}: {self._shares(event)}" for chips, event in self.awards
        )
        return LedgerPage(f"Round {self.round}", COLUMNS, (*rows, ("total", total)), notes)

    def _shares(self, event: events.PotAwarded) -> str:
        return " and ".join(f"{share.amount} to {self.names[share.seat]}" for share in event.shares)

    def _page_of_the_game(self) -> LedgerPage:
        rows: list[tuple[str, tuple[int | None, ...]]] = [
            (", then ".join(self.held[seat - 1]), (self.began[seat], *self.game.row(seat), self.stacks[seat]))
            for seat in range(1, len(self.stacks))
        ]
        columns: tuple[str, ...] = ("began", *COLUMNS, "has")
        columns, rows = self.accounts.completed(columns, rows)
        rows = [(name, numbers) for name, numbers in rows if name]  # skip seats at which nobody ever sat
        total = tuple(sum(row[column] or 0 for _, row in rows) for column in range(len(columns)))
        return LedgerPage("The game", columns, (*rows, ("total", total)))


COLUMNS: Final = ("put in", "returned", "in pots", "paid", "net")


class _Sums:
    """The chips that each seat put in, took back and was paid."""

    def __init__(self, seats: int) -> None:
        self.put = [0] * (seats + 1)
        self.returned = [0] * (seats + 1)
        self.paid = [0] * (seats + 1)

    def add(self, other: "_Sums") -> None:
        for mine, its in ((self.put, other.put), (self.returned, other.returned), (self.paid, other.paid)):
            mine[:] = map(int.__add__, mine, its)

    def moved(self, seat: int) -> bool:
        return bool(self.put[seat] or self.paid[seat])

    def row(self, seat: int) -> tuple[int | None, ...]:
        staked = self.put[seat] - self.returned[seat]
        return (self.put[seat], self.returned[seat], staked, self.paid[seat], self.paid[seat] - staked)


def _sold(
    entry: TournamentEntry | None, event: events.Reentered | events.AddOnTaken, stack: int
) -> tuple[int, int] | None:
    """Return the chips that an event of a tournament may bring, and their price; None if none are sold."""
    if entry is None:
        return None
    if isinstance(event, events.Reentered):
        return stack, entry.price
    return None if entry.addon is None else (entry.addon.chips, entry.addon.price)


def _balances(stacks: Iterable[int], pot: int) -> str:
    return f"stacks {' '.join(map(str, list(stacks)[1:]))} and {pot} in the pot"


_POST: Final[Mapping[type[Event], Callable[[DrawPokerBooks, Any], Iterable[Mismatch]]]] = {
    events.RoundStarted: DrawPokerBooks._started,
    events.AntePosted: DrawPokerBooks._put,
    events.BlindPosted: DrawPokerBooks._put,
    events.Bet: DrawPokerBooks._put,
    events.Called: DrawPokerBooks._put,
    events.Raised: DrawPokerBooks._put,
    events.PlayerLeft: DrawPokerBooks._left,
    events.Posted: DrawPokerBooks._posted,
    events.SatDown: DrawPokerBooks._sat_down,
    events.ChipsBought: DrawPokerBooks._brought,
    events.GotUp: DrawPokerBooks._got_up,
    cash_events.ToppedUp: DrawPokerBooks._brought,
    cash_events.SeatFreed: DrawPokerBooks._got_up,
    events.RakeTaken: DrawPokerBooks._raked,
    events.Folded: DrawPokerBooks._gave_up,
    events.Forfeited: DrawPokerBooks._gave_up,
    events.RoundForgone: DrawPokerBooks._forwent,
    events.HandsOpened: DrawPokerBooks._opened,
    events.HandShown: DrawPokerBooks._held,
    events.HandMucked: DrawPokerBooks._held,
    events.UncalledBetReturned: DrawPokerBooks._returned,
    events.PotAwarded: DrawPokerBooks._awarded,
    events.RemainderCarried: DrawPokerBooks._kept,
    events.RoundEnded: DrawPokerBooks._round_ended,
    events.Reentered: DrawPokerBooks._entered,
    events.AddOnTaken: DrawPokerBooks._entered,
    events.ChipsRacedOff: DrawPokerBooks._raced_off,
    events.PrizesAwarded: DrawPokerBooks._prizes_awarded,
    events.GameEnded: DrawPokerBooks._game_ended,
}
