"""Numbered games at tables of every kind: stacks, posts, rake, empty seats, both draw orders."""

from random import Random
from typing import Any, Final

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency, Post
from pokersvc.games.draw_poker.house.rules import Ante, DrawPokerRules, Rake
from pokersvc.service import Service

from ..games.card_rooms.rooms import house

NAMES = ("Ann", "Bob B", "Cid: all-in", "Dee", "Eve [x]", "Fay", "Gus", "Hal", "Ida", "Jon")
CURRENCIES = (Currency(), Currency(), Currency(code="USD", exponent=2), Currency(code="EUR", exponent=2))

STRADDLED: Final = 350
"""Games with this number or a higher one have a straddle."""


def own_game(log: EventLog, number: int, service: Service | None = None) -> str:
    """Play a few rounds between bots, and return the game's ID; the same number gives the same game.

    With a ``service`` of the log, by its clock.
    """
    chosen = Random(number)
    seats = chosen.randint(2, 10 if chosen.random() < 0.3 else 6)
    rules = _rules(chosen)
    if number >= STRADDLED and rules.blinds is not None:
        blinds = rules.blinds.model_copy(update={"straddle": 2 * rules.blinds.big})
        rules = rules.model_copy(update={"blinds": blinds})
    kinds = [chosen.choice(("random", "random", "steady")) for _ in range(seats)]
    setup = Setup(
        tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False)),
        EntropySource.from_text(f"own {number}"),
        chosen.randint(1, 4),
        {"rules": rules, "table": _table(chosen, rules, seats)},
    )
    service = service or Service(log)
    game_id, _ = service.start("draw", setup, game_id=f"game-{number}")
    while service.status(game_id).outcome is None:
        service.play_round(game_id)
    return game_id


def _rules(chosen: Random) -> DrawPokerRules:
    name = chosen.choice(("no-limit", "pot-limit", "fixed-limit"))
    small, big = chosen.choice(((1, 2), (2, 4), (5, 10), (3, 7), (2, 2)))
    rules = house(name)
    assert rules.blinds is not None
    bets: dict[str, Any] = {"minimum": big} | ({"final_minimum": 2 * big} if name == "fixed-limit" else {})
    changed: dict[str, Any] = {
        "ante": Ante(amount=chosen.choice((0, 0, 1, 3)), short="post"),
        "betting": rules.betting.model_copy(update=bets),
        "blinds": rules.blinds.model_copy(update={"small": small, "big": big}),
        "discards": chosen.choice((5, 5, 3)),
        "draw": chosen.choice(("in_turn", "together")),
        "muck_all_in": chosen.random() < 0.5,
        "shows_first": chosen.choice(("aggressor", "left_of_button")),
    }
    if chosen.random() < 0.5:
        changed["rake"] = Rake(
            caps=chosen.choice(((), (1, 2, 3))),
            no_draw_no_rake=chosen.random() < 0.5,
            rounding=chosen.choice(("down", "nearest", "up")),
            share=chosen.choice((250, 500, 1000, 5000)),
        )
    return rules.model_copy(update=changed)


def _table(chosen: Random, rules: DrawPokerRules, seats: int) -> CashTable:
    assert rules.blinds is not None
    first, big = chosen.choice((0, 1)), rules.blinds.big
    numbers = sorted(chosen.sample(range(first, first + 10), seats))
    button = chosen.choice((None, chosen.randint(first, first + 9)))
    posts = None
    if button is not None and chosen.random() < 0.5:
        posts = _posts(chosen, rules, numbers, button)
    stacks = [chosen.choice((chosen.randint(1, 3 * big), chosen.randint(1, 30 * big), 100 * big)) for _ in numbers]
    return CashTable(
        button=button,
        currency=chosen.choice(CURRENCIES),
        hand=chosen.randint(1, 100),
        numbers=tuple(numbers),
        posts=posts,
        stacks=tuple(stacks),
    )


def _posts(chosen: Random, rules: DrawPokerRules, numbers: list[int], button: int) -> tuple[Post, ...]:
    """The blinds, or the big blind alone; newcomers, dead money and a straddle."""
    assert rules.blinds is not None
    small, big = rules.blinds.small, rules.blinds.big
    order = sorted(range(1, len(numbers) + 1), key=lambda seat: (numbers[seat - 1] <= button, seat))
    if len(order) == 2 and button in numbers:
        order.reverse()
    alone = len(order) > 3 and chosen.random() < 0.2
    posts = [] if alone else [Post(amount=small, kind="small", seat=order[0])]
    posts.append(Post(amount=big, kind="big", seat=order[0 if alone else 1]))
    extra, dead, rest = [], [], []
    for seat in order[1 if alone else 2 :]:
        kind = chosen.choice(("extra", "both", "dead", *[""] * 8))
        if kind in ("extra", "both"):
            extra.append(Post(amount=big, kind="extra", seat=seat))
        if kind in ("dead", "both"):
            dead.append(Post(amount=small, kind="dead", seat=seat))
        if not kind:
            rest.append(seat)
    straddles = [Post(amount=2 * big, kind="straddle", seat=rest[0])] if rest and chosen.random() < 0.2 else []
    return (*posts, *extra, *dead, *straddles)
