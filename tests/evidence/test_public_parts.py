"""Partly hidden events: `verify` and the page check the public part in every copy."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.evidence.jsonl import line_of

from .doctored.copies import exported
from .doctored.corpus import Doctored
from .doctored.games import Game, games, released
from .test_doctored import differences, on_the_page, verified

Said = dict[str, Any]
_RELEASED: Final = {game.name: game for game in released()}


def copy(
    game: Game, at: int, change: Callable[[Said], object], viewer: Viewer = EVERYONE, *, opens: bool = False
) -> bytes:
    """Return a copy of a game with one event's payload changed and every hash recomputed."""
    lines = list(map(dict, game.lines))
    said = json.loads(lines[at]["payload"])
    change(said)
    lines[at]["payload"] = json.dumps(said, separators=(",", ":"))
    return b"".join(map(line_of, exported(game, lines, viewer, opens=opens)))


def places(game: Game, type_: str) -> list[int]:
    return [at for at, line in enumerate(game.lines) if line["type"] == type_]


def refused(content: bytes, folder: Path) -> tuple[str, str]:
    """Return the finding of `verify` and the problem code of the page; both must refuse the file."""
    (said,) = on_the_page([Doctored("", "", content)], folder)
    finding = verified(content)
    assert finding, said
    assert "code" in said, finding
    return finding, said["code"]


# Hands that are revealed after the game.


def twice(said: Said) -> None:
    cards = said["hands"][-1]["cards"]
    cards[-1] = cards[0]


def in_two_hands(said: Said) -> None:
    said["hands"][-1]["cards"][-1] = said["hands"][0]["cards"][0]


@pytest.mark.parametrize(("change", "right"), [(twice, "five different"), (in_two_hands, "no card in two hands")])
@pytest.mark.parametrize("viewer", [EVERYONE, 1])
def test_no_card_is_twice_in_the_hands_that_are_revealed(
    change: Callable[[Said], None], right: str, viewer: Viewer, tmp_path: Path
) -> None:
    game = _RELEASED["engine-3/left"]
    at = next(
        at
        for at in places(game, "HandsRevealed")
        if sum(hand["seat"] != 1 for hand in json.loads(game.lines[at]["payload"])["hands"]) > 1
    )
    finding, code = refused(copy(game, at, change, viewer), tmp_path)
    assert "(HandsRevealed)" in finding
    if viewer == EVERYONE:
        assert right in finding
    assert code == "cards"


def test_nobody_is_shown_the_readers_own_hand_as_another_ones(tmp_path: Path) -> None:
    game = _RELEASED["engine-3/left"]
    held: dict[int, list[str]] = {}
    round_ = 0
    for line in game.lines:
        said = json.loads(line["payload"])
        if line["type"] == "RoundStarted":
            round_ = said["round"]
        elif line["type"] == "HandDealt" and said["seat"] == 1:
            held[round_] = json.loads(line["secret"])["cards"]
        elif line["type"] == "CardsDiscarded" and said["seat"] == 1 and said["count"]:
            held.pop(round_, None)
    at = next(
        at
        for at in places(game, "HandsRevealed")
        if (said := json.loads(game.lines[at]["payload"]))["hands"][-1]["seat"] != 1 and said["round"] in held
    )

    def as_anothers(said: Said) -> None:
        said["hands"][-1]["cards"] = held[said["round"]]

    finding, code = refused(copy(game, at, as_anothers, 1), tmp_path)
    assert "no card in two hands" in finding
    assert code == "cards"


@pytest.mark.slow
def test_a_folded_hand_that_was_dealt_again_may_be_in_two_hands(tmp_path: Path) -> None:
    for game in _RELEASED.values():
        if places(game, "DeckReshuffled"):
            content = copy(game, 0, lambda _: None)
            assert verified(content) == ""
            assert on_the_page([Doctored("", "", content)], tmp_path) == [{"state": "good"}]


def test_a_copy_is_of_a_seat_that_there_is(tmp_path: Path) -> None:
    finding, code = refused(copy(_RELEASED["engine-3/left"], 0, lambda _: None, 99), tmp_path)
    assert "the copy of seat 99" in finding
    assert code == "not_a_record"


