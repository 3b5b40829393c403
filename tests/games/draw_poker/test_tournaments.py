"""Tournaments: places by who went out when, and prizes of what all have paid; chips and units are never mixed."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import CloseGame, Leave
from pokersvc.core.event import Event, ImpossibleEvent
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
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.house.levels import Level, Levels
from pokersvc.service import Service
from pokersvc.service.read_models.evening import Evenings
from pokersvc.service.read_models.history import summary
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.web.node import WEB, node
from tests.web.played import opened, play, streamed

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


# Random tournaments.


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_chips_and_prizes_balance_after_every_event_and_every_place_is_given_once(data: st.DataObject) -> None:
    draw = data.draw
    seats = draw(st.integers(2, 6))
    cuts = sorted(draw(st.sets(st.integers(1, 99), max_size=seats - 1)))
    prizes = sorted((b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)), reverse=True)
    price, house = draw(st.integers(1, 1000)), draw(st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]))
    kinds = draw(st.lists(st.sampled_from([HUMAN, "random"]), min_size=seats, max_size=seats))
    chance = Random(draw(st.integers(0, 10**9)))
    text = str(chance.random())
    given_ = {"rules": house, "entry": price, "prizes": ",".join(map(str, prizes))}
    started = DRAW_POKER.start(setup(*kinds, rounds=draw(st.sampled_from([None, 3])), text=text, **given_))
    booked = Naive(json.loads(DRAW_POKER.codec.encode(started).payload))
    state, books = DRAW_POKER.new(started), DRAW_POKER.books(started)
    entropy = EntropySource.from_text(text).entropy()
    while state.outcome is None:
        may_leave = [seat for seat in range(1, seats + 1) if state.pausing and kinds[seat - 1] == HUMAN]
        event: Event | None = None
        if (leaving := [seat for seat in may_leave if state.playing(seat)]) and not chance.randrange(8):
            event = state.decide(Leave(chance.choice(leaving)))
        elif (event := state.dealer_event(entropy)) is None:
            seat = state.to_act
            assert seat is not None
            event = state.decide(RandomPlayer().choose(state.view(seat), state.legal(seat), chance))
        state.apply(event)
        booked.take(type(event).__name__, json.loads(DRAW_POKER.codec.encode(event).payload))
        assert [*books.post(event), *books.compare(state)] == []
        assert booked.stacks == state.stacks[1:]
        assert sum(booked.stacks) + booked.pot == 200 * seats
    assert booked.prizes is not None
    assert state.outcome.ranks == tuple(booked.places())
    assert state.outcome.scores == tuple(prize - price for prize in booked.prizes)
    assert sum(state.outcome.scores) == 0
    taken = [place + at for place, tied in Counter(state.outcome.ranks).items() for at in range(tied)]
    assert sorted(taken) == list(range(1, seats + 1))


class Naive:
    """Books of a tournament, kept from the public JSON of its events alone."""

    def __init__(self, started: dict[str, Any]) -> None:
        self.stacks = [started["rules"]["stack"]] * len(started["seats"])
        self.pot = 0
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
            case "PrizesAwarded":
                self.prizes = event["prizes"]
                assert event["places"] == self.places()
                assert sum(event["prizes"]) == sum(event["prices"])
            case "AntePosted" | "BlindPosted" | "Bet" | "Called" | "Raised":
                self._move(event["seat"], -event["amount"])

    def _move(self, seat: int, chips: int) -> None:
        self.stacks[seat - 1] += chips
        self.pot -= chips

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


@pytest.mark.parametrize(
    "options",
    [
        {"entry": 0}, {"entry": -5}, {"entry": True}, {"entry": "10"}, {"entry": 1_000_001}, {"entry": None},
        {"prizes": "60"}, {"prizes": "60,50"}, {"prizes": "40,60"}, {"prizes": "60,40,0"}, {"prizes": "a"},
        {"prizes": "60;40"}, {"prizes": "100."}, {"prizes": ""}, {"prizes": "20,20,20,20,20"},
        {"cash": True, "levels": None},
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


# Doctored logs, with all hashes made anew.


def write(service: Service) -> None:
    service.start("draw", setup(), game_id="prizes")
    while service.status("prizes").outcome is None:
        service.play_round("prizes")


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


def test_it_passes_as_it_was_played(written: bytes) -> None:
    with tampering(written) as found:
        assert found.audit("prizes") == []


@pytest.mark.parametrize("field", ["places", "prices", "prizes"])
def test_another_award_is_found(written: bytes, field: str) -> None:
    with tampering(written) as found:
        (record,) = [one for one in found.records("prizes") if one.type == "PrizesAwarded"]
        first, second, *rest = json.loads(record.payload)[field]
        doctored = [first + 1, second, *rest] if first == second else [second, first, *rest]
        seq = forged(found, "prizes", "PrizesAwarded", public(**{field: doctored}))
        assert seq in [one.seq for one in only(found.audit("prizes"), "rules")]


@pytest.mark.parametrize("entry", [{"price": 20, "prizes": [50, 30, 20]}, {"price": 10, "prizes": [100]}, None])
def test_another_entry_than_that_of_the_award_is_found(written: bytes, entry: dict[str, Any] | None) -> None:
    with tampering(written) as found:
        forged(found, "prizes", "GameStarted", public(entry=entry))
        assert found.audit("prizes")


@pytest.mark.parametrize("entry", [{"price": 10, "prizes": [90]}, {"price": 10, "prizes": [20, 80]}])
def test_an_entry_that_cannot_be_is_found_in_the_start(written: bytes, entry: dict[str, Any]) -> None:
    with tampering(written) as found:
        forged(found, "prizes", "GameStarted", public(entry=entry))
        assert 1 in [one.seq for one in found.audit("prizes")]


def test_an_award_that_is_missing_is_found(written: bytes) -> None:
    with tampering(written) as found:
        records = [one for one in found.records("prizes") if one.type != "PrizesAwarded"]
        found.rewrite("prizes", records)
        assert found.audit("prizes")


def test_the_page_verifies_places_and_prizes(tmp_path: Path) -> None:
    games = []
    for index, house in enumerate(["no-limit", "pot-limit", "fixed-limit", "capped-raise"]):
        levels = None if house == "capped-raise" else FAST
        one = setup(rules=house, levels=levels, text=house, prizes="60,40" if index else "100")
        records = play(tmp_path / f"{index}.sqlite", f"prizes-{index}", "draw", one)
        games.append(
            {
                "name": house, "game": f"prizes-{index}", "seat": 1, "records": streamed(records, "draw", 1),
                "opened": opened(records, "draw"), "head": records[-1].hash.hex(),
            }
        )  # fmt: skip
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="ascii")
    *not_good, total = node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()
    assert not_good == []
    assert json.loads(total)["games"] == 4
