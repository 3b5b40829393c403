"""Values as text: fields by name, in order, so that no module of a class and no order of slots matters."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import NoneType
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.event import Event, Viewer
from pokersvc.core.record import GameRecord, Seen
from pokersvc.core.state import State

NAMES: Final[Mapping[str, str]] = {
    "DrawPokerState": """
        acted actor aggressor all_in ante bets big_blind brought button cash closed cursor deck_cards deck_label
        deck_left deck_seed discarded drew ended engine forgone former hands hidden_kinds level live names need out
        owes_big owes_small past past_names past_unsure pending persons phase posts pot pots price put rake_due raked
        record reshuffles reused revealed round rounds rules seated seats settled shown small_blind stacks staked step
        street table taken two uncapped unserved unsure won""",
    "RecordedInputs": "awarded deal dealt drawn learned quoted",
    "PokerMarketState": """
        actor bargains closed done ended hands hidden_kinds names number order phase points proposal ranked record
        round rules seats seed swaps turn""",
    "KalahState": """
        board captured capturing closed earlier ended forfeited hidden_kinds moves record rules seats shown sown
        swept turn""",
}
"""The attributes described for a state, and further ones for a hand dealt elsewhere: those that make states equal."""


class Moved(NamedTuple):
    """The present place of a part of a state."""

    slot: str
    was: Callable[[Any], Any] = lambda value: value
    """A function that computes the old value from the value in the slot."""


MOVED: Final[Mapping[str, Moved]] = {
    "drew": Moved("street", lambda street: street > 1),
    "street": Moved("betting_round"),
    **{name: Moved("recorded", attrgetter(name)) for name in NAMES["RecordedInputs"].split()},
}
"""Name of an attribute → its present place, if that is no longer the slot of this name."""
FOLLOWS: Final = frozenset({
    "began", "board", "card_terms", "deals", "hand_size", "handlers", "put_away", "stated", "street_terms", "streets",
    "terms", "up",
})  # fmt: skip
"""What only says again what is told, the rules, the table and the engine, in the words of betting and streets; and what
a game of one draw, without boards and up cards, never has."""
SINCE: Final = frozenset({
    "added_on", "bomb_pot_next", "bomb_pots", "cash_rules", "cash_seats", "changeable", "commits", "committed",
    "chip_to_race", "exits", "is_tournament", "paid", "past_showed", "prizes", "raced", "ranking", "reentries",
    "round_level", "round_stacks",
    "rules_at_start", "schedule", "showed", "stakes_level", "stakes_since", "tournament_entry",
})  # fmt: skip
"""What only games of a later engine have: cards to which the dealer is committed, changed stakes, prizes, wishes."""
ADDED: Final[Mapping[str, frozenset[str]]] = {
    "DrawPokerView": frozenset({"bomb_pots", "cash", "changeable", "entry", "level", "levels", "next_ante"}),
    "GameStarted": frozenset({"cash", "changeable", "entry", "levels", "people"}),
    "SatDown": frozenset({"person"}),
    "SeatCount": frozenset({"against"}),
    "SeatView": frozenset({"at_cash", "may_add_on", "may_reenter", "paid", "place", "prize"}),
    "SitDown": frozenset({"person"}),
}
"""Fields that a later engine added, which say nothing of the games here: no stakes change, nobody has a number."""
ASKED: Final = ("awaited", "ends_next", "outcome", "pausing", "to_act")
"""Properties and methods whose results are described for every state."""


def of_state(state: State) -> str:
    """Return a description of a state: its text, its attributes, and the results of its methods."""
    made_of = [type(state).__name__, *(["RecordedInputs"] if getattr(state, "recorded", None) is not None else [])]
    names = [name for part in made_of for name in NAMES[part].split()]
    parts = [f"{name}={said(_of(state, name))}" for name in (*names, *ASKED)]
    asked = f"deals_to={said(state.deals_to())} seats_now={said(state.seats_now())}"
    playing = [seat for seat in range(1, len(state.view("everyone").seats) + 1) if state.playing(seat)]
    return f"{state!r} {' '.join(parts)} {asked} playing={playing}"


def _of(state: State, name: str) -> Any:
    moved = MOVED.get(name, Moved(name))
    return moved.was(getattr(state, moved.slot))


def of_view(state: State, viewer: Viewer) -> str:
    """Return a description of a view."""
    return f"{viewer}: {said(state.view(viewer))}"


_PLAIN: Final = frozenset({NoneType, bool, int, float, str})


def said(value: Any) -> str:
    """Return a value as text."""
    if type(value) in _PLAIN:
        return repr(value)
    if isinstance(value, Card):
        return value.notation
    if isinstance(value, (Seen, GameRecord)):
        return _record(value)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return f"[{' '.join(map(said, value))}]"
    try:
        return _frozen(value)
    except TypeError:  # it cannot be hashed
        return _said(value)


def _record(record: Seen[Any] | GameRecord[Any]) -> str:
    """Return a description of a record's size; all that a viewer has seen is described once, at the end."""
    if isinstance(record, GameRecord):
        return f"<{record.number} {len(record.events)} {record.kept}>"
    return f"<{record.extent.rounds} {record.extent.events}>"


def _said(value: Any) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, BaseModel):
        return _named("", {name: getattr(value, name) for name in type(value).model_fields})
    if isinstance(value, Mapping):
        return _named("", {said(key): one for key, one in value.items()})
    if isinstance(value, (set, frozenset)):
        return f"{{{' '.join(sorted(map(said, value)))}}}"
    if hasattr(value, "_asdict"):
        added = ADDED.get(type(value).__name__, frozenset())
        return _named("", {name: one for name, one in value._asdict().items() if name not in added})
    if is_dataclass(value):
        name = type(value).__name__ if isinstance(value, (Event, Action)) else ""
        added = ADDED.get(type(value).__name__, frozenset())
        return _named(name, {one.name: getattr(value, one.name) for one in fields(value) if one.name not in added})
    if type(value) is list or type(value) is tuple:
        return f"[{' '.join(map(said, value))}]"
    raise TypeError(f"{type(value).__name__} cannot be told; say in this file how.")


def forget() -> None:
    """Forget what was told: to compare a view with an equal one that was told before is to look back at its record."""
    _frozen.cache_clear()


_frozen = lru_cache(100_000, typed=True)(_said)  # two tuples with names may be equal, and are told otherwise
"""Return a short form of constant values, which are described only once: rules, events, unchanged seats."""


def _named(name: str, values: Mapping[str, Any]) -> str:
    return f"{name}({' '.join([f'{field}={said(values[field])}' for field in sorted(values)])})"