# Every event, one thing at a time.


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
        return
    for key, one in inner:
        yield from _leaves(one, (*path, key))


def _put(value: Any, path: tuple[Any, ...], leaf: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = leaf


Leaf = tuple[str, ...]
"""An event type, and the path of field names to one of its values."""


def _leaf(type_: str, path: tuple[Any, ...]) -> Leaf:
    return type_, *(name for name in path if isinstance(name, str))


def _all_that_is_said() -> dict[Leaf, list[str]]:
    """Return all values that are words in any game."""
    words: dict[Leaf, set[str]] = {}
    for game in games():
        for line in game.lines:
            for path, value in _leaves(json.loads(line["payload"])):
                if isinstance(value, str):
                    words.setdefault(_leaf(line["type"], path), set()).add(value)
    return {leaf: sorted(found) for leaf, found in words.items()}


def _changed(most: int, random: Random) -> Iterator[tuple[Leaf, Doctored]]:
    """Yield copies with one value changed, as many for each kind; both public copies and others."""
    words, done = _all_that_is_said(), Counter[tuple[str, Leaf]]()
    shuffled = [game for game in games() if game.name != "elsewhere"]
    random.shuffle(shuffled)
    for game in shuffled:
        for at, line in enumerate(game.lines):
            for path, value in _leaves(json.loads(line["payload"])):
                leaf = _leaf(line["type"], path)
                if done[game.kind, leaf] >= most or random.random() < 0.6:
                    continue
                other = _other(value, words.get(leaf, []), random)
                if other is None or other == value:
                    continue
                done[game.kind, leaf] += 1
                copies: list[tuple[Viewer, bool]] = [(EVERYONE, False), (EVERYONE, False), (1, False), (1, True)]
                viewer, opens = random.choice(copies)

                def change(said: Said, path: tuple[Any, ...] = path, other: object = other) -> None:
                    _put(said, path, other)

                content = copy(game, at, change, viewer, opens=opens or game.owes_seeds)
                where = f"{game.name} as {viewer}, event {at + 1}: {leaf} {value!r} to {other!r}"
                yield leaf, Doctored("said: a number is another", where, content)


def _other(value: object, words: Sequence[str], random: Random) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + random.choice([1, -1]))
    return random.choice(words) if words else None


FREE: Final = {
    ("HandShown", "cards"): "cards that nobody else has seen",
    ("HandsOpened", "hands", "cards"): "cards that nobody else has seen",
    ("HandsRevealed", "hands", "cards"): "cards that nobody else has seen",
    ("HandDealt", "digests"): "only the seat and an audit know the salts, until a card is shown",
    ("CardsDrawn", "digests"): "only the seat and an audit know the salts, until a card is shown",
    ("CardsDiscarded", "count"): "a choice",
    ("SwapProposed", "gets"): "a choice",
    ("PlayerLeft", "reason"): "by engine 1 a person may leave who is too short to stay",
    ("SatDown", "name"): "a person's choice",
    ("SatDown", "person"): "another person who left may come back as well, if both owe the same",
    ("SatOut", "seat"): "a person's choice",
    ("SatIn", "seat"): "a person's choice",
    ("SeatReplaced", "seat"): "the host's choice",
    ("TableSet", "advice"): "what was agreed",
    ("TableSet", "bank"): "what was agreed",
    ("TableSet", "opens_seeds"): "what was agreed",
    ("TableSet", "seconds"): "what was agreed",
    ("DealingSet", "seconds"): "what was agreed",
}
"""Values that a copy may change and still be possible, each with the reason."""


@pytest.mark.slow
def test_whatever_an_event_says_to_everybody_is_compared(tmp_path: Path) -> None:
    made = list(_changed(3, Random(5)))
    files = [file for _, file in made]
    assert len({file.content for file in files}) > 300
    counts = differences(files, tmp_path)
    assert set(counts) <= {"bets", "the rules of hands from elsewhere"}
    taken = {leaf for leaf, file in made if leaf[0] != "GameStarted" and verified(file.content) == ""}
    assert {leaf for leaf in taken if leaf not in FREE} == set()
