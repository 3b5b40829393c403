"""The button and the blinds, by both rules, when players leave."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Leave
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Check, Fold
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from ..draw_poker.played import Plan, Played
from ..draw_poker.scenario import Scenario, happened, seated
from .rooms import drawn, house, on, passed

WORDS: Final = DrawPokerWords()


class Posted(NamedTuple):
    """A round: where the button is, and who posts which blind."""

    button: int
    small: int | None
    big: int


def table_of(players: int, rule: str, *, engine: int = DRAW_POKER.engine, ante: int = 0) -> Scenario:
    """A table of people before its first round."""
    return seated(players, persons=range(1, players + 1), rules=rules_of(rule, ante), engine=engine)


def rules_of(rule: str, ante: int = 0) -> DrawPokerRules:
    return house("no-limit", ante=ante, stack=200, button_rule=rule)


def folded(game: Scenario) -> Posted:
    """Play the rest of a round; everybody folds to the big blind."""
    game.ready()
    while game.to_act is not None:
        game.given(Fold(game.to_act))
    game.deal_on()
    return posted(game.log)


def posted(log: Iterable[object]) -> Posted:
    """Return where the button was and who posted in the last round of a log."""
    button, blinds = 0, dict[str, int]()
    for event in log:
        if isinstance(event, events.RoundStarted):
            assert event.button is not None
            button, blinds = event.button, {}  # of the last round
        if isinstance(event, events.BlindPosted):
            assert event.blind not in blinds
            blinds[event.blind] = event.seat
    return Posted(button, blinds.get("small"), blinds["big"])


def rounds_of(game: Scenario, leaving: Mapping[int, Sequence[int]], rounds: int) -> list[Posted]:
    """Play rounds; ``leaving`` maps a round to those who leave after it."""
    found = []
    for number in range(1, rounds + 1):
        found.append(folded(game))
        game.given(*map(Leave, leaving.get(number, ())))
    return found


# Forward: the button goes to the next player still in.

FORWARD: Final = {
    "nobody leaves": (4, (), [(1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3)]),
    "the button": (4, (1,), [(1, 2, 3), (2, 3, 4), (3, 4, 2), (4, 2, 3)]),
    "the small blind, and seat 4 is spared a big blind": (4, (2,), [(1, 2, 3), (3, 4, 1), (4, 1, 3), (1, 3, 4)]),
    "the big blind, and seat 4 is spared a big blind": (4, (3,), [(1, 2, 3), (2, 4, 1), (4, 1, 2), (1, 2, 4)]),
    "the big blind of five, as the page about houses has it": (5, (3,), [(1, 2, 3), (2, 4, 5), (4, 5, 1)]),
    "the next big blind": (5, (4,), [(1, 2, 3), (2, 3, 5), (3, 5, 1)]),
    "both blinds": (5, (2, 3), [(1, 2, 3), (4, 5, 1), (5, 1, 4)]),
}


@pytest.mark.parametrize(("players", "leaving", "rounds"), FORWARD.values(), ids=list(FORWARD))
@pytest.mark.parametrize("engine", [1, 2])
def test_forward_past_those_who_leave(
    engine: int, players: int, leaving: Sequence[int], rounds: Sequence[tuple[int, int, int]]
) -> None:
    game = table_of(players, "forward", engine=engine)
    assert rounds_of(game, {1: leaving}, len(rounds)) == rounds


# Dead: the big blind goes to the next player still in, the small blind and the button to where it was.

DEAD: Final = {
    "nobody leaves": (4, (), [(1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3)]),
    "the button": (5, (1,), [(1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 2), (5, 2, 3)]),
    "the small blind: the button is at an empty seat": (5, (2,), [(1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 1)]),
    "the big blind: no small blind, then an empty button": (5, (3,), [(1, 2, 3), (2, None, 4), (3, 4, 5), (4, 5, 1)]),
    "both blinds": (5, (2, 3), [(1, 2, 3), (2, None, 4), (3, 4, 5), (4, 5, 1)]),
    "the next big blind": (5, (4,), [(1, 2, 3), (2, 3, 5), (3, 5, 1), (5, 1, 2)]),
    "the two who would be next": (5, (4, 5), [(1, 2, 3), (2, 3, 1), (3, 1, 2)]),
    "the big blind and the next one": (5, (3, 4), [(1, 2, 3), (2, None, 5), (3, 5, 1), (5, 1, 2)]),
    "at three of four, with an empty button": (4, (3,), [(1, 2, 3), (2, None, 4), (3, 4, 1), (4, 1, 2), (1, 2, 4)]),
}


@pytest.mark.parametrize(("players", "leaving", "rounds"), DEAD.values(), ids=list(DEAD))
def test_dead_when_players_leave(
    players: int, leaving: Sequence[int], rounds: Sequence[tuple[int, int | None, int]]
) -> None:
    assert rounds_of(table_of(players, "dead"), {1: leaving}, len(rounds)) == rounds


def test_dead_when_the_big_blind_leaves_round_after_round() -> None:
    rounds = [(1, 2, 3), (2, None, 4), (3, None, 5), (4, None, 6), (5, 6, 1), (6, 1, 2)]
    assert rounds_of(table_of(6, "dead"), {1: [3], 2: [4], 3: [5]}, 6) == rounds


def test_a_player_without_chips_is_as_good_as_one_who_left() -> None:
    game = table_of(5, "dead")
    folded(game)
    game.state.stacks[3], game.state.stacks[1] = 0, 400
    assert folded(game) == (2, None, 4)
    assert folded(game) == (3, 4, 5)


# The last two: the button has the small blind, and nobody has the big blind twice in a row.

BECOME_TWO: Final = {
    "three, the button leaves": (3, (1,), (3, 3, 2), (3, 3, 2)),
    "three, the small blind leaves": (3, (2,), (3, 3, 1), (3, 3, 1)),
    "three, the big blind leaves": (3, (3,), (2, 2, 1), (2, 2, 1)),
    "four, the big and the small blind are left": (4, (1, 4), (3, 3, 2), (3, 3, 2)),
    "four, the big blind and the next are left": (4, (1, 2), (3, 3, 4), (3, 3, 4)),
    "four, the big blind and the button are left": (4, (2, 4), (3, 3, 1), (3, 3, 1)),
    "four, both blinds leave": (4, (2, 3), (4, 4, 1), (1, 1, 4)),
    "four, the big blind and the button leave": (4, (1, 3), (2, 2, 4), (2, 2, 4)),
}


@pytest.mark.parametrize(("players", "leaving", "forward", "dead"), BECOME_TWO.values(), ids=list(BECOME_TWO))
@pytest.mark.parametrize("rule", ["forward", "dead"])
def test_when_two_are_left_nobody_has_the_big_blind_twice_in_a_row(
    rule: str, players: int, leaving: Sequence[int], forward: Posted, dead: Posted
) -> None:
    _, then, after, again = rounds_of(table_of(players, rule), {1: leaving}, 4)
    assert then == (forward if rule == "forward" else dead)
    assert again == then
    assert after == (then.big, then.big, then.button), "they take turns"


def test_by_engine_1_the_neighbour_of_one_who_left_had_the_big_blind_twice_in_a_row() -> None:
    assert rounds_of(table_of(3, "forward", engine=1), {1: [1]}, 3) == [(1, 2, 3), (2, 2, 3), (3, 3, 2)]


@pytest.mark.parametrize("rule", ["forward", "dead"])
def test_a_game_of_two_takes_turns_from_the_first_round(rule: str) -> None:
    assert rounds_of(table_of(2, rule), {}, 3) == [(1, 1, 2), (2, 2, 1), (1, 1, 2)]


# Whoever leaves, and whenever.


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, dict[int, list[int]]]:
    """The number of players, and who leaves after which round; at least two stay."""
    players = draw(st.integers(3, 10))
    order = draw(st.permutations(range(1, players + 1)))
    leavers = order[: draw(st.integers(0, players - 2))]
    leaving: dict[int, list[int]] = {}
    for seat in leavers:
        leaving.setdefault(draw(st.integers(1, 2 * players)), []).append(seat)
    return players, leaving


def next_in(seats: set[int], after: int) -> int:
    """Return the next of the seats, counting up and round; written out, as a check of the engine's bits."""
    return min(seats, key=lambda seat: (seat <= after, seat))


