"""Stakes that change between rounds: nobody's chips change, and each round has the amounts then in force."""

from typing import Any

import pytest

from pokersvc.core.actions import Action, Leave
from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, ChangeStakes, Check, Discard
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.house.stakes import refused_stakes, stakes_given, stakes_of, with_stakes

from .scenario import Scenario, happened

WORDS = DrawPokerWords()


def game(house: str = "no-limit", seats: int = 3, *, changeable: bool = True, **options: Any) -> Scenario:
    """A game of people after its first round."""
    people = tuple(Seat(HUMAN, name) for name in ("Ann", "Bob", "Cy", "Dee")[:seats])
    given = {"rules": house, "changeable": changeable, **options}
    return called(Scenario(DRAW_POKER.start(Setup(people, EntropySource.from_text("stakes"), None, given))))


def called(game: Scenario) -> Scenario:
    """Play another round, in which all seats check, call and stand pat, or bet as little as they may."""
    game.deal_on()
    while not isinstance(game.log[-1], events.RoundEnded):
        if (seat := game.to_act) is not None:
            legal = game.legal
            if legal.discard is not None:
                game.given(Discard(seat, ()))
            elif legal.call:
                game.given(Call(seat))
            else:
                game.given(Check(seat) if legal.check or legal.bet is None else Bet(seat, legal.bet[0]))
        game.deal_on()
    return game


def change(game: Scenario, seat: int = 1, **given: Any) -> Action:
    return DRAW_POKER.change_of_stakes(game.state, given, seat)


def posts(game: Scenario) -> list[tuple[int, int]]:
    """Return the seats and amounts of the antes and blinds of the last round."""
    began = max(at for at, event in enumerate(game.log) if isinstance(event, events.RoundStarted))
    paid = (events.AntePosted, events.BlindPosted, events.Posted)
    return [(event.seat, event.amount) for event in game.log[began:] if isinstance(event, paid)]


# Given a game whose start allows it.


def test_the_next_rounds_have_the_new_blinds_and_nobodys_chips_change() -> None:
    played = game()
    before = played.stacks
    played.given(played.event_of(change(played, blinds="5/10", ante=1)))
    assert played.stacks == before
    assert [amount for _, amount in posts(called(played))] == [1, 1, 1, 5, 10]
    assert [amount for _, amount in posts(called(played))] == [1, 1, 1, 5, 10]


def test_bets_of_both_rounds_and_the_straddle_stay_in_proportion() -> None:
    played = game("fixed-limit", straddle=4)
    event = played.event_of(change(played, blinds="5/10"))
    assert isinstance(event, events.StakesChanged)
    stakes = event.stakes
    assert (stakes.minimum, stakes.final_minimum, stakes.straddle, event.by) == (10, 20, 20, 1)
    played.given(event).ready()
    assert played.legal.raise_to == (30, 30)


def test_a_house_without_blinds_changes_its_bets_and_its_cap() -> None:
    played = game("capped-raise")
    played.given(played.event_of(change(played, bet=3, ante=2))).ready()
    assert played.legal.bet == (3, 3)
    assert (played.view().rules.betting.cap, played.view().ante) == (48, 2)


def test_a_rising_ante_goes_on_from_the_new_one() -> None:
    played = game("rising-ante")
    assert played.view().next_ante == 6
    played.given(played.event_of(change(played, ante=20, increase=5)))
    assert played.view().next_ante == 20
    assert [called(played).view().ante for _ in range(3)] == [20, 25, 30]
    played.given(played.event_of(change(played, bet=60)))
    assert [called(played).view().ante for _ in range(2)] == [35, 40]


def test_who_cannot_pay_the_new_ante_is_out() -> None:
    played = game("rising-ante")
    played.state.stacks[2] = 500
    played.given(played.event_of(change(played, ante=600)))
    assert not played.state.pausing
    assert played.dealer() == events.PlayerLeft(0, "short", 2)


def test_blinds_may_grow_beyond_the_stack_of_the_start() -> None:
    played = game()
    played.given(played.event_of(change(played, blinds="300/600")))
    stacks = played.stacks
    called(played)
    assert {amount for _, amount in posts(played)} <= set(stacks), "each posts all it has"


def test_in_a_cash_game_the_stack_that_is_sold_changes_and_must_be_enough() -> None:
    played = game(cash=True)
    assert played.refusal(change(played, blinds="300/600")) == "illegal_amount"
    played.given(played.event_of(change(played, blinds="5/10", stack=1000)))
    assert played.state.terms.buy_up_to == 1000


# Refused.


def test_only_where_the_start_says_so() -> None:
    played = game(changeable=False)
    assert played.refusal(change(played, blinds="5/10")) == "not_changeable"
    assert not played.view().changeable


def test_only_between_two_rounds() -> None:
    played = game().ready()
    assert played.refusal(change(played, blinds="5/10")) == "not_between_rounds"
    changed = events.StakesChanged(None, stakes_of(preset("no-limit"), 0))
    with pytest.raises(ImpossibleEvent):
        played.state.apply(changed)


@pytest.mark.parametrize("seat", [-1, 9, True])
def test_a_host_with_a_seat_is_a_person(seat: int) -> None:
    played = game()
    assert played.refusal(change(played, seat, blinds="5/10")) == "not_a_person"


