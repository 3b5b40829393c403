"""Translates a house's rules for an engine version into the settings of `pokersvc.betting` and `pokersvc.streets`."""

from functools import lru_cache
from typing import Final, NamedTuple

from pokersvc.betting.blinds import seat_with_button
from pokersvc.betting.cash_seats import NO_CASH_TERMS
from pokersvc.betting.terms import FirstRound, PostDue, RakeTerms, Terms
from pokersvc.games.draw_poker.house.cash_rules import CashRules, cash_terms_of
from pokersvc.games.draw_poker.house.cash_table import CHIPS, CashTable
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.streets.street import CardTerms, Deal, DrawTerms, Street

HAND: Final = 5
"""The number of cards in a hand."""
_MOST_ALIKE: Final = 256
"""The maximum number of houses whose terms are cached; games of the same house share its terms."""


class HouseTerms(NamedTuple):
    """The rules of a house in the form that `pokersvc.betting` and `pokersvc.streets` take."""

    streets: tuple[Street, ...]
    card_terms: CardTerms
    terms: Terms


@lru_cache(_MOST_ALIKE)
def house_terms(
    rules: DrawPokerRules, engine: int, table: CashTable | None, cash: CashRules | None = None
) -> HouseTerms:
    """Return the terms of a house for an engine version, at a `CashTable` or without one."""
    recorded = table is not None and table.recorded
    return HouseTerms(streets_of(rules), card_terms_of(rules, recorded=recorded), terms_of(rules, engine, table, cash))


def terms_of(rules: DrawPokerRules, engine: int, table: CashTable | None, cash_rules: CashRules | None = None) -> Terms:
    """Return the terms of betting in a house for an engine version, at a `CashTable` or without one."""
    betting, blinds, rake = rules.betting, rules.blinds, rules.rake
    cash, recorded = (False, False) if table is None else (table.cash, table.recorded)
    currency = CHIPS if table is None else table.currency
    return Terms(
        raises=betting.raises,
        all_in=rules.all_in,
        cap=betting.cap,
        check_ends=betting.check_ends,
        fold_free=betting.fold_free,
        maximum=betting.maximum,
        uncapped=betting.uncapped,
        price_settles=engine >= 2,
        small_blind=0 if blinds is None else blinds.small,
        big_blind=0 if blinds is None else blinds.big,
        straddle=rules.straddle,
        dead_button=rules.button_rule == "dead",
        big_blind_alternates=engine >= 2,
        waits_after_heads_up=engine >= 4,
        rake=None
        if rake is None
        else RakeTerms(caps=rake.caps, rounding=rake.rounding, share=rake.share, unit=rake.unit),
        at_cash=cash_terms_of(cash_rules, engine) if cash else NO_CASH_TERMS,
        buy_up_to=rules.stack,
        cash=cash,
        keeps_seats=cash or recorded,
        only_who_can_pay=table is not None,
        people_come_to_programs=engine >= 4,
        pauses_for_all=engine == 1,
        winners_sit=engine > 1,
        stay=rules.stay,
        ante=rules.ante.amount if rules.ante.short == "sit_out" else 0,
        ante_increase=rules.ante.increase if rules.ante.short == "sit_out" else 0,
        currency=currency.code,
        exponent=currency.exponent,
    )


def streets_of(rules: DrawPokerRules, *, bomb_pot: bool = False) -> tuple[Street, Street]:
    """Return the two streets: the deal of five cards and the first betting, then the draw and the final betting.

    In a bomb pot there is no first betting.
    """
    betting = rules.betting
    random = betting.opener == "random"
    dealt = Street(
        deals=(Deal(HAND),),
        bets=not bomb_pot,
        least=betting.minimum,
        may_check=betting.check == "always",
        most_bets=betting.most_bets,
        opener_said=random,
        posts_open=rules.blinds is not None and not bomb_pot,
    )
    drawn = Street(
        draw=DrawTerms(rules.discards, together=rules.draw == "together") if rules.discards else None,
        opens_hands=rules.open_hands == "after_draw",
        least=betting.minimum if betting.final_minimum is None else betting.final_minimum,
        most_bets=betting.most_bets,
        opener_said=random,
    )
    return dealt, drawn


def card_terms_of(rules: DrawPokerRules, *, recorded: bool) -> CardTerms:
    """Return the terms of the cards on both streets, for a game dealt here or a hand recorded elsewhere."""
    return CardTerms(
        reshuffle=rules.reshuffle,
        ante_after_deal=rules.ante.when == "after_deal",
        shows="in_order" if rules.open_hands == "in_order" else "at_once",
        shows_first=rules.shows_first,
        muck_all_in=rules.muck_all_in,
        partly_known=recorded,
        raked_from=2 if rules.rake is not None and rules.rake.no_draw_no_rake else 0,
    )


def stated_of(table: CashTable) -> FirstRound:
    """Return the button, the posts and the rake of a table's first round; None for each that the table leaves out."""
    button, posts = table.button, table.posts
    return FirstRound(
        button=None if button is None else seat_with_button(table.numbers, button),
        posts=None if posts is None else tuple([PostDue(post.amount, post.kind, post.seat) for post in posts]),
        rake=table.rake,
    )
