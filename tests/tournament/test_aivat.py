"""Luck that is taken out of results: without bias, by all that may happen in Kuhn poker, Leduc and a draw."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import replace
from math import fsum
from random import Random
from typing import Any, NamedTuple

import pytest
from kuhn import KUHN
from leduc import LEDUC

from pokersvc.cards import CARDS
from pokersvc.cards.unknown import all_known
from pokersvc.core.bots.estimates import EnumeratedEstimate, after, mixed
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard
from pokersvc.games.draw_poker.advising.estimate import HeadsUpEstimate
from pokersvc.games.draw_poker.earlier_events import CardsDrawn
from pokersvc.players import Choice, Programs, Walls, choice_of
from pokersvc.tournament import plan, standings
from pokersvc.tournament.aivat import Luck
from pokersvc.tournament.play import play
from tests.estimates import KuhnEstimate, LeducEstimate

from .in_this_process import LIES, MIXED
from .luck import widths
from .support import Mixes, planned


class Ended(NamedTuple):
    probability: float
    gains: tuple[int, ...]
    without_luck: tuple[float, ...]


def player_at(seat: int) -> Callable[[], Any]:
    return lambda: Mixes(f"player {seat}")


def begun(game: Game) -> State:
    seats = (Seat("random", "Ann"), Seat("random", "Bob"))
    state: State = game.new(game.start(Setup(seats, EntropySource.from_text("1"), 1)))
    return state


def endings(game: Game, estimate: EnumeratedEstimate[Any]) -> Iterator[Ended]:
    """Yield every ending of a game of one round, over all cards and all actions."""
    entropy = EntropySource.from_text("1").entropy()

    def then(state: State, luck: Luck, event: Event, choice: Choice | None, probability: float) -> Iterator[Ended]:
        luck = deepcopy(luck)
        luck.before(state, event, choice)
        next_state = after(state, event)
        luck.after(next_state)
        yield from of(next_state, luck, probability)

    def of(state: State, luck: Luck, probability: float) -> Iterator[Ended]:
        if (outcome := state.outcome) is not None:
            assert luck.changed == [0, 0]
            yield Ended(probability, outcome.scores, luck.taken_off(outcome.scores))
        elif (seat := state.to_act) is not None:
            choice = choice_of(player_at(seat), state, seat, Random(0))
            assert choice.policy is not None
            for action, part in choice.policy.items():
                event = state.decide(action)
                yield from then(state, luck, event, Choice(event, None, choice.policy), probability * part)
        else:
            dealt = state.dealer_event(entropy)
            assert dealt is not None
            for event, part in estimate.outcomes(state) or [(dealt, 1.0)]:
                yield from then(state, luck, event, None, probability * part)

    return of(begun(game), Luck(estimate, 2, player_at, Random(0), Random(0), nullcontext()), 1.0)


@pytest.mark.parametrize(
    ("game", "estimate"),
    [(KUHN, KuhnEstimate()), pytest.param(LEDUC, LeducEstimate(), marks=pytest.mark.slow)],
    ids=["kuhn", "leduc"],
)
def test_over_all_cards_and_actions_the_mean_without_luck_is_the_mean_with_it(
    game: Game, estimate: EnumeratedEstimate[Any]
) -> None:
    found = list(endings(game, estimate))
    assert fsum(end.probability for end in found) == pytest.approx(1, abs=1e-12)

    mean = fsum(end.probability * end.gains[0] for end in found)
    for seat, expected in enumerate((mean, -mean)):
        without_luck = fsum(end.probability * end.without_luck[seat] for end in found)
        assert without_luck == pytest.approx(expected, abs=1e-12)
    spread = fsum(end.probability * (end.gains[0] - mean) ** 2 for end in found)
    left = fsum(end.probability * (end.without_luck[0] - mean) ** 2 for end in found)
    assert left < spread / 2**2


# Draw poker.


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["fixed-limit", "no-limit"])
def test_with_policies_the_interval_of_a_draw_is_half_as_wide_as_on_shared_deals(rules: str) -> None:
    found = widths(rules, 150)
    assert found.without_luck < found.shared / 2
    assert found.without_luck < found.one_by_one / 3
    assert abs(found.shift) < found.shared


@pytest.mark.slow
def test_a_policy_that_changes_when_asked_again_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.tournament.aivat.ASKED_AGAIN", 0.5)
    seats, trusted = (Seat(LIES, "Ann"), Seat(MIXED, "Bob")), Walls(trusted=True)
    tournament = plan(DRAW_POKER, {"rules": "fixed-limit"}, seats, 10, seed="1", walls=trusted, aivat=True)
    with Programs(tournament.limit, walls=trusted) as programs:
        found = {index: play(tournament, index, programs)[0] for index in range(tournament.games)}
    liar, honest = standings(tournament, found).players
    assert liar.changed > 0
    assert honest.changed == 0
    assert liar.figures()["changed"] == liar.changed


def test_the_mean_after_a_draw_is_that_of_all_draws() -> None:
    estimate, entropy = HeadsUpEstimate(), EntropySource.from_text("1").entropy()
    state = DRAW_POKER.new(
        DRAW_POKER.start(Setup((Seat("steady", "A"), Seat("steady", "B")), EntropySource.from_text("1"), 1))
    )
    means = []
    while state.outcome is None:
        if (seat := state.to_act) is not None:
            legal, cards = state.legal(seat), state.hands[seat]
            assert all_known(cards)
            played = Bet(seat, 50) if legal.bet else Call(seat) if legal.call else Check(seat)
            event = state.decide(played if legal.discard is None else Discard(seat, cards[:1]))
        else:
            dealt = state.dealer_event(entropy)
            assert dealt is not None
            event = dealt
        if isinstance(event, CardsDrawn) and (mean := estimate.mean(state)) is not None:
            in_play = {*state.hands[1], *state.hands[2], *state.discarded[1], *state.discarded[2]}
            drawn = [replace(event, cards=(card,)) for card in CARDS if card not in in_play]
            values = [(1.0, estimate.value(after(state, one))) for one in drawn]
            assert mixed(values) == pytest.approx(mean, abs=1e-6)
            means.append(mean)
        state.apply(event)
    assert len(means) == 2


def test_luck_is_in_the_results_with_its_figures() -> None:
    tournament = planned("steady", "table", deals=3, aivat=True)
    with Programs() as programs:
        found = {index: play(tournament, index, programs)[0] for index in range(tournament.games)}
    assert all(one.without_luck is not None and sum(one.without_luck) == pytest.approx(0) for one in found.values())
    first, second = standings(tournament, found).players
    assert first.with_luck is not None
    assert (
        first.with_luck.value == sum(one.gains[tournament.sitting(n).players.index(0)] for n, one in found.items()) / 6
    )
    assert tournament.fingerprint != planned("steady", "table", deals=3).fingerprint
    assert second.mean.value == pytest.approx(-first.mean.value)


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        (KUHN, ("random", "random")),
        (DRAW_POKER, ("steady", "steady", "steady")),
    ],
)
def test_where_a_game_has_no_estimate_that_is_said_before_it_is_played(game: Game, kinds: tuple[str, ...]) -> None:
    with pytest.raises(InvalidValue, match="Luck cannot be taken out"):
        planned(*kinds, game=game, aivat=True)