def seats_in_rounds(players: int, leaving: Mapping[int, Sequence[int]], rounds: int) -> list[set[int]]:
    return [
        set(range(1, players + 1)) - {seat for after, left in leaving.items() if after < number for seat in left}
        for number in range(1, rounds + 1)
    ]


def hold(rule: str, case: tuple[int, dict[int, list[int]]]) -> None:
    players, leaving = case
    rounds = 2 * players + 6
    goes_round(rule, rounds_of(table_of(players, rule), leaving, rounds), seats_in_rounds(players, leaving, rounds))


def goes_round(rule: str, found: Sequence[Posted], present: Sequence[set[int]]) -> None:
    """Check the rounds of a game against a rule, given who was present in each."""
    smalls = [found[0].small or 0]
    for before, now, seats in zip(found, found[1:], present[1:], strict=False):
        heads_up = len(seats) == 2
        assert now.big != before.big, "nobody has it twice in a row"
        assert {now.big, now.small or now.big} <= seats
        if heads_up:
            assert {now.small, now.big} == seats
            assert now.button == now.small
        if rule == "dead":
            assert now.big == next_in(seats, before.big), "nobody is spared it"
            if not heads_up:
                assert now.small == (before.big if before.big in seats else None)
                assert now.button == smalls[-1]
            smalls.append(now.button if heads_up else before.big)
        elif not heads_up:
            assert now.button == next_in(seats, before.button)
            assert now.small == next_in(seats, now.button)
            assert now.big == next_in(seats, now.small)


