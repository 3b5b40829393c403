"""A game in a card room, in the words of `tests.games.draw_poker.scenario`."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from pokersvc.cards import parse_cards
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Call, Check
from pokersvc.games.draw_poker.house.houses import preset, rules_of
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.situation import COMMITTING
from tests.games.draw_poker.committed import hand_dealt

from ..draw_poker.scenario import Scenario, after_earlier_rounds, seated, stand_pat

HOUSES: Final = ("no-limit", "pot-limit", "fixed-limit")


@cache
def house(
    name: str,
    *,
    ante: int = 0,
    stack: int = 200,
    blinds: tuple[int, int] = (1, 2),
    button_rule: str = "forward",
    straddle: int = 0,
    uncapped: str = "never",
) -> DrawPokerRules:
    """Return the rules of a card room, with an ante; the larger unit of a fixed limit is twice the big blind."""
    data = preset(name).model_dump()
    data["button_rule"] = button_rule
    data["stack"] = stack
    data["ante"]["amount"] = ante
    small, big = blinds
    data["blinds"] = {"big": big, "small": small, "straddle": straddle}
    data["betting"]["minimum"] = big
    if name == "fixed-limit":
        data["betting"] |= {"final_minimum": 2 * big, "uncapped": uncapped}
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
) -> Scenario:
    """A game between two rounds; ``button`` is where it would be next. Without ``stacks`` all have 200."""
    rules = house(name, ante=ante, blinds=blinds)
    game = after_earlier_rounds(seated(players, persons=persons, rules=rules, engine=engine), stacks)
    game.state.button = button - 1
    return game


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
) -> Scenario:
    """The first betting: blinds (of 1 and 2) are posted, hands are dealt (the ``hands`` of seat 1, 2, … where given).

    With the button at seat 1 and three players or more, seat 2 has the small blind and seat 3 the big one;
    heads-up seat 1 has the small blind and seat 2 the big one.
    """
    game = before(name, players, stacks=stacks, ante=ante, button=button, persons=persons, blinds=blinds, engine=engine)
    if not hands:
        return game.ready()
    while game.to_act is None and not isinstance(game.dealer(), events.HandDealt | earlier_events.HandDealt):
        event = game.dealer()
        assert event is not None
        game.given(event)
    for seat, cards in enumerate(map(parse_cards, hands), 1):
        committed = engine >= COMMITTING
        game.given(hand_dealt(cards, seat) if committed else earlier_events.HandDealt(cards, len(cards), seat))
    return game


def on(game: Scenario) -> Scenario:
    """Let the dealer go on until a seat must choose, but not beyond the end of the round."""
    if not isinstance(game.log[-1], events.RoundEnded):
        game.deal_on()
    return game


def passed(game: Scenario) -> Scenario:
    """Let every seat to act call or check, to the end of the betting round."""
    street = on(game).view().stage
    while game.to_act is not None and game.view().stage == street:
        on(game.given(Call(game.to_act) if game.legal.call else Check(game.to_act)))
    return game


def drawn(game: Scenario) -> Scenario:
    """Let every seat in the draw stand pat."""
    on(game)
    while game.to_act is not None and game.view().stage == "draw":
        on(game.given(*stand_pat(game.to_act)))
    return game


def final(
    name: str,
    players: int,
    *hands: str,
    stacks: Iterable[int] = (),
    ante: int = 0,
    button: int = 1,
    persons: Iterable[int] = (),
    blinds: tuple[int, int] = (1, 2),
) -> Scenario:
    """Return the final betting, after all called the big blind and stood pat."""
    return drawn(
        passed(opened(name, players, *hands, stacks=stacks, ante=ante, button=button, persons=persons, blinds=blinds))
    )
