"""Statistics of a hand: each figure computed by hand, and all of them compared with a second count."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pokersvc.betting.seats import has
from pokersvc.core.actions import Forfeit
from pokersvc.core.counting import NO_BUTTON, Figures, RoundCount, SeatCount
from pokersvc.core.event import Event
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.counting import DrawPokerCounter, big_blind_of, positions_of
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.house.rules import Rake
from pokersvc.streets.phases import Phase

from .played import Plan, Played, plans
from .scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, dealt, seated, stand_pat
from .tables import called, sitting, table

NO_LIMIT = preset("no-limit")  # blinds of 1 and 2


def hands_in(log: Iterable[Event]) -> list[RoundCount]:
    started, *others = log
    assert isinstance(started, events.GameStarted)
    counter = DrawPokerCounter(started)
    return [hand for event in others if (hand := counter.take(event)) is not None]


def counts(game: Scenario) -> dict[int, SeatCount]:
    """The seats of the last hand, which the dealer ends first."""
    while not isinstance(game.log[-1], events.RoundEnded):
        game.deal_on()
    return {seat.seat: seat for seat in hands_in(game.log)[-1].seats}


def of(seat: SeatCount) -> dict[str, int]:
    """Return the figures that are not 0, except for the sum of squares."""
    return {name: found for name, found in seat.figures._asdict().items() if found and "square" not in name}


# Given a hand of rising-ante (ante 5, least bet 50, no button), when it is over, then these are its figures.


def test_a_called_bet_a_draw_and_a_showdown() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Fold(3))
    game.given(Discard(1, ()), Discard(2, game.hand(2)[2:]), Bet(1, 50), Call(2))
    ann, bob, cy = counts(game).values()
    common = {"dealt": 1, "vpip": 1, "saw_draw": 1, "showdowns": 1}
    assert of(ann) == {
        **common, "net": 110, "net_milli": 2200, "pfr": 1, "bets": 1, "drew_0": 1, "won": 1, "won_showdowns": 1,
    }  # fmt: skip
    assert of(bob) == {
        **common, "net": -105, "net_milli": -2100, "calls": 1, "drew_3": 1,
    }  # fmt: skip
    assert of(cy) == {"dealt": 1, "net": -5, "net_milli": -100}
    assert ann.position == NO_BUTTON
    assert cy.opponents == ("Player1", "Player2")


def test_the_square_is_of_thousandths_of_the_unit() -> None:
    game = dealt(2, ACES, KINGS).given(Bet(1, 70), Fold(2))
    ann, _ = counts(game).values()
    assert (ann.figures.net, ann.figures.net_milli, ann.figures.squares) == (10 - 5, 100, 100**2)


def test_who_is_never_asked_and_wins_has_a_walk() -> None:
    game = seated(3, rules=NO_LIMIT).ready()
    first = game.to_act
    assert first is not None
    game.given(Fold(first))
    second = game.to_act
    assert second is not None
    found = counts(game.given(Fold(second)))
    (big,) = set(found) - {first, second}
    assert of(found[big]) == {"dealt": 1, "walks": 1, "net": 1, "net_milli": 500, "won": 1}
    assert of(found[first]) == {"dealt": 1}
    assert [found[seat].position for seat in (first, second, big)] == ["BTN", "SB", "BB"]


def test_an_uncalled_bet_is_not_lost_and_a_raise_counts_before_the_draw() -> None:
    game = seated(2, rules=NO_LIMIT).ready()
    button = game.to_act
    assert button is not None
    game.given(Raise(button, 10))
    other = game.to_act
    assert other is not None
    found = counts(game.given(Fold(other)))
    assert of(found[button]) == {"dealt": 1, "net": 2, "net_milli": 1000, "vpip": 1, "pfr": 1, "won": 1}
    assert of(found[other]) == {"dealt": 1, "net": -2, "net_milli": -1000}
    assert (found[button].position, found[other].position) == ("BTN", "BB")


def test_a_blind_and_a_check_are_not_voluntary() -> None:
    game = seated(2, rules=NO_LIMIT).ready()
    button = game.to_act
    assert button is not None
    game.given(Call(button))
    big = game.to_act
    assert big is not None
    found = counts(game.given(Check(big), *stand_pat(big, button), Check(big), Check(button)))
    assert (found[big].figures.vpip, found[button].figures.vpip) == (0, 1)
    assert (found[big].figures.drew_0, found[big].figures.showdowns) == (1, 1)


def test_raises_and_folds_after_the_draw_are_aggression_and_not_pfr() -> None:
    game = seated(2, rules=NO_LIMIT).ready()
    button = game.to_act
    assert button is not None
    game.given(Call(button))
    big = game.to_act
    assert big is not None
    game.given(Check(big), *stand_pat(big, button), Bet(big, 4), Raise(button, 12), Fold(big))
    found = counts(game)
    assert of(found[big]) == {
        "dealt": 1, "net": -6, "net_milli": -3000, "saw_draw": 1, "bets": 1, "folds": 1, "drew_0": 1,
    }  # fmt: skip
    assert of(found[button]) == {
        "dealt": 1, "net": 6, "net_milli": 3000, "vpip": 1, "saw_draw": 1, "raises": 1, "won": 1, "drew_0": 1,
    }  # fmt: skip


def test_a_split_pot_is_won_at_the_showdown_by_both() -> None:
    again = "AC AS 8D 6H 3S"
    game = dealt(3, ACES, again, NOTHING).given(Bet(1, 50), Call(2), Call(3), *stand_pat(1, 2, 3))
    found = counts(game.given(Check(1), Check(2), Check(3)))
    assert [seat.figures.won_showdowns for seat in found.values()] == [1, 1, 0]
    assert [seat.figures.net for seat in found.values()] == [27, 27, -55]  # 165 by two: one is carried


def test_no_legal_answer_is_a_fold_in_betting_and_keeps_all_cards_in_the_draw() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Forfeit(3, "raised"))
    game.given(Forfeit(1, "raised"), Forfeit(2, "raised"), Check(1), Forfeit(2, "raised"))
    found = counts(game)
    assert [seat.figures.saw_draw for seat in found.values()] == [1, 1, 0]
    assert [seat.figures.drew_0 for seat in found.values()] == [1, 1, 0]
    assert [seat.figures.folds for seat in found.values()] == [0, 1, 0]
    assert [seat.figures.showdowns for seat in found.values()] == [0, 0, 0]


@pytest.mark.parametrize(
    ("button", "dealt_in", "blinds", "found"),
    [
        (None, [1, 2], {}, {}),
        (1, [1, 2], {"small": 1, "big": 2}, {1: "BTN", 2: "BB"}),
        (2, [1, 3, 4], {"small": 3, "big": 4}, {1: "CO", 3: "SB", 4: "BB"}),  # a dead button
        (1, [1, 3, 4], {"big": 3}, {1: "BTN", 3: "BB", 4: "CO"}),  # a dead small blind
        (2, [1, 2, 3], {}, {1: "CO", 2: "BTN", 3: "BTN-2"}),  # a button without blinds
    ],
)
def test_positions(button: int | None, dealt_in: list[int], blinds: dict[str, int], found: dict[int, str]) -> None:
    assert positions_of(button, dealt_in, blinds) == found


@pytest.mark.parametrize(
    ("place", "numbers", "found"),
    [
        (4, (1, 3, 5, 7), ["BTN-2", "CO", "SB", "BB"]),  # between the seats 2 and 3, and the numbers 3 and 5
        (9, (1, 3, 5, 7), ["SB", "BB", "BTN-2", "CO"]),
        (0, (1, 3, 5, 7), ["SB", "BB", "BTN-2", "CO"]),
        (3, (1, 3, 5, 7), ["CO", "BTN", "SB", "BB"]),
        (4, (1, 7), ["BTN", "BB"]),  # of two, who has the small blind
    ],
)
def test_a_button_at_an_empty_place_is_nobodys(place: int, numbers: tuple[int, ...], found: list[str]) -> None:
    game = called(sitting(table(*[100] * len(numbers), button=place, numbers=numbers)))
    (hand,) = hands_in(game.log)
    assert [seat.position for seat in sorted(hand.seats)] == found
    (_, again) = hands_in(called(game.ready()).log)
    assert "BTN" in {seat.position for seat in again.seats}, "it is at an empty place in the first round alone"


# A second count, by the state and not by what the events imply, over games played at random.


class SecondCount:
    """Counts from the state before each event: who is in, and the betting round."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.hands = plan, list[dict[int, Counter[str]]]()

    def play(self) -> list[Event]:
        game = Played(self.plan)
        log: list[Event] = [game.started]
        state = game.state
        while (event := game.next_event()) is not None:
            self.before(state, event)
            state.apply(event)
            self.after(state, event)
            log.append(event)
        return log

    def before(self, state: Any, event: Any) -> None:
        if isinstance(event, events.RoundStarted):
            self.stacks = list(state.stacks)
            self.found: dict[int, Counter[str]] = {seat: Counter() for seat in range(1, len(state.stacks))}
        if state.phase is Phase.BETWEEN or not state.round:
            return
        street, drawing = state.betting_round, state.phase is Phase.DRAW
        match event:
            case events.HandDealt(seat=seat) | earlier_events.HandDealt(seat=seat):
                self.found[seat]["dealt"] += 1
            case events.Called() | events.Bet() | events.Raised() if street == 1 or not state.rules.discards:
                self.found[event.seat]["vpip"] = 1
                if not isinstance(event, events.Called):
                    self.found[event.seat]["pfr"] = 1
            case events.Called() | events.Bet() | events.Raised():
                name = {"Called": "calls", "Bet": "bets", "Raised": "raises"}[type(event).__name__]
                self.found[event.seat][name] += 1
            case events.Folded(reason="chosen") if street == 2 and state.rules.discards:
                self.found[event.seat]["folds"] += 1
            case events.Forfeited() if state.phase is Phase.BETTING and street == 2 and state.rules.discards:
                self.found[event.seat]["folds"] += 1
            case events.PotAwarded(reason="showdown", shares=shares):
                for seat in self.found:
                    self.found[seat]["showdowns"] = int(has(state.live, seat))
                for share in shares:
                    self.found[share.seat]["won_showdowns"] = 1
        if drawing and isinstance(event, events.CardsDiscarded | events.Forfeited):
            self.found[event.seat][f"drew_{getattr(event, 'count', 0)}"] += 1
            for seat in self.found:
                self.found[seat]["saw_draw"] = max(self.found[seat]["saw_draw"], int(has(state.live, seat)))

    def after(self, state: Any, event: Event) -> None:
        if isinstance(event, events.RoundEnded):
            for seat, found in self.found.items():
                found["net"] = state.stacks[seat] - self.stacks[seat]
                found["won"] = int(state.won[seat] > 0)
            self.hands.append(self.found)