def the_blinds_go_round_as_the_rule_says(plan: Plan) -> None:
    """In whole games in which players leave or lose all chips."""
    seats = set(range(1, len(plan.kinds) + 1))
    log: list[Event] = []
    found, present = list[Posted](), list[set[int]]()
    for event in Played(plan).steps():
        log.append(event)
        if isinstance(event, events.PlayerLeft):
            seats.discard(event.seat)
        if isinstance(event, events.RoundEnded):
            found.append(posted(log))
            present.append(set(seats))
            log.clear()
    if found:
        goes_round(plan.rules.button_rule, found, present)


@pytest.mark.parametrize("rule", ["forward", "dead"])
@given(case=cases())
@settings(max_examples=30, deadline=None)
def test_at_3_to_10_seats_with_anybody_leaving_at_any_time(rule: str, case: tuple[int, dict[int, list[int]]]) -> None:
    hold(rule, case)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["forward", "dead"])
@pytest.mark.parametrize("tables", [500, pytest.param(1500, marks=pytest.mark.exhaustive)])
def test_hundreds_of_tables_with_anybody_leaving_at_any_time(rule: str, tables: int) -> None:
    settings(max_examples=tables, deadline=None)(given(case=cases())(lambda case: hold(rule, case)))()


@given(case=cases())
@settings(max_examples=30, deadline=None)
def test_dead_those_who_stay_have_had_as_many_big_blinds_as_the_others_or_one_more(
    case: tuple[int, dict[int, list[int]]],
) -> None:
    players, leaving = case
    found = rounds_of(table_of(players, "dead"), leaving, 2 * players)
    stayed = set(range(1, players + 1)).difference(*leaving.values())
    counts = {seat: sum(one.big == seat for one in found) for seat in stayed}
    assert max(counts.values()) - min(counts.values()) <= 1


# An empty button, and no small blind.


