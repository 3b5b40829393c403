"""A table in a card room, in the words of `tests.games.draw_poker.table`."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from pokersvc.cards import parse_cards
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Check
from pokersvc.games.draw_poker.houses import preset, rules_of
from pokersvc.games.draw_poker.rules import DrawPokerRules

from ..draw_poker.table import Table, after_earlier_rounds, seated, stand_pat

HOUSES: Final = ("no-limit", "pot-limit", "fixed-limit")


@cache
def house(
    name: str, *, ante: int = 0, stack: int = 200, blinds: tuple[int, int] = (1, 2), button_rule: str = "forward"
) -> DrawPokerRules:
    """Return the rules of a card room, with an ante; the larger unit of a fixed limit is twice the big blind."""
    data = preset(name).model_dump()
    data["button_rule"] = button_rule
    data["stack"] = stack
    data["ante"]["amount"] = ante
    small, big = blinds
    data["blinds"] = {"big": big, "small": small}
    data["betting"]["minimum"] = big
    if name == "fixed-limit":
        data["betting"]["final_minimum"] = 2 * big
    return rules_of(data, name)


def before(
    name: str,
    players: int,
    *,
    stacks: Iterable[int] = (),
    ante: int = 0,
    button: int = 1,
    persons: Iterable[int] = (),
    blinds: tuple[int, int] = (1, 2),
    engine: int = DRAW_POKER.engine,
) -> Table:
    """A game between two rounds; ``button`` is where it would be next. Without ``stacks`` all have 200."""
    table = after_earlier_rounds(seated(players, persons=persons, rules=house(name, ante=ante, blinds=blinds)), stacks)
    table.state.button, table.state.engine = button - 1, engine
    return table


def opened(
    name: str,
    players: int,
    *hands: str,
    stacks: Iterable[int] = (),
    ante: int = 0,
    button: int = 1,
    persons: Iterable[int] = (),
    blinds: tuple[int, int] = (1, 2),
    engine: int = DRAW_POKER.engine,
) -> Table:
    """The first betting: blinds (of 1 and 2) are posted, hands are dealt (the ``hands`` of seat 1, 2, … where given).

    With the button at seat 1 and three players or more, seat 2 has the small blind and seat 3 the big one;
    heads-up seat 1 has the small blind and seat 2 the big one.
    """
    table = before(
        name, players, stacks=stacks, ante=ante, button=button, persons=persons, blinds=blinds, engine=engine
    )
    if not hands:
        return table.ready()
    while table.to_act is None and not isinstance(table.dealer(), events.HandDealt):
        event = table.dealer()
        assert event is not None
        table.given(event)
    return table.given(*(events.HandDealt(parse_cards(cards), 5, seat) for seat, cards in enumerate(hands, 1)))


def on(table: Table) -> Table:
    """Let the dealer go on until a seat must choose, but not beyond the end of the round."""
    if not isinstance(table.log[-1], events.RoundEnded):
        table.deal_on()
    return table


def passed(table: Table) -> Table:
    """Let everyone who is asked call or check, to the end of the betting round."""
    street = on(table).view().stage
    while table.to_act is not None and table.view().stage == street:
        on(table.given(Call(table.to_act) if table.legal.call else Check(table.to_act)))
    return table


def drawn(table: Table) -> Table:
    """Let everyone who draws stand pat."""
    on(table)
    while table.to_act is not None and table.view().stage == "draw":
        on(table.given(*stand_pat(table.to_act)))
    return table


def final(
    name: str,
    players: int,
    *hands: str,
    stacks: Iterable[int] = (),
    ante: int = 0,
    button: int = 1,
    persons: Iterable[int] = (),
    blinds: tuple[int, int] = (1, 2),
) -> Table:
    """The final betting: all have called the big blind and stood pat."""
    return drawn(
        passed(opened(name, players, *hands, stacks=stacks, ante=ante, button=button, persons=persons, blinds=blinds))
    )
