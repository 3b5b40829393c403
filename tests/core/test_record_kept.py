"""The events that a record keeps and shows, compared with lists that keep all, with few rounds kept."""

import pickle
from random import Random
from typing import Final

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core import record
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.core.record import Extent, GameRecord, Seen, extend
from pokersvc.games.draw_poker.earlier_events import HandDealt
from pokersvc.games.draw_poker.events import Checked

KEPT, SLACK = 4, 2
CARDS: Final = parse_cards("AH TD 2C 9S KC")
VIEWERS: Final[tuple[Viewer, ...]] = (AUDITOR, EVERYONE, 1, 2)


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "ROUNDS", KEPT)
    monkeypatch.setattr(record, "_SLACK", SLACK)


def any_event(random: Random) -> Event:
    return random.choice([Checked(random.randint(1, 9)), HandDealt(CARDS, 5, random.randint(1, 3))])


def seen_of(rounds: list[list[Event]], viewer: Viewer) -> list[tuple[Event, ...]]:
    """Return what a viewer knows of the kept rounds, the current round last."""
    return [tuple(redact(event, viewer) for event in one) for one in rounds[-KEPT - 1 :]]


def check_seen(seen: Seen[Event], rounds: list[list[Event]], viewer: Viewer) -> None:
    shown, number = seen_of(rounds, viewer), len(rounds) - 1
    flat = [event for one in shown for event in one]
    assert seen.round == shown[-1]
    assert seen.past == tuple(shown[:-1])
    assert seen.all() == shown
    assert list(seen) == flat
    assert seen.extent == Extent(number, len(rounds[-1]))
    assert [seen.last(count) for count in (0, 1, 3, 100)] == [[], flat[-1:], flat[-3:], flat]
    assert repr(seen) == f"Seen(<{len(shown) - 1} past rounds>, {shown[-1]!r})"
    for back in range(-1, KEPT + 2):
        then = Extent(number - back, 1)
        news = seen.since(then)
        if 0 <= back < len(shown) and (back or shown[-1]):
            assert news == [shown[-1 - back][1:], *shown[len(shown) - back :]]
        else:
            assert news is None
    for other in (seen.alone(), pickle.loads(pickle.dumps(seen)), Seen.of_events(shown[:-1], shown[-1])):
        assert other == seen
        assert hash(other) == hash(seen)
    assert seen.alone().extent == seen.extent
    assert seen != Seen.of_events(shown[:-1], (*shown[-1], Checked(1)))
    assert seen != Seen.of_events([*shown[:-1], ()], shown[-1])
    if shown[-1]:
        assert seen != Seen.of_events(shown[:-1], (*shown[-1][:-1], Checked(77)))
    if shown[:-1]:
        assert seen != Seen.of_events([*shown[:-2], (*shown[-2], Checked(77))], shown[-1])


@pytest.mark.parametrize("seed", range(3))
def test_a_record_is_what_happened_as_far_as_it_is_kept(seed: int) -> None:
    random, happened = Random(seed), GameRecord[Event]()
    notes = happened.beside()
    rounds: list[list[Event]] = [[]]
    told: list[tuple[Seen[Event], list[list[Event]], Viewer]] = []
    for _ in range(60):
        if random.random() < 0.3:
            happened.turn()
            rounds.append([])
        else:
            happened.events.append(event := any_event(random))
            rounds[-1].append(event)
        notes.events.append(any_event(random))
        assert happened.number == notes.number == len(rounds) - 1
        assert happened.round == max(len(rounds) - 1 + bool(rounds[-1]), 1)
        assert [list(one.items) for one in happened.rounds[-KEPT:]] == rounds[:-1][-KEPT:]
        kept = sum(len(one.items) for one in happened.begun.rounds[: happened.begun.stop])
        beside_it = sum(len(one.items) for one in notes.begun.rounds[: notes.begun.stop]) + len(notes.events)
        assert happened.kept == kept * (1 + len(happened.looked_back)) + len(rounds[-1]) + beside_it
        assert KEPT + SLACK >= happened.begun.stop >= min(len(rounds) - 1, KEPT)
        viewer = random.choice(VIEWERS)
        check_seen(happened.seen(viewer), rounds, viewer)
        assert happened.looked_back <= {EVERYONE, 1, 2}
        told.append((happened.seen(viewer), [list(one) for one in rounds], viewer))
        check_seen(*random.choice(told[-6:]))
        again = GameRecord[Event]()
        extend(again, rounds)
        assert again == happened
        again.events.append(Checked(3))
        assert again != happened
    assert (happened == 5, happened.seen(1) == 5) == (False, False)


def test_records_of_two_viewers_are_equal_where_they_saw_the_same() -> None:
    happened = GameRecord[Event]()
    happened.events.append(Checked(1))
    assert happened.seen(1) == happened.seen(2) == happened.seen(AUDITOR)
    happened.events.append(HandDealt(CARDS, 5, 1))
    assert happened.seen(1) == happened.seen(AUDITOR) == happened.seen(1)
    assert happened.seen(1) != happened.seen(2)


def test_what_is_stopped_keeps_nothing_but_its_number() -> None:
    happened = GameRecord[Event]()
    notes = happened.beside()
    extend(happened, [[Checked(1)], [Checked(2), Checked(3)]])
    happened.stop()
    happened.events.append(Checked(4))
    happened.turn()
    notes.events.append(Checked(4))
    assert (happened.number, notes.number, happened.kept, len(happened.events), len(notes.events)) == (2, 2, 0, 0, 0)
    assert happened.seen(1).all() == [()]
    other = GameRecord[Event]()
    extend(other, [[], [], [Checked(9)]])
    assert happened == other
    other.turn()
    assert happened != other
