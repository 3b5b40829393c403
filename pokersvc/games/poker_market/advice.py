"""Advice on a choice in the market: the swaps with the greatest gain, weighted by the chance that they are accepted."""

from typing import Final

from pokersvc.cards import Hand
from pokersvc.games.poker_market.actions import LegalActions, Propose
from pokersvc.games.poker_market.engine import Appraisal, plain
from pokersvc.games.poker_market.players import SeenByPlayer, likely
from pokersvc.games.poker_market.view import PokerMarketView
from pokersvc.games.poker_market.view_summary import place_in, swapped
from pokersvc.text import cells, ordinal, padded, whose

ASKING: Final = ("o", "odds", "advice")
"""The texts by which a person asks for advice."""
MOST: Final = 7
"""The maximum number of swaps that the advice lists."""


def advice(view: PokerMarketView, legal: LegalActions) -> list[str]:
    """Return the choices with their results, best first: both answers to a proposal, or a few swaps and passing."""
    return _answers(view, legal.answer) if legal.answer is not None else _swaps(view)


def _answers(view: PokerMarketView, asked: Propose) -> list[str]:
    """Return both answers; the first is the one that a player of the kind ``rank`` would give."""
    seen = SeenByPlayer(view, plain())
    helps_past = seen.helps_past(asked)
    gains = plain().worth(seen.accepted(asked), seen.me) > plain().worth(seen.market, seen.me)
    accepted, declined = f"a  accept: {_becomes(view, asked.partner, asked)}", f"d  decline: {_now(view)}"
    if helps_past:
        accepted += f"; but {view.seat(asked.seat).name} gets past you"
    return [accepted, declined] if gains and not helps_past else [declined, accepted]


def _swaps(view: PokerMarketView) -> list[str]:
    """Return the swaps with the greatest expected gain (gain times the chance of acceptance), and passing last."""
    seen = SeenByPlayer(view, plain())
    now, beliefs, again = plain().worth(seen.market, seen.me), seen.beliefs(), seen.declined()
    found: list[tuple[float, float, Appraisal]] = []
    for swap in plain().appraise(seen.market, seen.me, now + 1):
        if swap.passing <= 0:  # otherwise the swap would put the partner ahead of the proposer
            chance = likely(swap, beliefs[seen.partner(swap.swap)], swap.swap in again)
            found.append((chance * (swap.mine - now), chance, swap))
    found.sort(key=lambda one: (-one[0], one[2].swap))
    rows = []
    for _, chance, swap in found[:MOST]:
        proposal = seen.proposal(swap.swap)
        assert isinstance(proposal, Propose)
        rows.append(_row(view, proposal, chance))
    rows.append(("p", "pass", _now(view), ""))
    wide = [max(cells(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join(padded(text, width) for text, width in zip(row, (*wide, 0), strict=True)).rstrip() for row in rows
    ]


def _row(view: PokerMarketView, swap: Propose, chance: float) -> tuple[str, str, str, str]:
    giver, taker = view.seat(swap.seat), view.seat(swap.partner)
    typed = f"{giver.cards.index(swap.gives) + 1} {swap.partner}.{taker.cards.index(swap.gets) + 1}"
    said = f"{swap.gives.symbol} for {whose(taker.name, swap.gets.symbol)}"
    return typed, said, _becomes(view, swap.seat, swap), f"accepted about {round(100 * chance)} times of 100"


def _becomes(view: PokerMarketView, seat: int, swap: Propose) -> str:
    return f"{Hand(swapped(view, swap)[seat]).describe()}, {ordinal(place_in(view, seat, swap))}"


def _now(view: PokerMarketView) -> str:
    assert view.to_act is not None
    return f"{Hand(view.seat(view.to_act).cards).describe()}, {ordinal(place_in(view, view.to_act))} as now"
