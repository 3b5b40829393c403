"""Values are dataclasses in everything but how fast they are made."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, replace
from inspect import signature
from typing import Any

import pytest

from pokersvc.core.actions import Forfeit
from pokersvc.core.state import Entry
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from pokersvc.core.value import Value
from tests.docs.each_game import own_games


@dataclass(frozen=True, slots=True)
class _Plain:
    amount: int
    seat: int = 3


@dataclass(frozen=True, slots=True)
class _Quick(Value):
    amount: int
    seat: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named(Value):
    seat: int
    text: str = "a"


@dataclass(frozen=True, slots=True)
class _Checked(Value):
    seat: int

    def __post_init__(self) -> None:
        if not self.seat:
            raise ValueError("no seat")


def test_a_value_is_made_as_its_dataclass_says_and_stays_as_it_is() -> None:
    assert signature(_Quick) == signature(_Plain)
    assert (_Quick(1).amount, _Quick(1).seat, _Quick(1, seat=2).seat) == (1, 3, 2)
    assert replace(_Quick(1), seat=5) == _Quick(1, 5)
    assert (_Named(seat=1).text, _Named(text="b", seat=2).text) == ("a", "b")
    with pytest.raises(FrozenInstanceError):
        _Quick(1).seat = 2  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [lambda: _make(_Quick), lambda: _make(_Quick, 1, 2, 3), lambda: _make(_Named, 1)])
def test_wrong_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"__init__\(\)"):
        wrong()


def _make(cls: Any, *values: int) -> object:
    return cls(*values)


@dataclass(frozen=True)
class _Wider(_Quick):
    text: str = "a"


@dataclass(frozen=True, slots=True)
class _Doubled(Value):
    amount: int

    def __reduce__(self) -> tuple[object, ...]:
        return _Doubled, (2 * self.amount,)


@pytest.mark.parametrize("value", [_Quick(1, 2), _Named(seat=1, text="b"), _Checked(4), _Wider(1, 2, "b")])
def test_a_value_is_pickled_with_its_class_and_all_its_fields(value: Value) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value)
    assert again == value


def test_a_value_may_be_pickled_in_a_way_of_its_own() -> None:
    assert pickle.loads(pickle.dumps(_Doubled(2))) == _Doubled(4)


def test_a_value_is_pickled_without_its_fields_names() -> None:
    assert b"amount" not in pickle.dumps(_Quick(1))
    assert _Quick(1).__reduce__() == (_Quick, (1, 3))


def test_what_a_dataclass_does_after_it_was_made_is_still_done() -> None:
    with pytest.raises(ValueError, match="no seat"):
        _Checked(0)


def test_inherited_fields_are_written_into_their_slots_too() -> None:
    assert {"_write_seat", "_write_code"} <= set(Forfeit.__init__.__code__.co_names)
    assert "_write_seat" not in _Checked.__init__.__code__.co_names


EVENTS = [event for game in own_games() for event in game.event_types.values()]


@pytest.mark.parametrize(
    "kept", [*dict.fromkeys([*EVENTS, *TABLE_EVENT_TYPES.values()]), Entry], ids=lambda one: one.__name__
)
def test_what_is_kept_cannot_be_changed_and_takes_no_more_room_than_its_fields(kept: Any) -> None:
    assert kept.__dataclass_params__.frozen
    assert all("__slots__" in vars(one) for one in kept.__mro__[:-1]), "else each has a dictionary beside them"
