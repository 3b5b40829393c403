"""The reasons for refused commands, by the house's rules, and the short commands of legal actions."""

from typing import Any

import pytest

from pokersvc.core.drawing import Shortcut
from pokersvc.core.event import EVERYONE
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import Post
from pokersvc.games.draw_poker.house.houses import preset, preset_names

from .scenario import KINGS, Scenario, dealt, seated, stand_pat
from .tables import sitting, table

WORDS = DrawPokerWords()


def why(text: str, game: Scenario) -> str | None:
    """Return the net results of the round that has just ended."""
    assert game.to_act is not None
    return WORDS.why_not(text, game.view(game.to_act), game.legal)


def offered(game: Scenario) -> list[Shortcut]:
    assert game.to_act is not None
    return WORDS.shortcuts(game.view(game.to_act), game.legal)


def ready(house: str, *given: Any, players: int = 3) -> Scenario:
    return seated(players, rules=preset(house)).given(*given).ready()


CALLED = (Bet(1, 50), Call(2), *stand_pat(1, 2))


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("check", dealt(2), "You cannot check: in this house the opener bets 50 or more or folds."),
        ("call", dealt(2), "You cannot call: there is no bet yet; you can bet 50 to 995 or fold."),
        ("r 100", dealt(2), "You cannot raise: there is no bet yet; you can bet 50 to 995 or fold."),
        ("b 20", dealt(2), "You cannot bet 20: the least is 50."),
        ("b 2000", dealt(2), "You cannot bet 2000: you have no more than 995."),
        ("1 3", dealt(2), "The draw comes after this betting."),
        ("k", dealt(2).given(Bet(1, 70)), "You cannot check: there is a bet of 70; you can call 70 or fold."),
        (
            "r 140",
            dealt(2).given(Bet(1, 70)),
            "You cannot raise: in this house a bet is called or not, never raised; you can call 70 or fold.",
        ),
        (
            "a",
            ready("pot-limit"),
            "You cannot go all in with 200: the most you may raise to now is 7.",
        ),
        (f"r {10**23}", ready("no-limit"), f"You cannot raise to {10**23}: your chips reach to 200."),
        ("r 8", ready("pot-limit"), "You cannot raise to 8: the most is 7 by the size of the pot."),
        ("r 3", ready("no-limit"), "You cannot raise to 3: the least is 4."),
        ("r 3", ready("fixed-limit"), "You cannot raise to 3: in this house a raise is to 4 now."),
        (
            "r 10",
            ready("fixed-limit", Raise(1, 4), Raise(2, 6), Raise(3, 8)),
            "You cannot raise: in this house a round of betting has 4 bets, raises among them; you can call 4 or fold.",
        ),
        (
            "raise",
            ready("capped-raise", Bet(1, 2), Raise(2, 4), Raise(3, 8), Raise(1, 16), Raise(2, 32)),
            "You cannot raise: a raise doubles the bet, and in this house none goes above 32; you can call 24 or fold.",
        ),
        ("f", ready("capped-raise"), "You cannot fold: in this house a hand that costs nothing is not folded."),
        ("b 5", ready("capped-raise"), "You cannot bet 5: in this house a bet is 2 now."),
        (
            "call",
            ready("no-limit", Call(1), Call(2)),
            "You cannot call: you have put in as much as the bet; you can check or raise to 4 to 200.",
        ),
        (
            "bet 10",
            ready("no-limit"),
            "You cannot bet: there is a bet of 2 already; you can call 2, raise to 4 to 200 or fold.",
        ),
        ("1 2 3 4 5", dealt(2).given(Bet(1, 50), Call(2)).ready(), "You may discard at most 4 cards in this house."),
        (
            "check",
            dealt(2).given(Bet(1, 50), Call(2)).ready(),
            "This is the draw, so nobody bets or folds: choose cards to discard, or press Enter to keep all.",
        ),
        ("1 3", dealt(2).given(*CALLED).ready(), "The draw is over: no more cards are changed."),
        ("check", dealt(2).given(*CALLED).ready(), None),
        ("hello", dealt(2), None),
    ],
)
def test_why_not_by_the_rule_of_the_house(text: str, game: Scenario, sentence: str | None) -> None:
    assert why(text, game) == sentence


def test_why_nobody_raises_who_is_all_in_or_has_acted() -> None:
    short = sitting(table(350, 80, 90, button=1)).ready().given(Call(1), Raise(2, 80), Raise(3, 90))
    assert why("r 200", short) == ("You cannot raise: nobody else has chips for more; you can call 88 or fold.")
    again = sitting(table(350, 300, 90, button=1)).ready().given(Raise(1, 60), Call(2), Raise(3, 90))
    assert why("r 200", again) == (
        "You cannot raise: you have acted, and what came since was less than a full raise; you can call 30 or fold."
    )
    alone = sitting(table(350, 80)).ready().given(Raise(1, 350))
    assert why("a", alone) is None
    assert why("r 90", alone) == "You cannot raise: your chips do not go beyond the bet; you can call 78 or fold."