def test_what_changes_nothing_is_refused() -> None:
    played = game()
    assert played.refusal(change(played, blinds="1/2")) == "nothing_changes"


@pytest.mark.parametrize(
    ("house", "given", "field"),
    [
        ("no-limit", {"small": 20, "big": 10}, "blinds.small"),
        ("no-limit", {"minimum": 5}, "betting.minimum"),
        ("no-limit", {"stack": 500}, "stack"),
        ("no-limit", {"straddle": 3}, "blinds.straddle"),
        ("no-limit", {"small": None}, "blinds"),
        ("no-limit", {"cap": 20}, "betting.cap"),
        ("pot-limit", {"straddle": 8}, "blinds.straddle"),
        ("fixed-limit", {"straddle": 5}, "blinds.straddle"),
        ("capped-raise", {"cap": 1}, "betting.cap"),
        ("capped-raise", {"big": 4, "small": 2}, "blinds"),
        ("capped-raise", {"straddle": 4}, "blinds.straddle"),
        ("capped-raise", {"maximum": 64}, "betting.maximum"),
    ],
)
def test_amounts_that_no_house_may_have(house: str, given: dict[str, int | None], field: str) -> None:
    rules = preset(house)
    stakes = stakes_of(rules, rules.ante.amount).model_copy(update=given)
    refused = refused_stakes(rules, stakes, cash=False)
    assert refused is not None
    assert refused.field == field
    played = game(house)
    stakes = stakes_of(played.state.rules, played.state.next_ante).model_copy(update=given)
    assert played.refusal(ChangeStakes(1, stakes)) == "illegal_amount"


@pytest.mark.parametrize("house", preset_names())
def test_the_stakes_of_a_house_are_its_own(house: str) -> None:
    rules = preset(house)
    stakes = stakes_of(rules, rules.ante.amount)
    assert with_stakes(rules, stakes) == rules
    assert refused_stakes(rules, stakes, cash=False) is None


@pytest.mark.parametrize(
    "given",
    [{}, {"blinds": "10/5"}, {"blinds": "5"}, {"ante": -1}, {"ante": True}, {"bet": 4}, {"stack": 0}, {"colour": 1}],
)
def test_what_is_no_stake(given: dict[str, object]) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        stakes_given(preset("no-limit"), 0, given)


def test_a_house_without_blinds_gets_none() -> None:
    with pytest.raises(InvalidValue):
        stakes_given(preset("rising-ante"), 5, {"blinds": "5/10"})


# In words.


def test_who_asked_and_what_is_now_in_force_is_told() -> None:
    played = game()
    played.given(played.event_of(change(played, 2, blinds="5/10", ante=1)))
    assert WORDS.tell(played.log[-1], played.state) == "Bob changed the stakes: blinds 5/10 and ante 1"
    played.given(played.event_of(change(played, 0, ante=0)))
    assert WORDS.tell(played.log[-1], played.state) == "The host changed the stakes: blinds 5/10 and no ante"


def test_a_house_without_blinds_tells_its_bets() -> None:
    played = game("capped-raise")
    played.given(played.event_of(change(played, bet=4, increase=1)))
    said = "Ann changed the stakes: ante 1, 1 more each round, bets 4 and cap 64"
    assert WORDS.tell(played.log[-1], played.state) == said


def test_a_cash_game_tells_what_is_sold() -> None:
    played = game("fixed-limit", cash=True)
    played.given(played.event_of(change(played, blinds="2/4", stack=300)))
    said = "Ann changed the stakes: blinds 2/4, no ante, bets 4/8 and up to 300 sold to each"
    assert WORDS.tell(played.log[-1], played.state) == said


def test_what_a_host_types() -> None:
    played = game()
    assert [one.typed for one in WORDS.stakes(played.view())] == ["blinds 1/2"]
    assert WORDS.read_stakes("Blinds 5/10  ante 1", played.view()) == {"blinds": "5/10", "ante": "1"}
    assert WORDS.read_stakes("leave", played.view()) is None
    assert [one.typed for one in WORDS.stakes(game("rising-ante").view())] == ["ante 6"]
    assert WORDS.stakes(game(changeable=False).view()) == []
    assert WORDS.read_stakes("blinds 5/10", game(changeable=False).view()) is None


# The start.


def test_stakes_that_may_change_are_an_option_of_the_start() -> None:
    for allowed in (True, False):
        (started,) = happened(game(changeable=allowed).log, events.GameStarted)
        assert started.changeable is allowed
    with pytest.raises(InvalidValue):
        DRAW_POKER.options({"rules": "no-limit", "changeable": "yes"})  # what a stranger may send


def test_a_game_of_an_earlier_engine_has_fixed_stakes() -> None:
    started = game().log[0]
    assert isinstance(started, events.GameStarted)
    assert not list(DRAW_POKER.contradictions(started))
    object.__setattr__(started, "engine", 4)
    assert [wrong.found for wrong in DRAW_POKER.contradictions(started)] == [
        "stakes that may change in a game of engine 4"
    ]


def test_leaving_is_still_possible_after_a_change() -> None:
    played = game()
    played.given(played.event_of(change(played, blinds="5/10")))
    assert played.event_of(Leave(2)) == events.PlayerLeft(0, "withdrew", 2)
