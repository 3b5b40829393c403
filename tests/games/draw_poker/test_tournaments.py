"""Tournaments: places by who went out when, and prizes of what all have paid; chips and units are never mixed."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import CloseGame, IllegalAction, Leave
from pokersvc.core.event import EVERYONE, Event, ImpossibleEvent
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Fold
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.entries import ReEnter, TakeAddOn
from pokersvc.games.draw_poker.house.entry import AddOn, TournamentEntry
from pokersvc.games.draw_poker.house.levels import Level, Levels
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service import Service
from pokersvc.service.read_models.evening import Evenings
from pokersvc.service.read_models.history import summary
from tests.web.played import play

from .scenario import Scenario, happened

WORDS: Final = DrawPokerWords()
NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
FAST: Final = Levels(
    schedule=(
        Level(big=10, hands=2, small=5),
        Level(ante=2, big=40, hands=2, small=20),
        Level(big=160, hands=1, small=80),
    )
)
RACED: Final = Levels(
    schedule=(
        Level(big=11, hands=2, small=4),
        Level(ante=10, big=40, chip=10, hands=2, small=20),
        Level(big=150, chip=50, hands=1, small=50),
    )
)


def setup(*kinds: str, rounds: int | None = None, text: str = "prizes", **options: Any) -> Setup:
    seats = tuple(Seat(kind, name) for kind, name in zip(kinds or ("random",) * 4, NAMES, strict=False))
    given = {"rules": "no-limit", "levels": FAST, "stack": "200", "entry": 10, "prizes": "50,30,20", **options}
    return Setup(seats, EntropySource.from_text(text), rounds, given)


def people(count: int = 3, **options: Any) -> Scenario:
    return Scenario(DRAW_POKER.start(setup(*[HUMAN] * count, **{"prizes": "60,40", **options})))


def lost_in_one_hand(*began: int, **options: Any) -> Scenario:
    """A game of people after a round that they began with these chips, all of which the first seat has won."""
    game = people(len(began), **options)
    game.state.round, game.state.round_stacks = 1, (0, *began)
    game.state.stacks[:] = [0, sum(began), *[0] * (len(began) - 1)]
    return game


# The ranking.


@pytest.mark.parametrize(
    ("stacks", "places"),
    [((400, 100, 300), (1, 3, 2)), ((400, 100, 100), (1, 2, 2)), ((400, 50, 90, 50), (1, 3, 2, 3))],
)
def test_who_began_the_hand_with_more_chips_ranks_higher_and_equal_stacks_tie(
    stacks: tuple[int, ...], places: tuple[int, ...]
) -> None:
    game = lost_in_one_hand(*stacks)
    game.deal_on()
    (awarded,) = happened(game.log, events.PrizesAwarded)
    assert awarded.places == places
    assert game.state.outcome is not None
    assert game.state.outcome.ranks == places
    assert [seat.place for seat in game.view().seats] == list(places)


def test_seats_that_tie_share_the_prizes_of_their_places() -> None:
    game = lost_in_one_hand(400, 100, 100)
    game.deal_on()
    (awarded,) = happened(game.log, events.PrizesAwarded)
    assert awarded.prices == (10, 10, 10)
    assert awarded.prizes == (18, 6, 6)
    assert game.state.outcome is not None
    assert game.state.outcome.scores == (8, -4, -4)


def test_a_person_who_leaves_has_a_place_at_once() -> None:
    game = people(4).ready()
    while not isinstance(game.log[-1], events.RoundEnded):
        assert game.to_act is not None
        game.given(Fold(game.to_act)).deal_on()
    game.given(Leave(2))
    assert [seat.place for seat in game.view().seats] == [None, 4, None, None]


def test_games_that_are_no_tournaments_rank_by_chips_alone() -> None:
    game = lost_in_one_hand(400, 100, 300, levels=None, entry=None, prizes=None)
    game.deal_on()
    assert not happened(game.log, events.PrizesAwarded)
    assert game.state.outcome is not None
    assert game.state.outcome.ranks == (1, 2, 2)
    assert [seat.place for seat in game.view().seats] == [None, None, None]


def test_levels_alone_make_a_tournament_whose_result_is_in_chips() -> None:
    game = lost_in_one_hand(400, 100, 300, entry=None, prizes=None)
    game.deal_on()
    assert not happened(game.log, events.PrizesAwarded)
    assert game.state.outcome is not None
    assert (game.state.outcome.ranks, game.state.outcome.scores) == ((1, 3, 2), (800, 0, 0))


def test_a_game_that_is_closed_divides_the_prizes_by_stacks() -> None:
    game = people().given()
    game.given(game.event_of(CloseGame()))
    game.deal_on()
    (awarded,) = happened(game.log, events.PrizesAwarded)
    assert (awarded.places, awarded.prizes) == ((1, 1, 1), (10, 10, 10))


# Re-entries and add-ons.

SOLD: Final[dict[str, Any]] = {"reentries": 1, "addon": "150/3", "entry_until": 2}


def busted(*began: int, **options: Any) -> Scenario:
    """A game of people in the pause after a round in which the last seat has lost all chips to the first."""
    game = people(len(began), **{**SOLD, **options})
    state = game.state
    state.round, state.round_level, state.round_stacks = 1, 1, (0, *began)
    state.stacks[:] = [0, began[0] + began[-1], *began[1:-1], 0]
    left = game.dealer()
    assert left == events.PlayerLeft(0, "short", len(began))
    return game.given(left)


def test_who_has_lost_all_chips_enters_again_for_the_same_price_and_with_the_starting_stack() -> None:
    game = busted(200, 200, 200)
    assert game.view().seat(3).may_reenter
    game.given(ReEnter(3))
    assert game.log[-1] == events.Reentered(200, 10, 3)
    assert (game.stacks, game.view().seat(3).paid, game.view().seat(3).place) == ((400, 200, 200), 20, None)
    assert isinstance(game.dealer(), events.RoundStarted)
    assert 3 in (game.state.deals_to() or ())


def test_it_may_be_done_as_often_as_the_start_says_and_until_its_level_is_over() -> None:
    game = busted(200, 200, 200).given(ReEnter(3))
    assert game.refusal(ReEnter(3)) == "already_seated"
    game.state.stacks[1:] = [600, 200, 0]
    left = game.dealer()
    assert left == events.PlayerLeft(0, "short", 3)
    assert game.given(left).refusal(ReEnter(3)) == "no_reentry"
    late = busted(200, 200, 200)
    late.state.round_level = 3
    assert (late.refusal(ReEnter(3)), late.refusal(TakeAddOn(1))) == ("no_reentry", "no_addon")


def test_they_come_between_rounds_alone() -> None:
    game = busted(200, 200, 200, 200).ready()
    assert (game.refusal(ReEnter(4)), game.refusal(TakeAddOn(1))) == ("not_between_rounds", "not_between_rounds")
    assert not game.view().seat(4).may_reenter
    assert game.state.may_come_back(4), "after the round"


def test_an_add_on_is_taken_once_by_who_is_in() -> None:
    game = busted(200, 200, 200).given(TakeAddOn(1))
    assert game.log[-1] == events.AddOnTaken(150, 3, 1)
    assert (game.stacks, game.view().seat(1).paid) == ((550, 200, 0), 13)
    assert (game.refusal(TakeAddOn(1)), game.refusal(TakeAddOn(3))) == ("no_addon", "no_addon")
    game.given(ReEnter(3), TakeAddOn(3))
    assert game.stacks == (550, 200, 350)


def test_prices_of_all_kinds_are_in_the_prizes() -> None:
    game = busted(200, 200, 200).given(ReEnter(3), TakeAddOn(3), Leave(2), Leave(3))
    game.deal_on()
    (awarded,) = happened(game.log, events.PrizesAwarded)
    assert (awarded.places, awarded.prices, awarded.prizes) == ((1, 3, 2), (10, 10, 23), (26, 0, 17))


def test_programs_and_who_left_with_chips_do_not_enter_again() -> None:
    game = busted(200, 200, 200, 200).given(Leave(2))
    assert game.refusal(ReEnter(2)) == "no_reentry"
    game.state.persons &= ~0b10000
    assert game.refusal(ReEnter(4)) == "not_a_person"
    assert game.refusal(TakeAddOn(4)) == "not_a_person"


def test_the_game_waits_for_the_last_person_who_may_enter_again_but_not_once_one_player_has_all() -> None:
    game = busted(200, 200, 200)
    game.state.persons = 0b1000
    assert game.state.pausing
    assert game.state.may_come_back(3)
    game.state.round_level = 3
    assert not game.state.pausing
    assert not game.state.may_come_back(3)
    over = busted(200, 200)
    assert not over.state.pausing
    assert isinstance(over.dealer(), events.PrizesAwarded)


def test_where_there_are_none_they_are_refused() -> None:
    assert busted(200, 200, 200, reentries=None).refusal(ReEnter(3)) == "no_reentry"
    other = people(entry=None, prizes=None)
    assert (other.refusal(ReEnter(1)), other.refusal(TakeAddOn(1))) == ("no_tournament", "no_tournament")
    assert busted(200, 200, 200, addon=None).refusal(TakeAddOn(1)) == "no_addon"


def test_events_that_cannot_be() -> None:
    for event in (events.Reentered(200, 10, 1), events.Reentered(200, 10, 9), events.AddOnTaken(150, 3, 3)):
        with pytest.raises(ImpossibleEvent):
            busted(200, 200, 200).state.apply(event)


def test_what_may_be_typed_and_what_is_told() -> None:
    game = busted(200, 200, 200)
    view = game.view()
    assert [one.said for one in WORDS.between_rounds(view, 3)][:1] == ["re-enter (200 chips for 10 units)"]
    assert [one.said for one in WORDS.between_rounds(view, 1)][:1] == ["add-on (150 chips for 3 units)"]
    assert WORDS.read_between(" Re-enter ", view, 3) == ReEnter(3)
    assert WORDS.read_between("add-on", view, 1) == TakeAddOn(1)
    assert WORDS.read_between("re-enter", people(entry=None, prizes=None).view(), 1) is None
    game.given(ReEnter(3), TakeAddOn(1))
    assert [WORDS.tell(event, game.state) for event in game.log[-2:]] == [
        "Cy enters again with 200 chips, for 10 units", "Ann takes an add-on of 150 chips, for 3 units",
    ]  # fmt: skip
    about = " ".join(" ".join(WORDS.about(view)).split())
    assert "Until level 2 is over, a person without chips may enter again once: `re-enter`." in about
    assert "Until level 2 is over, each person may add 150 chips for 3 units once: `add-on`." in about


# Random tournaments.


@pytest.mark.parametrize("games", [40, pytest.param(5000, marks=[pytest.mark.slow, pytest.mark.exhaustive])])
def test_chips_and_prizes_balance_after_every_event_and_every_place_is_given_once(games: int) -> None:
    settings(max_examples=games, deadline=None, suppress_health_check=list(HealthCheck))(
        given(st.data())(chips_and_prizes_balance)
    )()


def chips_and_prizes_balance(data: st.DataObject) -> None:
    draw = data.draw
    seats = draw(st.integers(2, 6))
    cuts = sorted(draw(st.sets(st.integers(1, 99), max_size=seats - 1)))
    prizes = sorted((b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)), reverse=True)
    price, house = draw(st.integers(1, 1000)), draw(st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]))
    kinds = draw(st.lists(st.sampled_from([HUMAN, "random"]), min_size=seats, max_size=seats))
    chance = Random(draw(st.integers(0, 10**9)))
    text = str(chance.random())
    levels = draw(st.sampled_from([FAST, RACED]))
    given_: dict[str, Any] = {
        "rules": house, "entry": price, "levels": levels, "prizes": ",".join(map(str, prizes))
    }  # fmt: skip
    sold = {"reentries": draw(st.integers(0, 3)), "addon": draw(st.sampled_from([None, "70", "150/3"]))}
    if any(sold.values()):
        given_ |= {**sold, "entry_until": draw(st.integers(1, 3))}
    started = DRAW_POKER.start(setup(*kinds, rounds=draw(st.sampled_from([None, 3])), text=text, **given_))
    booked = Naive(json.loads(DRAW_POKER.codec.encode(started).payload))
    state, books = DRAW_POKER.new(started), DRAW_POKER.books(started)
    entropy = EntropySource.from_text(text).entropy()
    while state.outcome is None:
        may_leave = [seat for seat in range(1, seats + 1) if state.pausing and kinds[seat - 1] == HUMAN]
        event: Event | None = bought(state, chance)
        if event is not None:
            pass
        elif (leaving := [seat for seat in may_leave if state.playing(seat)]) and not chance.randrange(8):
            event = state.decide(Leave(chance.choice(leaving)))
        elif (event := state.dealer_event(entropy)) is None:
            seat = state.to_act
            assert seat is not None
            event = state.decide(RandomPlayer().choose(state.view(seat), state.legal(seat), chance))
        state.apply(event)
        booked.take(type(event).__name__, json.loads(DRAW_POKER.codec.encode(event).payload))
        assert [*books.post(event), *books.compare(state)] == []
        assert booked.stacks == state.stacks[1:]
        assert sum(booked.stacks) + booked.pot == booked.chips
    assert booked.prizes is not None
    assert state.outcome.ranks == tuple(booked.places())
    assert state.outcome.scores == tuple(map(int.__sub__, booked.prizes, booked.prices))
    assert sum(state.outcome.scores) == 0
    taken = [place + at for place, tied in Counter(state.outcome.ranks).items() for at in range(tied)]
    assert sorted(taken) == list(range(1, seats + 1))


def bought(state: DrawPokerState, chance: Random) -> Event | None:
    """Return a purchase that somebody makes now, or None; check that the view says who may."""
    if not state.pausing:
        return None
    for seat in state.view(EVERYONE).seats:
        for action, may in ((ReEnter(seat.seat), seat.may_reenter), (TakeAddOn(seat.seat), seat.may_add_on)):
            if not may:
                with pytest.raises(IllegalAction):
                    state.decide(action)
            elif not chance.randrange(2):
                return state.decide(action)
    return None


class Naive:
    """Books of a tournament, kept from the public JSON of its events alone."""

    def __init__(self, started: dict[str, Any]) -> None:
        self.stacks = [started["rules"]["stack"]] * len(started["seats"])
        self.pot, self.chips = 0, sum(self.stacks)
        self.entry = started["entry"]
        self.prices = [self.entry["price"]] * len(self.stacks)
        self.levels = [at for at, one in enumerate(started["levels"]["schedule"], 1) for _ in range(one["hands"])]
        self.people = [seat["kind"] == "human" for seat in started["seats"]]
        self.again, self.added = Counter[int](), Counter[int]()
        self.prizes: list[int] | None = None
        self.began = self.stacks
        self.gone: list[tuple[int, tuple[int, int, int]]] = []
        """The seats that went out, each with the round, and the chips after and before it."""
        self.round = 0

    def take(self, kind: str, event: dict[str, Any]) -> None:
        match kind:
            case "RoundStarted":
                self.round, self.began = event["round"], [*self.stacks]
            case "PotAwarded":
                for share in event["shares"]:
                    self._move(share["seat"], share["amount"])
            case "UncalledBetReturned":
                self._move(event["seat"], event["amount"])
            case "PlayerLeft":
                seat = event["seat"]
                self._move(seat, -event["amount"])
                self.gone.append((seat, (self.round, self.stacks[seat - 1], self.began[seat - 1])))
            case "Reentered":
                seat = event["seat"]
                (gone,) = [one for one in self.gone if one[0] == seat]
                assert gone[1][1] == self.stacks[seat - 1] == 0, "only who has lost all chips enters again"
                assert (event["amount"], event["price"]) == (200, self.entry["price"])
                self.gone.remove(gone)
                self.again[seat] += 1
                assert self.again[seat] <= self.entry["reentries"]
                self._buy(event)
            case "AddOnTaken":
                assert (event["amount"], event["price"]) == tuple(self.entry["addon"].values())
                assert event["seat"] not in [seat for seat, _ in self.gone]
                self.added[event["seat"]] += 1
                assert self.added[event["seat"]] == 1
                self._buy(event)
            case "ChipsRacedOff":
                self._race(event["chip"], event["stacks"])
            case "PrizesAwarded":
                assert event["prices"] == self.prices
                self.prizes = event["prizes"]
                assert event["places"] == self.places()
                assert sum(event["prizes"]) == sum(event["prices"])
            case "AntePosted" | "BlindPosted" | "Bet" | "Called" | "Raised":
                self._move(event["seat"], -event["amount"])

    def _race(self, chip: int, stacks: list[int]) -> None:
        """Give whole chips one by one to whoever has no other chips, or else most odd ones."""
        gone, now = {seat for seat, _ in self.gone}, [*self.stacks]
        odd = {at: now[at] % chip for at in range(len(now)) if at + 1 not in gone and now[at] % chip}
        whole, alone = sum(odd.values()) // chip, [at for at in odd if now[at] < chip]
        for at, chips in odd.items():
            now[at] -= chips
        for given_away in range(len(odd)):
            if given_away >= whole and not alone:
                break
            winner = max(odd, key=lambda at: (at in alone, odd[at], -at))
            now[winner] += chip
            alone = [at for at in alone if at != winner]
            del odd[winner]
        assert stacks == now
        self.chips += sum(now) - sum(self.stacks)
        self.stacks = now

    def _move(self, seat: int, chips: int) -> None:
        self.stacks[seat - 1] += chips
        self.pot -= chips

    def _buy(self, event: dict[str, Any]) -> None:
        assert self.people[event["seat"] - 1], "programs buy nothing"
        assert [*self.levels, self.levels[-1]][min(self.round, len(self.levels)) - 1] <= self.entry["until"]
        self.stacks[event["seat"] - 1] += event["amount"]
        self.chips += event["amount"]
        self.prices[event["seat"] - 1] += event["price"]

    def places(self) -> list[int]:
        """Return the place of each seat: from the last hand back, and among those still in by chips."""
        gone = dict(self.gone)
        still = {seat: (10**9, stack, 0) for seat, stack in enumerate(self.stacks, 1) if seat not in gone}
        how = {**gone, **still}
        return [1 + sum(how[other] > how[seat] for other in how) for seat in sorted(how)]


# The start.


def test_the_start_records_the_price_and_the_prizes() -> None:
    assert DRAW_POKER.start(setup()).entry == TournamentEntry(price=10, prizes=(50, 30, 20))
    assert DRAW_POKER.start(setup(prizes=None)).entry == TournamentEntry(price=10, prizes=(100,))
    assert DRAW_POKER.start(setup(entry=None, prizes=None)).entry is None
    sold = DRAW_POKER.start(setup(**SOLD)).entry
    assert sold == TournamentEntry(addon=AddOn(chips=150, price=3), price=10, prizes=(50, 30, 20), reentries=1, until=2)
    assert DRAW_POKER.start(setup(addon="70", entry_until=3)).entry == TournamentEntry(
        addon=AddOn(chips=70, price=10), price=10, prizes=(50, 30, 20), until=3
    )


@pytest.mark.parametrize(
    "options",
    [
        {"entry": 0}, {"entry": -5}, {"entry": True}, {"entry": "10"}, {"entry": 1_000_001}, {"entry": None},
        {"prizes": "60"}, {"prizes": "60,50"}, {"prizes": "40,60"}, {"prizes": "60,40,0"}, {"prizes": "a"},
        {"prizes": "60;40"}, {"prizes": "100."}, {"prizes": ""}, {"prizes": "20,20,20,20,20"},
        {"cash": True, "levels": None}, {"reentries": 1}, {"addon": "70"}, {"entry_until": 2},
        {**SOLD, "reentries": -1},
        {**SOLD, "reentries": 101}, {**SOLD, "reentries": True}, {**SOLD, "entry_until": 4}, {**SOLD, "levels": None},
        {**SOLD, "addon": "0"}, {**SOLD, "addon": "70/0"}, {**SOLD, "addon": "a"}, {**SOLD, "addon": "70/2000000"},
        {"reentries": 1, "entry": None, "prizes": None},
    ],
)  # fmt: skip
def test_prizes_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        DRAW_POKER.start(setup(**options))


def test_prizes_are_awarded_only_where_they_are_played_for_and_only_once() -> None:
    awarded = events.PrizesAwarded((1, 2), (10, 10), (20, 0))
    for game in (people(2, entry=None, prizes=None), people(2).given(awarded)):
        with pytest.raises(ImpossibleEvent):
            game.state.apply(awarded)
    with pytest.raises(ImpossibleEvent):
        people(3).state.apply(awarded)


# In words.


def test_the_end_tells_places_and_prizes() -> None:
    game = lost_in_one_hand(400, 100, 100)
    done = game.deal_on()
    assert [WORDS.tell(event, game.state) for event in done[-2:]] == [
        "The prizes of 30 units: Ann wins 18, Bob wins 6 and Cy wins 6",
        "The game is over: fewer than two players can go on. Places: 1 Ann, 2 Bob and Cy",
    ]
    assert [line.split("$")[1] for line in WORDS.show(game.view())[1:]] == [
        "600  place 1, wins 18", "0    place 2, wins 6", "0    place 2, wins 6",
    ]  # fmt: skip
    assert "The entry costs 10 units; the first places win 60% and 40%" in "\n".join(WORDS.about(game.view()))


def test_lists_tell_the_result_in_units(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    play(path, "prizes", "draw", setup())
    with Database.for_writing(str(path)) as database:
        found = summary(database, "prizes")
        assert found.outcome is not None
        assert found.facts == {"house": "no-limit", "unit": "units"}
        first = found.seats[found.outcome.winners[0] - 1].name
        assert found.result == f"{first} is first, with +10 units"
        lines = WORDS.standings_of(found.facts, found.seats, found.outcome.scores)
        assert sorted(line.split()[1] for line in lines) == ["+10", "+2", "-10", "-2"]
        result = Evenings(database).result("prizes")
        assert (result.amounts.unit, result.of_rounds.unit) == ("units", "chips")
        assert sorted(result.nets.values()) == [-10, -2, 2, 10]
        assert result.winners == {first}
        assert DRAW_POKER.gains(DRAW_POKER.start(setup()), found.outcome) == found.outcome.scores


def test_nobody_has_a_result_in_units_before_the_end(tmp_path: Path) -> None:
    with Database.for_writing(str(tmp_path / "x.sqlite")) as database:
        service = Service(EventLog(database))
        service.start("draw", setup(), game_id="prizes")
        service.play_round("prizes")
        assert Evenings(database).result("prizes").nets == {}