def test_the_shortcuts_are_those_of_what_is_legal_with_amounts() -> None:
    assert offered(dealt(2)) == [
        Shortcut("b 50", "bet 50, or up to 995"),
        Shortcut("a", "all in, 995"),
        Shortcut("f", "fold"),
    ]
    assert offered(ready("no-limit", Raise(1, 200))) == [Shortcut("c", "call 199 (all in)"), Shortcut("f", "fold")]
    assert [one.typed for one in offered(ready("fixed-limit"))] == ["c", "r 4", "f"]
    assert offered(dealt(2).given(Bet(1, 50), Call(2)).ready()) == [
        Shortcut("5", "discard this, at most 4 cards"),
        Shortcut("k", "keep all"),
    ]


def test_who_does_not_see_a_hand_is_shown_no_card_of_it_to_discard() -> None:
    game = dealt(2).given(Bet(1, 50), Call(2)).ready()
    assert WORDS.shortcuts(game.view(2), game.legal) == [Shortcut("k", "keep all")]
    assert WORDS.completions(game.view(2), game.legal) == ["keep"]


def test_a_short_c_checks_where_nothing_is_to_be_called() -> None:
    game = ready("no-limit", Call(1), Call(2))
    assert WORDS.read("c", game.view(3), game.legal) == Check(3)
    game = ready("no-limit")
    assert WORDS.read("c", game.view(1), game.legal) == Call(1)


def test_who_may_not_be_advised_is_offered_no_advice() -> None:
    game = dealt(2).given(Bet(1, 50), Call(2)).ready()
    view = game.view(game.to_act or 0)
    typed = [*[one.typed for one in offered(game)], *WORDS.completions(view, game.legal)]
    assert not any(WORDS.takes_advice(one, game.legal) for one in typed)
    assert WORDS.takes_advice("o", game.legal)
    assert WORDS.explain("o", view, game.legal) == WORDS.explain("table", view, game.legal) is not None


# The moment, explained.


@pytest.mark.parametrize("house", preset_names())
def test_the_rules_of_the_moment_are_those_of_the_house_in_lines_for_any_terminal(house: str) -> None:
    game = ready(house)
    seen = []
    while game.to_act is not None:
        seat, legal = game.to_act, game.legal
        lines = WORDS.moment(game.view(seat), legal)
        assert lines[0].startswith(f"House {house}: ")
        assert max(map(len, lines)) <= 60
        said = " ".join(line.strip() for line in lines)
        assert "royal flush, straight flush" in said
        assert ("You may change up to" in said) == (legal.discard is not None)
        seen.append(said)
        if legal.discard is not None:
            game.given(Discard(seat, ())).ready()
        elif legal.check or legal.call:
            game.given(Check(seat) if legal.check else Call(seat)).ready()
        elif legal.bet is not None:
            game.given(Bet(seat, legal.bet[0])).ready()
        if isinstance(game.log[-1], events.RoundEnded):
            break
    assert len({said.split(" From the best")[0] for said in seen}) >= 3, "each street has rules of its own"


def test_the_moment_says_what_matters_in_this_house() -> None:
    game = dealt(2, "JS AH 3C AD 2D", KINGS)
    said = " ".join(" ".join(WORDS.moment(game.view(1), game.legal)).split())
    assert "the ante is 5, and 1 more each round." in said
    assert "in this house the opener bets 50 or more or folds. Nobody may check before the draw." in said
    assert "[one pair]" in said
    game = ready("capped-raise")
    assert "doubles the bet, up to 32" in " ".join(WORDS.moment(game.view(1), game.legal))


# What a round brought, net.


def net_of(game: Scenario) -> list[tuple[int, int]]:
    """Return the net results of the round that has just ended."""
    entry = game.state.entry(events.RoundEnded(game.state.round), EVERYONE)
    assert entry is not None
    return WORDS.net(entry)


def test_who_put_in_995_uncalled_won_the_ante_of_the_other() -> None:
    game = dealt(2).given(Bet(1, 995), Fold(2)).ready()
    assert WORDS.tell(game.log[-1], game.state) == "Round 1 -- Player1 won 1005"
    assert net_of(game) == [(1, 5), (2, -5)]


def test_dead_money_is_lost_and_an_uncalled_bet_is_not() -> None:
    posts = (
        Post(amount=1, kind="small", seat=2),
        Post(amount=2, kind="big", seat=3),
        Post(amount=1, kind="dead", seat=1),
    )
    game = sitting(table(100, 100, 100, button=1, posts=posts)).ready().given(Raise(1, 50), Fold(2), Fold(3))
    game.deal_on()
    assert net_of(game) == [(1, 3), (2, -1), (3, -2)]


def test_what_is_carried_is_nobodys_and_the_winner_of_the_next_round_has_it() -> None:
    game = dealt(2, carried=7).given(Bet(1, 50), Fold(2))
    game.deal_on()
    assert net_of(game) == [(1, 12), (2, -5)]
    assert not any(isinstance(action, Discard) for action in game.log)
