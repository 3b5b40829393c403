"""Reminders before a choice in the market: its rules, how the market ends, and the ranking of hands."""

from typing import Final

from pokersvc.games.poker_market.actions import LegalActions
from pokersvc.games.poker_market.typed_swaps import examples
from pokersvc.games.poker_market.view import PokerMarketView
from pokersvc.games.poker_market.view_summary import place_in
from pokersvc.text import counted, does, ordinal, whose

RANKING: Final = (
    "Hands from the best: royal flush, straight flush, four of a kind, full house, flush, straight, three of a kind,"
    " two pair, one pair, high card."
)
_TURN: Final = (
    "On your turn you propose one swap to one player, my card for your card, or pass. If they decline, your turn is"
    " over all the same.",
    "Anybody else in the market may be asked, also who has passed, and who has declined before.",
)


def moment(view: PokerMarketView, legal: LegalActions) -> list[str]:
    """Return the rules of an answer or of a turn, how the market ends, the ranking of hands, and what to type."""
    now = _answering(view, legal) if legal.answer is not None else _TURN
    return [*now, *_end(view), RANKING, _typed(view, legal)]


def about(view: PokerMarketView) -> list[str]:
    """Return the rules of the market and the ranking of hands."""
    players = counted(len(view.seats), "point")
    return [
        *_TURN,
        f"A market ends after {counted(view.rules.rounds, 'round')}: with all in it, the best hand scores {players} and"
        " the worst 1. Of equal hands, the later turn ranks above.",
        RANKING,
    ]


def _answering(view: PokerMarketView, legal: LegalActions) -> list[str]:
    asked = legal.answer
    assert asked is not None
    name = view.seat(asked.seat).name
    return [
        f"{does(name, 'offers')} {asked.gives} for your {asked.gets}. Accept, and the two cards change hands at once;"
        " decline, and nothing changes.",
        f"Either way {whose(name, 'turn')} is over. What you answer costs you no turn of your own.",
    ]


def _typed(view: PokerMarketView, legal: LegalActions) -> str:
    if legal.answer is not None:
        return "Type accept or yes, or decline or no."
    named, short, numbered = examples(view, legal)
    partner = legal.gets[0][0]
    return (
        f'Type a swap in one of three ways: "{named}", "{short}", or "{numbered}", which is your card 1 for card 1 of'
        f" seat {partner}. Type pass to propose nothing."
    )


def _end(view: PokerMarketView) -> list[str]:
    players, left = len(view.order), view.rules.rounds - view.round_in_market
    assert view.to_act is not None
    comes = f"{counted(left, 'round')} {'follows' if left == 1 else 'follow'}" if left else "No round follows"
    later = view.order.index(view.to_act) + 1
    lines = [
        f"{comes} this one; then the best hand scores {counted(players, 'point')} and the worst 1."
        f" You would be {ordinal(place_in(view, view.to_act))} now.",
        f"Of equal hands, the later turn ranks above: yours is turn {later} of {players}.",
    ]
    if view.rules.markets > 1:
        lines.append(f"This is market {view.market} of {view.rules.markets}: the points of all markets are added up.")
    return lines