def without_small_blind(*, ante: int = 0) -> Scenario:
    """Round 2 of five players: seat 3, the last big blind, has left; the button is at seat 2, the big blind at 4."""
    game = table_of(5, "dead", ante=ante)
    folded(game)
    return game.given(Leave(3)).ready()


def with_empty_button(*, ante: int = 0) -> Scenario:
    """Round 3 of the same game: the button is at the empty seat 3, the blinds at seats 4 and 5."""
    game = without_small_blind(ante=ante)
    folded(game)
    return game.ready()


def in_round(game: Scenario, *types: type[Event]) -> list[int]:
    """Return the seats of the round's events of some types, in order."""
    start = max(at for at, event in enumerate(game.log) if isinstance(event, events.RoundStarted))
    return [getattr(event, "seat", 0) for event in happened(game.log[start:], *types)]


def test_without_a_small_blind_only_the_big_one_is_posted_and_costs_as_ever() -> None:
    game = without_small_blind()
    assert in_round(game, events.BlindPosted) == [4]
    assert (game.pot, game.legal.call, game.legal.raise_to) == (2, 2, (4, 200))
    assert game.to_act == 5, "left of the big blind"
    game.given(Fold(5), Fold(1), Call(2))
    assert game.to_act == 4, "the big blind may still raise"


def test_without_a_small_blind_the_antes_are_posted_all_the_same() -> None:
    game = without_small_blind(ante=3)
    assert in_round(game, events.AntePosted) == [4, 5, 1, 2]
    assert game.pot == 4 * 3 + 2


def test_who_acts_when_goes_by_an_empty_button_as_by_any() -> None:
    game = with_empty_button(ante=3)
    assert in_round(game, events.AntePosted) == [4, 5, 1, 2]
    assert in_round(game, events.HandDealt) == [4, 5, 1, 2]
    assert game.to_act == 1, "left of the big blind"
    game = drawn(passed(game))
    assert in_round(game, events.CardsDiscarded) == [4, 5, 1, 2]
    assert game.to_act == 4, "left of the button"


def test_hands_are_shown_from_the_left_of_an_empty_button() -> None:
    game = on(passed(drawn(passed(with_empty_button()))))
    assert in_round(game, events.HandShown, events.HandMucked) == [4, 5, 1, 2]


def test_odd_chips_go_out_from_the_left_of_an_empty_button() -> None:
    game = with_empty_button(ante=3)
    equal = ("JH AD 8C 6S 3C", "JD AH 8D 6H 3D")
    for seat, cards in zip((1, 5), equal, strict=True):
        game.state.hands[seat] = parse_cards(cards)
    for seat in (2, 4):
        game.state.hands[seat] = parse_cards("7H 5D 4C 3S 2H" if seat == 2 else "7D 5C 4S 3H 2C")
    game.given(Call(1), Fold(2), Fold(4), Check(5))
    game = on(passed(drawn(game)))
    (award,) = [event for event in game.log[-3:] if isinstance(event, events.PotAwarded)]
    assert {share.seat: share.amount for share in award.shares} == {5: 9, 1: 8}, "12 of antes, 1, 2 and 2"


def test_a_round_is_told_with_the_empty_button_and_the_missing_blind() -> None:
    game, told = table_of(5, "dead"), []
    for _ in range(3):
        while not isinstance(game.log[-1], events.RoundStarted):
            event = game.dealer()
            assert event is not None
            game.given(event)
        told.append(WORDS.tell(game.log[-1], game.state))
        folded(game)
        if len(told) == 1:
            game.given(Leave(3))
    assert told == [
        "Round 1 starts, Player1 has the button",
        "Round 2 starts, Player2 has the button, nobody has the small blind",
        "Round 3 starts, the button is at the empty seat of Player3",
    ]


def test_everyone_sees_an_empty_button() -> None:
    view = with_empty_button().view()
    assert view.button == 3
    assert view.seat(3).standing == "out"
    assert WORDS.show(view)[3].startswith("  Player3 (D)")