COMPARED = [name for name in Figures._fields if name not in ("walks", "net_milli", "square_high", "square_low", "rake")]
FAST = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def agrees_with_a_second_count(plan: Plan) -> None:
    second = SecondCount(plan)
    log = second.play()
    counted = hands_in(log)
    assert len(counted) == len(second.hands)
    unit = big_blind_of(plan.rules)
    for hand, found in zip(counted, second.hands, strict=True):
        seats = {seat.seat: seat.figures for seat in hand.seats}
        for seat, theirs in found.items():
            ours = seats.get(seat, Figures())
            assert {name: getattr(ours, name) for name in COMPARED} == {name: theirs[name] for name in COMPARED}
            assert abs(ours.net_milli * unit - 1000 * ours.net) * 2 <= unit
            assert ours.squares == ours.net_milli**2
            assert not ours.walks or (ours.won and not ours.vpip and not ours.showdowns)


@FAST
@given(plans())
@pytest.mark.no_cover
def test_it_agrees_with_a_second_count(plan: Plan) -> None:
    agrees_with_a_second_count(plan)


@FAST
@given(st.sampled_from(preset_names()), st.integers(2, 6), st.integers(0, 2**32))
@pytest.mark.no_cover
def test_it_agrees_with_a_second_count_in_every_house(house: str, players: int, seed: int) -> None:
    rules = preset(house)
    agrees_with_a_second_count(Plan(("random", "steady", HUMAN)[: players % 3 + 1] * 2, 3, rules, seed, rules.stack))


