"""Changes to values in events."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, Final

from .hand import Change, Hand, json_of

_WORDS: Final = (
    "chosen", "short", "withdrew", "showdown", "last_in", "game_end", "last_player", "rounds", "small", "big", "extra",
    "dead", "straddle", "illegal", "raised", "timeout", "no_beans", "forfeit", "human", "random",
)  # fmt: skip
_NAMES: Final = ("Ann", "Bo ", "x" * 65, "A\u3164", "Zo\u00eb")
_FACES: Final = [face + suit for face in "23456789TJQKA" for suit in "cdhs"]


def _leaves(value: Any, wanted: Callable[[Any], bool], found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the places of matching values: each as its container and key."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            _leaves(inner, wanted, found)
        elif wanted(inner):
            found.append((value, key))
    return found


def _leaf(wanted: Callable[[Any], bool], other: Callable[[Any, Random], object], *, secret: bool = False) -> Change:
    """Return a change of one matching value in an event's payload or secret."""
    field = "secret" if secret else "payload"

    def change(hand: Hand) -> bool:
        if hand.line[field] is None:
            return False
        said = json.loads(hand.line[field])
        if not (places := _leaves(said, wanted, [])):
            return False
        where, key = hand.random.choice(places)
        before = where[key]
        where[key] = other(before, hand.random)
        hand.line[field] = json_of(said)
        return bool(where[key] != before)

    return change


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_card(value: object) -> bool:
    return value in _FACES


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) >= 64


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value in _WORDS


def _is_name(value: object) -> bool:
    return isinstance(value, str) and not (_is_card(value) or _is_hex(value) or _is_word(value))


def _list_changed(hand: Hand) -> bool:
    said = hand.said
    lists = [value for value in said.values() if isinstance(value, list) and value]
    if not lists:
        return False
    one = hand.random.choice(lists)
    if hand.random.random() < 0.5:
        one.pop()
    else:
        one.append(deepcopy(one[0]))
    return hand.say(said)


def _list_turned(hand: Hand) -> bool:
    said = hand.said
    lists = [value for value in said.values() if isinstance(value, list) and len(value) > 1]
    if not lists:
        return False
    hand.random.choice(lists).reverse()
    return hand.say(said)


def _larger_bets(hand: Hand) -> bool:
    """Raise the house's minimum bet above the bets that were made."""
    start = hand.lines[0]
    said = json.loads(start["payload"])
    if said["game"] != "draw":
        return False
    said["rules"]["betting"]["minimum"] += hand.random.choice([1, 5, 30])
    start["payload"] = json_of(said)
    return True


VALUES: Final[Mapping[str, Change]] = {
    "a number is one more or less": _leaf(_is_number, lambda number, random: max(0, number + random.choice([-1, 1]))),
    "a number is another": _leaf(_is_number, lambda _, random: random.choice([0, 1, 2, 3, 5, 9, 50, 1000, 10**9])),
    "a card is another": _leaf(_is_card, lambda _, random: random.choice(_FACES)),
    "a word is another": _leaf(_is_word, lambda _, random: random.choice(_WORDS)),
    "yes for no": _leaf(lambda value: type(value) is bool, lambda value, _: not value),
    "a name is another": _leaf(_is_name, lambda _, random: random.choice(_NAMES)),
    "bytes are others": _leaf(_is_hex, lambda text, _: ("1" if text[0] == "0" else "0") + text[1:]),
    "a secret card is another": _leaf(_is_card, lambda _, random: random.choice(_FACES), secret=True),
    "a seed is another": _leaf(_is_hex, lambda text, _: ("1" if text[0] == "0" else "0") + text[1:], secret=True),
}
PARTS: Final[Mapping[str, Change]] = {
    "a list is longer or shorter": _list_changed,
    "a list is turned around": _list_turned,
    "the house's least bet is larger": _larger_bets,
}
