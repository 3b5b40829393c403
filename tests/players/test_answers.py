"""Any answer of a custom player is a valid action of its game, or refused."""

import pickle
from dataclasses import fields
from typing import Any, Final, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.actions import Action, Forfeit
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.games.poker_market.actions import Accept
from pokersvc.players.answers import Answers

DRAW: Final = Answers(game_of("draw").actions)


ACTIONS: Final = [(kind, action) for kind in game_kinds() for action in game_of(kind).actions]
VALUES: Final[dict[Any, st.SearchStrategy[Any]]] = {
    int: st.integers(1, 10**30),
    Card: st.sampled_from(FRESH_DECK),
    tuple[Card, ...]: st.lists(st.sampled_from(FRESH_DECK), max_size=5).map(tuple),
}
"""Values for the fields of actions, by their types."""


@pytest.mark.parametrize(("kind", "action_type"), ACTIONS)
@settings(max_examples=10)
@given(data=st.data())
def test_an_action_comes_back_as_it_was(kind: str, action_type: type[Action], data: st.DataObject) -> None:
    hints = get_type_hints(action_type)
    action = data.draw(
        st.builds(action_type, **{field.name: VALUES[hints[field.name]] for field in fields(action_type)})
    )
    answers = Answers(game_of(kind).actions)
    written = answers.write(action)
    assert written is not None
    assert answers.read(written) == action
    assert [type(getattr(action, field.name)) for field in fields(action)] == [
        type(getattr(answers.read(written), field.name)) for field in fields(action)
    ]


@pytest.mark.parametrize("answer", [Accept(1), Forfeit(1, "raised"), "Bet", None, Bet, Bet(1, object()), Bet(1, 1.5)])  # type: ignore[arg-type]  # no amounts
def test_what_is_no_action_of_the_game_is_refused(answer: Any) -> None:
    written = DRAW.write(answer)
    assert written is None or DRAW.read(written) is None


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"Bet",
        b"Bet ",
        b"Bet null",
        b"Bet []",
        b'Bet {"seat":1}',
        b'Bet {"seat":1,"amount":"50"}',
        b'Bet {"seat":1,"amount":50.0}',
        b'Bet {"seat":true,"amount":50}',
        b'Bet {"seat":1,"amount":NaN}',
        b'Bet {"seat":1,"amount":50}}',
        b'Discard {"seat":1,"cards":["KX"]}',
        b'Discard {"seat":1,"cards":"KD"}',
        b'Discard {"seat":1,"cards":[51]}',
        b'bet {"seat":1,"amount":50}',
        b'Forfeit {"seat":1,"code":"raised"}',
        b'Leave {"seat":1}',
        b'Action {"seat":1}',
        b'\xff {"seat":1}',
        b'Call {"seat":' + b"[" * 3000,
        pickle.dumps(Bet(1, 50)),
    ],
)
def test_bytes_that_are_no_action_are_refused(answer: bytes) -> None:
    assert DRAW.read(answer) is None


@given(st.one_of(st.binary(), st.builds(lambda fields: b"Bet " + fields, st.binary())))
def test_any_bytes_are_an_action_or_refused(answer: bytes) -> None:
    action = DRAW.read(answer)
    assert action is None or type(action) in game_of("draw").actions
