"""Computes the statistics of hands of draw poker, and where and when hands were played, from public events.

docs/stats.md defines each figure and names the source of the definition.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from pokersvc.core.counting import (
    MIXED,
    NO_BUTTON,
    NOBODY,
    UNTOLD,
    Figures,
    RoundCount,
    RoundPlayed,
    SeatCount,
    SeatPlayed,
)
from pokersvc.core.event import Event
from pokersvc.core.seats import HUMAN, OPEN
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.house.cash_table import CHIPS, button_is_empty
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands import recorded_events as recorded

Choice: TypeAlias = events.Checked | events.Bet | events.Called | events.Raised | events.Folded


class _Part:
    """The actions and results of one seat in the current hand."""

    __slots__ = (
        "after_draw", "before_draw", "blind", "chose", "dealt", "drew", "folded", "forfeited", "net", "rake",
        "saw_draw", "won",
    )  # fmt: skip

    def __init__(self) -> None:
        self.dealt = self.folded = self.chose = self.saw_draw = False
        self.forfeited = False
        """Whether the seat gave no legal answer: it counts as folded, unless a later event shows that it stood pat."""
        self.net = self.won = self.rake = 0
        self.blind = ""
        self.drew: int | None = None
        self.before_draw: set[type[Event]] = set()
        """The types of the seat's choices in the betting before the draw."""
        self.after_draw: list[type[Event]] = []
        """The types of the seat's choices in the betting after the draw, in order."""


