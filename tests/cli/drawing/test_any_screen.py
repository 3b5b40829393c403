"""Random games of any kind: each screen fits the terminal, breaks no word, and shows nothing hidden."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cli.drawing.layout import Asking, Scene
from pokersvc.cli.play.keys import BETWEEN
from pokersvc.core.drawing import Line, Room, plain, width
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_words import event_words
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from tests.games.draw_poker import played, test_cash_games, test_recorded_properties
from tests.games.draw_poker.retold import Dealt, learned, retold
from tests.games.draw_poker.told import quote, told

ROOMS: Final = (Room(60, 19), Room(80, 23), Room(120, 39))
"""Terminals of 60 x 20, 80 x 24 and 120 x 40, without the row that is typed in."""
BRIEF: Final = {"SB", "BB", "extra", "dead", "straddle", "more", "hand", "hands", "and", "one", "high", "card"}
"""Words that replace longer texts where there is little room."""
NAMES: Final = ("Ann", "You", "安娜" * 4, "Annabelle-Josephine von und zu Hausen", "Lord of The Cards", "Ö")
WORD: Final = re.compile(r"[^\W\d_]{2,}…?")

Log = tuple[str, Sequence[Event]]
"""The kind of a game, and its events from the first."""


@st.composite
def houses(draw: st.DrawFn) -> Log:
    """A round or two in any house, with players who go all in, leave and forfeit."""
    rules = preset(draw(st.sampled_from(preset_names())))
    kinds = draw(st.lists(st.sampled_from([HUMAN, *played.KINDS]), min_size=2, max_size=10))
    plan = played.Plan(tuple(kinds), draw(st.integers(1, 2)), rules, draw(st.integers(0, 2**32)), rules.stack)
    started, happened = played.play(plan)
    return "draw", [started, *happened]


@st.composite
def cash_games(draw: st.DrawFn) -> Log:
    """Cash games with rake, where people buy chips, sit out, come back and get up."""
    return "draw", test_cash_games.play(draw(test_cash_games.tables()), Random(draw(st.integers(0, 2**32)))).log


@st.composite
def recorded_hands(draw: st.DrawFn) -> Log:
    """Hands dealt elsewhere; some cards are unknown, or were learned from another file."""
    hand: Dealt = draw(test_recorded_properties.hands())
    random = Random(draw(st.integers(0, 2**16)))
    hidden = {seat for seat in hand.dealt_in if random.random() < 0.6}
    game = told(*retold(hand, hidden))
    if random.random() < 0.5:
        game.learn(quote(text="all cards"), *(learned(hand, seat) for seat in sorted(hidden)))
    return "draw", game.events


@st.composite
def markets(draw: st.DrawFn) -> Log:
    """Markets in which everybody trades at random."""
    return "market", chosen(
        "market", draw(st.integers(2, 10)), draw(st.integers(0, 2**32)), {"markets": draw(st.integers(1, 2))}
    )


@st.composite
def boards(draw: st.DrawFn) -> Log:
    """Kalah on boards of all sizes."""
    sizes = {"holes": draw(st.integers(1, 12)), "beans": draw(st.integers(1, 9))}
    return "kalah", chosen("kalah", 2, draw(st.integers(0, 2**32)), sizes)


def chosen(kind: str, players: int, seed: int, options: dict[str, Any]) -> list[Event]:
    """Return the events of a game in which all choose at random."""
    game, random = game_of(kind), Random(seed)
    rounds = None if kind == "kalah" else 2
    seats = tuple(Seat(HUMAN, f"Player{number}") for number in range(1, players + 1))
    started = game.start(Setup(seats, EntropySource.from_text(str(seed)), rounds, options))
    state, log = game.new(started), [started]
    while state.outcome is None and len(log) < 150:
        seat = state.to_act
        if seat is None:
            event = state.dealer_event(started.entropy.entropy() if started.entropy is not None else None)
            assert event is not None
        else:
            event = state.decide(any_choice(seat, state.legal(seat), random))
        state.apply(event)
        log.append(event)
    return log


def any_choice(seat: int, legal: Any, random: Random) -> Any:
    if hasattr(legal, "holes"):
        return Sow(seat, random.choice(legal.holes))
    if legal.answer is not None:
        return random.choice((Accept, Decline))(seat)
    partner, cards = random.choice(legal.gets)
    return random.choice((Pass(seat), Propose(seat, random.choice(legal.gives), partner, random.choice(cards))))


GAMES: Final = {"house": houses, "cash": cash_games, "recorded": recorded_hands, "market": markets, "board": boards}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3)
@given(st.data(), st.integers(0, 2**32))
def test_any_moment_has_a_screen_that_fits(name: str, data: st.DataObject, seed: int) -> None:
    looked_at(data.draw(GAMES[name]()), seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(st.data(), st.integers(0, 2**32))
def test_any_moment_of_many_games_has_a_screen_that_fits(name: str, data: st.DataObject, seed: int) -> None:
    looked_at(data.draw(GAMES[name]()), seed, often=0.5)


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_any_moment_of_more_games_has_a_screen_that_fits(name: str, data: st.DataObject, seed: int) -> None:
    looked_at(data.draw(GAMES[name]()), seed, often=0.5)


def looked_at(log: Log, seed: int, often: float = 0.15) -> None:
    """Follow a game as one of its viewers does, and look at its screen now and then."""
    kind, (started, *happened) = log
    random, game = Random(seed), game_of(kind)
    names = random.sample(NAMES, len(NAMES))
    renamed: Any = started
    seats = tuple(
        seat if number >= len(names) else Seat(seat.kind, names[number]) for number, seat in enumerate(renamed.seats)
    )
    started = replace(renamed, seats=seats)
    viewer = random.choice([EVERYONE, AUDITOR, *range(1, len(seats) + 1)])
    state, copy = game.new(started), game.new(redact(started, viewer))
    scene = Scene("A game of a kind")
    for event in happened:
        state.apply(event)
        copy.apply(redact(event, viewer))
        scene.log.append(event_words(game, redact(event, viewer), copy, seats))
        if random.random() < often or event is happened[-1]:
            scene.seen = random.randint(0, len(scene.log))
            look(game, state.view(viewer), copy.view(viewer), scene, legal_of(state, viewer), random)


def legal_of(state: Any, viewer: Viewer) -> Any:
    return state.legal(viewer) if state.to_act == viewer else None


def look(game: Game, view: Any, known: Any, scene: Scene, legal: Any, random: Random) -> None:
    """Check the screen at each size, and that it depends only on what its viewer may know."""
    words = game.words
    typed = random.choice(["", "1", "1 3", "2 4 5", "1 2.3", "nonsense"])
    scene.asking, scene.question = asking(words, view, legal)
    drawn = {room: scene.lines(room, typed) for room in ROOMS}
    wide = scene.lines(Room(400, 200), typed)
    scene.asking, scene.question = asking(words, known, legal)
    for room, lines in drawn.items():
        assert lines == scene.lines(room, typed), "it is drawn from what its viewer may know"
        assert len(lines) == room.rows
        assert max(map(width, lines)) <= room.columns, plain(lines)
    whole = BRIEF | set(WORD.findall("\n".join([*plain(wide), *scene.log])))
    for lines in drawn.values():
        assert [word for word in WORD.findall("\n".join(plain(lines))) if not is_whole(word, whole)] == []


def asking(words: Any, view: Any, legal: Any) -> tuple[Asking, str]:
    def draw(room: Room) -> list[Line]:
        found: list[Line] = words.draw(view, room)
        return found

    if legal is None:
        return Asking(draw, keys=BETWEEN), "Waiting for the others"

    def draw_picked(typed: str, room: Room) -> list[Line] | None:
        found: list[Line] | None = words.draw_picked(typed, view, legal, room)
        return found

    question = words.ask_briefly(view, legal, advised=False)
    return Asking(draw, words.shortcuts(view, legal), BETWEEN, draw_picked=draw_picked), question


def is_whole(word: str, whole: set[str]) -> bool:
    """Return whether a word is drawn in full, or cut with a mark that shows it."""
    return word in whole or (word.endswith("…") and any(other.startswith(word[:-1]) for other in whole))


@pytest.mark.parametrize(("word", "whole"), [("Ann", True), ("An…", True), ("An", False), ("Bo…", False)])
def test_a_cut_word_is_found(word: str, whole: bool) -> None:
    assert is_whole(word, {"Ann", "folded"}) == whole
