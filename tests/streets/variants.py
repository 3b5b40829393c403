"""Two games as data: one with four streets and a board, one with up cards, the lowest of which begins."""

from typing import Final

from pokersvc.betting.terms import Terms
from pokersvc.streets.street import Deal, Street

from .game import Poker
from .state import Variant


class LimitHoldem(Poker):
    """Fixed-limit hold'em: two cards each, and five on the board."""

    kind = "limit-holdem"
    variant = Variant(
        Terms(raises="fixed_limit", all_in=True, small_blind=1, big_blind=2),
        ante=0,
        streets=(
            Street(deals=(Deal(2),), least=2, most_bets=4, posts_open=True),
            Street(deals=(Deal(3, "board"),), least=2, most_bets=4),
            Street(deals=(Deal(1, "board"),), least=4, most_bets=4),
            Street(deals=(Deal(1, "board"),), least=4, most_bets=4),
        ),
    )


class FiveCardStud(Poker):
    """One card down and four up. The lowest card must bet, later the highest hand begins."""

    kind = "five-card-stud"
    variant = Variant(
        Terms(raises="fixed_limit", all_in=True),
        ante=1,
        streets=(
            Street(
                deals=(Deal(1), Deal(1, "up")),
                least=2,
                most_bets=4,
                may_check=False,
                opener_said=True,
                opener="low_card",
            ),
            Street(deals=(Deal(1, "up"),), least=2, most_bets=4, opener_said=True, opener="high_hand"),
            Street(deals=(Deal(1, "up"),), least=4, most_bets=4, opener_said=True, opener="high_hand"),
            Street(deals=(Deal(1, "up"),), least=4, most_bets=4, opener_said=True, opener="high_hand"),
        ),
    )


HOLDEM: Final = LimitHoldem()
STUD: Final = FiveCardStud()
