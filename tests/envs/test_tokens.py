"""Events as numbers, exactly as docs/envs.md defines them."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, Literal

import pytest

from pokersvc.cards import Card, parse_cards
from pokersvc.core.event import COMMITTED, Audience, Event, withhold
from pokersvc.envs import raw_env
from pokersvc.envs.tokens import EventForm, EventTokens, NoNumbers
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events, versions
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah.events import BeansSown, GameEnded
from pokersvc.games.kalah.game import Kalah
from tests.nim.game import NIM


class Way(Enum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Inner:
    hashes: tuple[bytes, ...]
    size: int
    way: Way


@dataclass(frozen=True, slots=True)
class Everything(Event):
    flag: bool
    inner: Inner
    maybe: Annotated[int | None, "an annotation"]
    name: str
    pair: tuple[int, bytes, Literal["a", "b"]]
    salt: bytes | None
    seed: Annotated[bytes | None, Audience.DEALER]
    several: tuple[Inner, ...]


@dataclass(frozen=True, slots=True)
class OfSeatAlone(Event):
    cards: Annotated[tuple[Card, ...] | None, Audience.SEAT]
    digests: Annotated[tuple[bytes, ...], COMMITTED]
    seat: int


@dataclass(frozen=True, slots=True)
class OfSeatUncommitted(Event):
    cards: Annotated[tuple[Card, ...] | None, Audience.SEAT]
    seat: int


@dataclass(frozen=True, slots=True)
class OfAll(Event):
    cards: tuple[Card, ...] | None
    seat: int


@dataclass(frozen=True, slots=True)
class OfSeatAndDealer(Event):
    card: Annotated[Card | None, Audience.SEAT]
    number: Annotated[int | None, Audience.DEALER]
    seat: int


@dataclass(frozen=True, slots=True)
class Odd(Event):
    size: int | str


@dataclass(frozen=True, slots=True)
class Worse(Event):
    size: float


def test_each_kind_of_value_is_written_as_the_page_says() -> None:
    inner = Inner((b"\1", b"\2"), -7, Way.RIGHT)
    event = Everything(True, inner, None, "Añ", (3, b"\0", "b"), b"\0", b"\1", (inner, inner))
    form = EventForm(Everything, 9)
    assert form.write(event) == [9, 1, -7, 1, 0, 2, 65, 241, 3, 1, 2, -7, 1, -7, 1]
    assert form.write_hidden(event) == form.write(event)
    assert not form.of_seat, "what only the dealer knows is left out for everyone"
    given = Everything(False, inner, 5, "", (3, b"\0", "a"), None, None, ())
    assert form.write(given) == [9, 0, -7, 1, 1, 5, 0, 3, 0, 0]


def test_a_secret_is_missing_for_all_but_its_seat() -> None:
    form = EventForm(OfSeatAlone, 2)
    event = OfSeatAlone(parse_cards("2C AS"), (b"\1", b"\2"), 3)
    assert form.of_seat
    assert form.write(event) == [2, 1, 2, 0, 51, 3]
    assert form.write_hidden(event) == form.write(withhold(event)) == [2, 0, 3]


def test_a_secret_that_the_dealer_has_a_part_in_is_missing_for_its_seat_too() -> None:
    form = EventForm(OfSeatAndDealer, 2)
    assert not form.of_seat
    assert form.write_hidden(OfSeatAndDealer(Card("AS"), 5, 3)) == [2, 0, 3]


@pytest.mark.parametrize(
    ("event_type", "why"),
    [
        (Odd, r"^Odd\.size cannot be written as numbers: it may have values of several types\.$"),
        (
            Worse,
            r"^Worse\.size cannot be written as numbers: values of <class 'float'> are not made of",
        ),
    ],
)
def test_what_is_not_made_of_numbers_is_named(event_type: type[Event], why: str) -> None:
    with pytest.raises(NoNumbers, match=why):
        EventForm(event_type, 1)


def test_types_have_the_numbers_in_which_their_game_lists_them() -> None:
    kalah = EventTokens(KALAH)
    assert kalah.of(BeansSown(4, 1, 6, 2, 1)) == [2, 4, 1, 6, 2, 1]
    assert kalah.of(GameEnded((30, 18), "forfeit", (1,))) == [7, 30, 18, 1, 1, 1]


def test_only_the_newest_version_of_a_type_has_a_number() -> None:
    types = EventTokens(DRAW_POKER).types
    assert set(types.values()) == set(range(1, max(types.values()) + 1))
    assert not set(types) & set(versions.UPCASTERS)
    assert events.HandDealt in types
    assert len(EventTokens(NIM).types) == len({*NIM.event_types.values()} - {*NIM.upcasters})


class KalahOfManyDeals(Kalah):
    event_types: ClassVar = {
        ("Dealt", 1): OfSeatUncommitted,
        ("Ended", 1): GameEnded,
        ("Dealt", 2): OfSeatAlone,
        ("Dealt", 3): OfAll,
        ("BeansSown", 1): BeansSown,
    }


def test_types_of_one_name_have_one_number_where_they_tell_the_same() -> None:
    types = EventTokens(KalahOfManyDeals()).types
    assert types == {OfSeatUncommitted: 1, OfSeatAlone: 1, OfAll: 2, GameEnded: 3, BeansSown: 4}


@pytest.mark.parametrize("house", ["fixed-limit", "no-limit"])
def test_a_seat_sees_the_same_numbers_among_programs_as_among_people(house: str) -> None:
    seen: dict[str, list[bytes]] = {}
    dealt = set[type[Event]]()
    for learner in ("learner.py:Learner", "human"):
        env = raw_env("draw", options={"rules": house}, seats=2, rounds=3, learner=learner, bots={2: "steady"})
        env.reset(seed=1)
        while (turn := env.episode.turn) is not None:
            seen.setdefault(learner, []).append(env.observe("seat_1")["observation"].tobytes())
            env.step(1 if 1 in turn.numbers else turn.numbers[-1])
        dealt |= {type(event) for event in env.episode.events}
    programs, people = seen.values()
    assert programs == people
    assert dealt >= {events.HandDealt, events.CardsDrawn, earlier_events.HandDealt, earlier_events.CardsDrawn}