@FAST
@given(st.integers(2, 6), st.integers(0, 2**32))
@example(4, 408)  # of whose main pot the house takes all
@pytest.mark.no_cover
def test_what_is_raked_is_paid_by_who_wins_the_pots(players: int, seed: int) -> None:
    rules = NO_LIMIT.model_copy(update={"rake": Rake(share=500)})
    log = SecondCount(Plan(("random", "steady", HUMAN)[: players % 3 + 1] * 2, 3, rules, seed, rules.stack)).play()
    rounds = [number for number, event in enumerate(log) if type(event) is events.RoundStarted]
    for hand, start, end in zip(hands_in(log), rounds, [*rounds[1:], len(log)], strict=True):
        taken = sum(event.amount for event in log[start:end] if isinstance(event, events.RakeTaken))
        assert sum(seat.figures.rake for seat in hand.seats) == taken
        assert sum(seat.figures.net for seat in hand.seats) == -taken
        # Who wins a pot of which the house took all pays rake and wins nothing.
        awards = [event for event in log[start:end] if isinstance(event, events.PotAwarded)]
        assert {seat.seat for seat in hand.seats if seat.figures.rake} <= {
            share.seat for award in awards for share in award.shares
        }


def test_a_counter_may_begin_before_any_hand() -> None:
    log = SecondCount(Plan(("random",) * 3, 3, NO_LIMIT, 5, NO_LIMIT.stack)).play()
    starts = [number for number, event in enumerate(log) if isinstance(event, events.RoundStarted)]
    whole = hands_in(log)
    assert hands_in([log[0], *log[starts[1] :]]) == whole[1:]


def test_games_of_draw_poker_have_hands_to_count() -> None:
    assert DRAW_POKER.counts_rounds


def test_the_kind_of_the_opponents_is_told_if_all_are_of_one() -> None:
    found = counts(dealt(3, ACES, KINGS, QUEENS, persons=[3]).given(Bet(1, 50), Fold(2), Fold(3)))
    assert [found[seat].against for seat in (1, 2, 3)] == ["mixed", "mixed", "random"]


def test_hidden_kinds_stay_hidden_in_the_counts() -> None:
    game = dealt(2, ACES, KINGS).given(Bet(1, 50), Fold(2))
    counts(game)
    started, *others = game.log
    assert isinstance(started, events.GameStarted)
    (hand,) = hands_in([replace(started, hidden_kinds=True), *others])
    assert [seat.against for seat in hand.seats] == ["hidden", "hidden"]
