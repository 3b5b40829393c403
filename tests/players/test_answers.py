"""Whatever comes as the answer of a player of one's own is an action of its game, or refused."""

import pickle
from dataclasses import fields
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import Card
from pokersvc.core.actions import Action, Forfeit
from pokersvc.core.registry import game_of
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.poker_market.actions import Accept, Propose
from pokersvc.players.answers import Answers

DRAW: Final = Answers(game_of("draw").actions)


@pytest.mark.parametrize(
    ("game", "action"),
    [
        ("draw", Bet(1, 50)),
        ("draw", Call(2)),
        ("draw", Check(3)),
        ("draw", Discard(4, ())),
        ("draw", Discard(4, (Card("KD"), Card("10h")))),
        ("draw", Fold(5)),
        ("draw", Raise(6, 10**30)),
        ("market", Propose(1, Card("KD"), 2, Card("3C"))),
        ("market", Accept(2)),
    ],
)
def test_an_action_comes_back_as_it_was(game: str, action: Action) -> None:
    answers = Answers(game_of(game).actions)
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
