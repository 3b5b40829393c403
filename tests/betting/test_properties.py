"""Properties of betting that hold for all terms and all choices."""

from random import Random
from typing import Final, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.betting import turns
from pokersvc.betting.pots import make_pots, pot_awarded, shares_of
from pokersvc.betting.seats import has, seats_in
from pokersvc.betting.terms import Raises, StreetTerms, Terms

from .game import OneStreet, PutIn
from .tables import CALL, CHECK, FOLD, Choice, bet, chosen, raise_to
from .test_pots import Shares

MOST_CHOICES: Final = 1000


def choices(game: OneStreet) -> list[Choice]:
    """Return all legal choices; of each range of amounts, only the lowest and the highest."""
    legal = game.legal
    found: list[Choice] = [
        choice for choice, may in ((CHECK, legal.check), (CALL, legal.call), (FOLD, legal.fold)) if may
    ]
    found += [bet(amount) for amount in legal.bet or ()]
    return found + [raise_to(to) for to in legal.raise_to or ()]


def play(game: OneStreet, random: Random) -> None:
    """Play a round; who must fold is folded, and the pots are won at random."""
    game.begin()
    for _ in range(MOST_CHOICES):
        if game.over:
            break
        if game.actor:
            chosen(game, random.choice(choices(game)))
        else:
            game.go_on(turns.folded(game, PutIn(turns.folded_unasked(game))))
        for seat in seats_in(game.live & ~game.all_in):
            assert game.put[seat] == game.price or has(game.pending, seat) or game.over
    assert game.over, "the betting ends"
    make_pots(game)
    while game.pots:
        amount, eligible = game.pots[-1]
        winners = sum(1 << seat for seat in seats_in(eligible) if random.random() < 0.5) or eligible
        pot_awarded(game, Shares(*shares_of(amount, winners, odd_chips=True, button=game.button).items()))


@st.composite
def tables(draw: st.DrawFn) -> OneStreet:
    raises: Raises = draw(st.sampled_from(get_args(Raises)))
    blinds = draw(st.booleans())
    terms = Terms(
        raises=raises,
        all_in=raises not in ("none", "double") or draw(st.booleans()) or blinds,
        cap=16,
        small_blind=blinds * 1,
        big_blind=blinds * 2,
        straddle=blinds * draw(st.sampled_from([0, 4])),
        dead_button=draw(st.booleans()),
        waits_after_heads_up=draw(st.booleans()),
        uncapped=draw(st.sampled_from(["never", "two_left", "two_dealt_in"])),
    )
    street = StreetTerms(least=2, most_bets=draw(st.sampled_from([None, 3])), posts_open=blinds)
    return OneStreet(terms, street, *draw(st.lists(st.integers(1, 60), min_size=2, max_size=10)))


@given(game=tables(), seed=st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_betting_ends_and_no_chip_is_made_or_lost(game: OneStreet, seed: int) -> None:
    total, random = sum(game.stacks), Random(seed)
    for _ in range(4):
        if game.ending():
            break
        play(game, random)
        assert sum(game.stacks) == total
        assert game.pot == 0
        assert min(game.stacks) >= 0