class DrawPokerCounter:
    """Computes the statistics of each hand of one game from its events, without its state.

    It may begin before any hand, except in a cash game or if the stakes may change. Then it must begin at the start:
    each hand counts for the name that played it, and the names of seats or the stakes may have changed since the start.
    """

    def __init__(self, started: events.GameStarted) -> None:
        self._names = [seat.name for seat in started.seats]
        self._kinds = [UNTOLD if started.hidden_kinds else seat.kind for seat in started.seats]
        self._house = started.rules.name
        self._levels = started.levels
        self.unit = big_blind_of(started.rules)
        """The big blind of the current hand, in which results are measured."""
        self._currency = CHIPS if started.table is None else started.table.currency
        self._empty_at_first = started.table is not None and button_is_empty(started.table)
        """Whether the first hand's button is at an empty place: `RoundStarted` names the seat before that place."""
        self._site = ""
        self._played_at: str | None = None
        self._wrong = False
        """Whether the imported file contradicts itself: such a hand is kept for inspection, but not counted."""
        self._begin(None)

    def _begin(self, button: int | None, *, empty: bool = False) -> None:
        self._parts: dict[int, _Part] = {}
        self._button, self._empty = button, empty
        self._drawing = False
        """Whether the draw has begun, so that further bets come after it."""
        self._showdown = False
        self._raked: dict[int, int] = {}
        """Pot → its rake."""

    def take(self, event: Event) -> RoundCount | None:
        """Take the next event; return the statistics of the hand that it completed, if any."""
        if isinstance(event, events.RoundEnded):
            return None if self._wrong else self._hand(event.round)
        if (count := _COUNT.get(event.__class__)) is not None:
            count(self, event)
        return None

    def take_nets(self) -> list[tuple[int, str, int]]:
        """Return each seat of the current hand with its name and net result, and reset the statistics of the hand.

        Counting all figures of the hand takes four times as long.
        """
        found = [(seat, self._names[seat - 1], part.net) for seat, part in self._parts.items()]
        self._begin(None)
        return found

    def _of(self, seat: int) -> _Part:
        """Return the acting seat's `_Part`; undo a fold that was counted because the seat gave no legal answer."""
        part = self._parts.get(seat)
        if part is None:
            part = self._parts[seat] = _Part()
        if part.forfeited:
            self._stood_pat(part)
        return part

    def _stood_pat(self, part: _Part) -> None:
        """Undo a counted fold: the seat gave no legal answer in the draw, not in betting, and so kept all its cards."""
        part.forfeited = part.folded = False
        if part.after_draw:
            part.after_draw.pop()
        self._draw_begins()
        part.drew = 0

    def _draw_begins(self) -> None:
        self._drawing = True
        for part in self._parts.values():
            part.saw_draw = part.saw_draw or (part.dealt and not part.folded)

    # The events.

    def _quoted(self, event: recorded.HandQuoted) -> None:
        self._site = event.site
        self._played_at = None if event.played is None else event.played.utc
        self._wrong = bool(event.findings)

    def _round_started(self, event: events.RoundStarted) -> None:
        self._begin(event.button, empty=self._empty_at_first and event.round == 1)
        if self._levels is not None and not self._levels.timed:
            self.unit = self._levels.schedule[self._levels.at(event.round) - 1].big

    def _level_began(self, event: events.LevelBegan) -> None:
        if self._levels is not None:
            self.unit = self._levels.schedule[event.level - 1].big

    def _stakes_changed(self, event: events.StakesChanged) -> None:
        self.unit = event.stakes.big or event.stakes.minimum

    def _posted(self, event: events.AntePosted | events.BlindPosted | events.Posted) -> None:
        part = self._of(event.seat)
        part.net -= event.amount
        if isinstance(event, events.BlindPosted):
            part.blind = event.blind

    def _dealt(self, event: events.HandDealt | earlier_events.HandDealt | recorded.RecordedHandDealt) -> None:
        self._of(event.seat).dealt = True

    def _chose(self, event: Choice) -> None:
        part = self._of(event.seat)
        part.chose = True
        if isinstance(event, events.Bet | events.Called | events.Raised):
            part.net -= event.amount
        if self._drawing:
            part.after_draw.append(event.__class__)
        else:
            part.before_draw.add(event.__class__)

    def _folded(self, event: events.Folded) -> None:
        if event.reason == "chosen":
            self._chose(event)
        self._of(event.seat).folded = True

    def _forfeited(self, event: events.Forfeited) -> None:
        part = self._of(event.seat)
        part.folded = part.forfeited = True
        if self._drawing:
            part.after_draw.append(events.Folded)

    def _forgone(self, event: events.RoundForgone) -> None:
        self._of(event.seat).folded = True

    def _discarded(self, event: events.CardsDiscarded | recorded.RecordedCardsDiscarded) -> None:
        part = self._of(event.seat)
        if not self._drawing:
            self._draw_begins()
        part.chose, part.drew = True, event.count

    def _opened(self, event: events.HandsOpened) -> None:
        for hand in event.hands:
            self._of(hand.seat)

    def _showed(self, event: events.HandShown | events.HandMucked) -> None:
        self._of(event.seat)

    def _returned(self, event: events.UncalledBetReturned) -> None:
        self._of(event.seat).net += event.amount

    def _rake_taken(self, event: events.RakeTaken) -> None:
        self._raked[event.pot] = event.amount

    def _awarded(self, event: events.PotAwarded) -> None:
        if event.reason == "game_end":  # chips carried over, awarded after the last hand
            return
        self._showdown = event.reason == "showdown"
        for share in event.shares:
            part = self._of(share.seat)
            part.net += share.amount
            part.won += share.amount
        if rake := self._raked.pop(event.pot, 0):
            self._paid_rake(rake, event.shares)

    def _paid_rake(self, rake: int, shares: Sequence[events.Share]) -> None:
        """Divide the rake of a pot in proportion to its shares; the remainder goes to the largest share."""
        paid = sum(share.amount for share in shares)
        parts = [rake * share.amount // paid if paid else 0 for share in shares]
        for share, part in zip(shares, parts, strict=True):
            self._of(share.seat).rake += part
        most = max(shares, key=lambda share: share.amount)
        self._of(most.seat).rake += rake - sum(parts)

    def _left(self, event: events.PlayerLeft) -> None:
        part = self._of(event.seat)
        part.net -= event.amount
        part.folded = True

    def _sat_down(self, event: events.SatDown) -> None:
        if event.name is not None:
            self._names[event.seat - 1] = event.name
        if self._kinds[event.seat - 1] == OPEN:
            self._kinds[event.seat - 1] = HUMAN

    # The hand.

    def _hand(self, round_: int) -> RoundCount:
        names = {seat: self._names[seat - 1] for seat in self._parts}
        dealt = [seat for seat, part in self._parts.items() if part.dealt]
        blinds = {part.blind: seat for seat, part in self._parts.items()}
        positions = positions_of(self._button, dealt, blinds, empty=self._empty)
        seats = [
            SeatCount(
                seat,
                names[seat],
                positions.get(seat, NO_BUTTON),
                tuple([names[other] for other in dealt if other != seat]),
                self._figures(part),
                _together({self._kinds[other - 1] for other in dealt if other != seat}),
            )
            for seat, part in self._parts.items()
        ]
        self._begin(None)
        return RoundCount(
            round=round_,
            day=None if self._played_at is None else self._played_at[:10],
            played_at=self._played_at,
            house=self._house,
            site=self._site,
            currency=self._currency.code,
            exponent=self._currency.exponent,
            seats=tuple(seats),
        )

    def _figures(self, part: _Part) -> Figures:
        milli = thousandths(part.net, self.unit)
        square = milli * milli
        before, after = part.before_draw, part.after_draw
        shown = self._showdown and part.dealt and not part.folded
        won = part.won > 0
        drew = [0] * 6
        if part.drew is not None:
            drew[part.drew] = 1
        return Figures(
            dealt=int(part.dealt),
            walks=int(part.dealt and won and not self._showdown and not part.chose),
            net=part.net,
            net_milli=milli,
            square_high=square >> 32,
            square_low=square & 0xFFFFFFFF,
            vpip=int(not before.isdisjoint(_VOLUNTARY)),
            pfr=int(not before.isdisjoint(_RAISING)),
            saw_draw=int(part.saw_draw),
            bets=after.count(events.Bet),
            raises=after.count(events.Raised),
            calls=after.count(events.Called),
            folds=after.count(events.Folded),
            showdowns=int(shown),
            won_showdowns=int(shown and won),
            won=int(won),
            **{f"drew_{count}": times for count, times in enumerate(drew)},
            rake=part.rake,
        )


_VOLUNTARY: Final = frozenset({events.Called, events.Bet, events.Raised})
_RAISING: Final = frozenset({events.Bet, events.Raised})

_COUNT: Final[Mapping[type[Event], Callable[..., None]]] = {
    recorded.HandQuoted: DrawPokerCounter._quoted,
    events.RoundStarted: DrawPokerCounter._round_started,
    events.AntePosted: DrawPokerCounter._posted,
    events.BlindPosted: DrawPokerCounter._posted,
    events.Posted: DrawPokerCounter._posted,
    events.HandDealt: DrawPokerCounter._dealt,
    earlier_events.HandDealt: DrawPokerCounter._dealt,
    recorded.RecordedHandDealt: DrawPokerCounter._dealt,
    events.Checked: DrawPokerCounter._chose,
    events.Bet: DrawPokerCounter._chose,
    events.Called: DrawPokerCounter._chose,
    events.Raised: DrawPokerCounter._chose,
    events.Folded: DrawPokerCounter._folded,
    events.Forfeited: DrawPokerCounter._forfeited,
    events.RoundForgone: DrawPokerCounter._forgone,
    events.CardsDiscarded: DrawPokerCounter._discarded,
    recorded.RecordedCardsDiscarded: DrawPokerCounter._discarded,
    events.HandsOpened: DrawPokerCounter._opened,
    events.HandShown: DrawPokerCounter._showed,
    events.HandMucked: DrawPokerCounter._showed,
    events.UncalledBetReturned: DrawPokerCounter._returned,
    events.RakeTaken: DrawPokerCounter._rake_taken,
    events.PotAwarded: DrawPokerCounter._awarded,
    events.PlayerLeft: DrawPokerCounter._left,
    events.SatDown: DrawPokerCounter._sat_down,
    events.StakesChanged: DrawPokerCounter._stakes_changed,
    events.LevelBegan: DrawPokerCounter._level_began,
}


_NOBODY: Final = SeatPlayed("", own=True, net=None)


class DrawPokerRounds:
    """Reads a game's events from the start; returns each hand with its time, its place and its players.

    A hand that was played here is returned once it ends. An imported hand is returned at the end of its game, because a
    cancelled hand has no other end. It is returned as the first file tells it, and not at all if that has findings.
    """

    def __init__(self, started: events.GameStarted) -> None:
        table = started.table
        self._seats = started.seats
        self._currency = CHIPS if table is None else table.currency
        self._counter = DrawPokerCounter(started)
        self._renames = table is not None and table.cash
        """Whether a seat can pass to another player, as in a cash game."""
        self._at = ""
        self._quote: recorded.HandQuoted | None = None
        self._nets: dict[int, int] = {}
        """Seat → net result of the imported hand."""
        self._with_people = False
        """Whether a person has been dealt a hand."""
        self._for_people = any(seat.kind == HUMAN for seat in started.seats)
        """Whether a person may be dealt a hand."""

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        """Take the next event and the time at which it was recorded; return the hand that it completed, if any."""
        kind = event.__class__
        if isinstance(event, events.RoundEnded):
            nets = self._counter.take_nets()
            if self._quote is None:
                return self._here(event.round, nets)
            self._nets = {seat: net for seat, _, net in nets}
        elif (count := _COUNT.get(kind)) is not None:
            count(self._counter, event)
        if kind is events.RoundStarted:
            self._at = at[:19]  # cut to whole seconds
        elif isinstance(event, recorded.HandQuoted):
            self._quote = self._quote or event
        elif kind is events.GameEnded and self._quote is not None and not self._quote.findings:
            return self._elsewhere(self._quote)
        return None

    def pass_over(self, passed: Sequence[tuple[Event, str]]) -> None:
        """Take the events of a hand that is not to be returned, for what later hands need: who came, who was dealt in.

        All events of an imported hand count: its seats belong to people, none of whom is ever dealt a hand here.
        """
        if self._for_people and not self._with_people:
            for event, at in passed:
                self.take(event, at)
        elif self._renames:
            for event, _ in passed:
                if event.__class__ is events.SatDown:
                    self._counter.take(event)

    def _here(self, round_: int, nets: list[tuple[int, str, int]]) -> RoundPlayed:
        seats = [SeatPlayed(name, self._seats[seat - 1].kind == HUMAN, net) for seat, name, net in nets]
        self._with_people = self._with_people or any(seat.own for seat in seats)
        if not self._with_people:
            seats.append(_NOBODY)
        return self._round(round_, self._at, tuple(seats))

    def _elsewhere(self, quote: recorded.HandQuoted) -> RoundPlayed:
        seats = [
            SeatPlayed(seat.name, number == quote.hero, self._nets.get(number, 0))
            for number, seat in enumerate(self._seats, 1)
        ]
        if quote.hero is None:
            seats.append(_NOBODY)
        at = "" if quote.played is None else quote.played.utc.removesuffix("Z")
        tournament = None if quote.tournament is None else quote.tournament.number
        return self._round(1, at, tuple(seats), quote.site, quote.table, tournament)

    def _round(
        self,
        round_: int,
        at: str,
        seats: tuple[SeatPlayed, ...],
        site: str = "",
        table: str | None = None,
        tournament: str | None = None,
    ) -> RoundPlayed:
        currency = self._currency
        return RoundPlayed(round_, at, site, table, tournament, currency.code, currency.exponent, seats)


def _together(kinds: set[str]) -> str:
    """Return the kind of a hand's opponents, or the word for several kinds or none.

    >>> _together({"club"}), _together({"club", "shark"}), _together(set())
    ('club', 'mixed', 'nobody')
    """
    if len(kinds) > 1:
        return MIXED
    return next(iter(kinds), NOBODY)


def big_blind_of(rules: DrawPokerRules) -> int:
    """Return the unit of a house's results: its big blind or, if it has none, the minimum opening bet."""
    return rules.betting.minimum if rules.blinds is None else rules.blinds.big


def thousandths(amount: int, unit: int) -> int:
    """Return an amount in thousandths of a unit, rounded to the nearest, ties to even.

    >>> thousandths(-5, 2), thousandths(1, 3), thousandths(2, 3), thousandths(1, 2000), thousandths(3, 2000)
    (-2500, 333, 667, 0, 2)
    """
    whole, rest = divmod(1000 * amount, unit)
    return whole + (2 * rest > unit or (2 * rest == unit and whole % 2))


def positions_of(
    button: int | None, dealt: Iterable[int], blinds: Mapping[str, int], *, empty: bool = False
) -> dict[int, str]:
    """Return the positions of the seats that were dealt in: the blinds, and the others by their distance to the button.

    If the button is at an empty seat, nobody has the button's position; ``empty`` says that the button is at the empty
    place after the seat ``button``. Of two players, the one who posts the small blind is called the button.

    >>> positions_of(3, [1, 2, 3, 4, 5, 6], {"small": 4, "big": 5})
    {1: 'BTN-2', 2: 'CO', 3: 'BTN', 4: 'SB', 5: 'BB', 6: 'BTN-3'}
    >>> positions_of(2, [1, 2], {"small": 2, "big": 1})
    {1: 'BB', 2: 'BTN'}
    """
    if button is None:
        return {}
    clockwise = sorted(dealt, key=lambda seat: (seat <= button, seat))
    owner = None if empty else button
    if len(clockwise) == 2:
        owner = blinds.get("small", owner)
    found = {}
    blind = {blinds.get("small"): "SB", blinds.get("big"): "BB"}
    distance = 0 if owner in clockwise else 1
    for seat in reversed(clockwise):
        found[seat] = "BTN" if seat == owner else blind.get(seat) or ("CO" if distance == 1 else f"BTN-{distance}")
        distance += 1
    return dict(sorted(found.items()))
