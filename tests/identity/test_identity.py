"""The stored digests still match, and the comparison notices changes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc.cards import shuffle
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.betting_terms import house_terms
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import RecordedInputs
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.poker_market.state import PokerMarketState

from .__main__ import main
from .comparing import KEPT, Digests, differences, digests_of, kept
from .making import ALL, GROUPS, make
from .said import FOLLOWS, MOVED, NAMES, SINCE
from .telling import FAULT, WHOLE, told

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

GAME = "vector-draw"
KINDS = len(GROUPS) - 2
"""Without the last two groups, whose games are as those of others with a seat less."""
SOME = 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixture: a folder with one game of each kind."""
    folder = tmp_path_factory.mktemp("identity")
    make(folder, KINDS)
    return folder


def changed(found: Digests) -> list[str]:
    before = kept()
    return list(differences({game: before[game] for game in found}, found))


def test_a_game_of_each_kind_is_as_it_was(folder: Path) -> None:
    found = digests_of(one for one in told(folder) if one.game != WHOLE)
    assert len(found) == KINDS
    assert changed(found) == []


@pytest.mark.slow
def test_two_hundred_games_are_as_they_were(tmp_path: Path) -> None:
    """Among them all of the groups that have few."""
    make(tmp_path, SOME)
    found = digests_of(one for one in told(tmp_path) if one.game != WHOLE)
    assert len(found) == SOME
    assert changed(found) == []


@pytest.mark.slow
@pytest.mark.exhaustive
def test_all_games_are_as_they_were(tmp_path: Path) -> None:
    make(tmp_path)
    found = digests_of(told(tmp_path))
    assert len(found) == ALL + 1
    assert changed(found) == []


def test_what_is_kept_is_small() -> None:
    assert KEPT.stat().st_size < 300_000


# What changes is noticed, where it shows.

_TERMS, _TELL = house_terms, DrawPokerWords.tell
CHANGES: dict[str, tuple[str, Any, set[str]]] = {
    "the minimum is one more": (
        "pokersvc.games.draw_poker.situation.house_terms",
        lambda *of: (terms := _TERMS(*of))._replace(
            streets=tuple(replace(street, least=street.least + 1) for street in terms.streets)
        ),
        {"legal", "refusals"},
    ),
    "a sentence of an event": (
        "pokersvc.games.draw_poker.display.words.DrawPokerWords.tell",
        lambda words, event, state: _TELL(words, event, state).replace("calls", "sees"),
        {"replay"},
    ),
    "a sentence of refusals": ("pokersvc.betting.choices.either", " or ".join, {"refusals"}),
    "what a view shows": ("pokersvc.games.draw_poker.view._drawn", lambda _: 0, {"views"}),
    "the deck": (
        "pokersvc.streets.state.shuffle",
        lambda *of: shuffle(*of)[::-1],
        {"decided", "audit", "verified"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_noticed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, other, shows = CHANGES[name]
    monkeypatch.setattr(where, other)
    before = kept()[GAME]
    (found,) = digests_of(told(folder, GAME)).values()
    assert shows <= {aspect for aspect, digest in found.items() if digest != before[aspect]}


def test_a_game_that_cannot_be_told_is_a_difference(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.games.draw_poker.decisions.legal", lambda *_: 1 / 0)
    found = digests_of(told(folder, GAME))
    assert FAULT in found[GAME]
    assert changed(found)


def test_two_tellings_are_compared(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tmp_path / name) for name in ("before", "again", "after")]
    for file in files[:2]:
        main(["tell", str(folder), file, "--whole", "--only", GAME])
    assert main(["compare", *files[:2]]) == 0
    monkeypatch.setattr(*CHANGES["a sentence of an event"][:2])
    main(["tell", str(folder), files[2], "--whole", "--only", GAME])
    capsys.readouterr()
    assert main(["compare", files[0], files[2]]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{GAME}: replay"
    before, after = [next(line for line in printed if line.strip().startswith(mark)) for mark in ("- ", "+ ")]
    assert before != after


@pytest.mark.parametrize("state", [DrawPokerState, PokerMarketState, KalahState])
def test_all_of_a_state_is_told(state: type) -> None:
    names = {*NAMES[state.__name__].split(), *(MOVED if state is DrawPokerState else ())}
    told = {MOVED[name].slot if name in MOVED else name for name in names}
    slots = {slot for cls in state.__mro__ for slot in getattr(cls, "__slots__", ())}
    assert {slot for slot in slots if not slot.startswith("cached_")} == told | ((FOLLOWS | SINCE) & slots)


def test_all_of_what_was_recorded_is_told() -> None:
    assert {*RecordedInputs.__slots__} == {*NAMES["RecordedInputs"].split()}
