"""The winnings of each level of the bots of draw poker from the one below, and of `shark` among other bots."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import fsum
from random import Random
from statistics import mean
from time import process_time
from typing import Final, NamedTuple

from benchmarks.exploiters import FiveLines
from benchmarks.table import markdown
from pokersvc.core.bots.player import Player
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.events import RoundEnded
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.strategy.kinds import KINDS, LEVELS
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.tournament.comparison import Mean, compared

AnyPlayer = Player[DrawPokerView, LegalActions]
FIVE_LINES: Final = "five lines"
"""The name here of the rule of five lines, which is no built-in kind."""
MADE: Final[Mapping[str, Callable[[], AnyPlayer]]] = {**KINDS, FIVE_LINES: FiveLines}
MIXED: Final = ["steady", "table", "house", "minimum", FIVE_LINES]
"""The others at a mixed table of six."""
TABLES: Final = (["steady"], [FIVE_LINES] * 2, MIXED)
"""Who sits beside the seat that is filled in turn."""
ROUNDS: Final = 20
"""The most hands of a game."""
LEVEL_DEALS: Final = 12
SEAT_DEALS: Final = 10
"""The numbers of deals of the two tables."""
RIVALS: Final = ("steady", "table", "house", FIVE_LINES)
"""Who else fills the seat of `shark`."""


class PlayedGame(NamedTuple):
    """Each seat's winnings in a game, and the number of hands."""

    gains: tuple[int, ...]
    hands: int


class OnDeal(NamedTuple):
    """A player's winnings on one deal, over all orders of the seats, and the number of hands."""

    chips: int
    hands: int


def play(house: str, kinds: Sequence[str], seed: str, rounds: int, took: list[float]) -> PlayedGame:
    """Play a game of up to ``rounds`` rounds; ``took`` gets the seconds of each choice of `shark`.

    Kinds are hidden, and a bot's randomness depends on the seed, its seat and the event.
    """
    source = EntropySource.from_text(seed)
    seats = tuple(Seat("random", f"P{number}") for number in range(len(kinds)))
    started = DRAW_POKER.start(Setup(seats, source, rounds, {"rules": house}, hidden_kinds=True))
    entropy, replay, number, hands = source.entropy(), Replay(DRAW_POKER), 0, 0
    state, players = replay.take(started), [MADE[kind]() for kind in kinds]
    while True:
        number += 1
        event = state.dealer_event(entropy)
        if event is None:
            if not state.awaited:
                break
            seat = state.awaited[0]
            view, legal, random = state.view(seat), state.legal(seat), Random(f"{seed}/{number}/{kinds}")
            began = process_time()
            event = state.decide(players[seat - 1].choose(view, legal, random))
            if kinds[seat - 1] == "shark":
                took.append(process_time() - began)
        replay.take(event)
        hands += isinstance(event, RoundEnded)
    assert state.outcome is not None
    return PlayedGame(DRAW_POKER.gains(started, state.outcome), hands)


def on_deal(house: str, kind: str, others: Sequence[str], seed: str, rounds: int, took: list[float]) -> OnDeal:
    """Return a player's winnings on a deal, sitting at each seat in turn beside the others in their order."""
    chips = hands = 0
    order = [kind, *others]
    for turned in range(len(order)):
        played = play(house, [*order[-turned:], *order[:-turned]] if turned else order, seed, rounds, took)
        chips += played.gains[turned]
        hands += played.hands
    return OnDeal(chips, hands)


def per_100(deals: Sequence[OnDeal], unit: int) -> list[float]:
    """Return a value for each deal whose mean is the winnings per 100 hands, in ``unit`` chips: a linearised ratio."""
    hands = mean(one.hands for one in deals)
    ratio = fsum(one.chips for one in deals) / fsum(one.hands for one in deals)
    return [100 / unit * (ratio + (one.chips - ratio * one.hands) / hands) for one in deals]


def unit_of(house: str) -> int:
    """Return the chips of a big blind; 1 without blinds."""
    blinds = preset(house).blinds
    return 1 if blinds is None else blinds.big


def run(*, quick: bool = False) -> str:
    """Return both tables."""
    return f"{_levels(quick=quick)}\n\n{_in_the_same_seat(quick=quick)}"


def _levels(*, quick: bool) -> str:
    pairs = [*zip([*LEVELS][1:], LEVELS, strict=False)]
    deals = 3 if quick else LEVEL_DEALS
    return markdown(
        "What each level wins from the one below it, for two, in 100 hands",
        ("house", *(f"{better} from {worse}" for better, worse in pairs)),
        [level_row(house, pairs, deals) for house in preset_names()],
        f"{deals} deals of at most {ROUNDS} hands, each in both orders; in big blinds where there are blinds, else in"
        " chips; with 95 % confidence.",
    )


def level_row(house: str, pairs: Sequence[tuple[str, str]], deals: int) -> list[str]:
    """Return each level's winnings from the one below it in a house."""
    row = [house]
    for better, worse in pairs:
        seen = [on_deal(house, better, [worse], f"levels {one}", ROUNDS, []) for one in range(deals)]
        row.append(_said(Mean.of(per_100(seen, unit_of(house)))))
    return row


def _in_the_same_seat(*, quick: bool) -> str:
    deals, took = 3 if quick else SEAT_DEALS, list[float]()
    rows = [seat_row(house, others, deals, took) for house in preset_names() for others in TABLES]
    return markdown(
        "What shark wins in 100 hands, and how much more than other bots in the same seat",
        ("house", "beside", "shark", "the next best", "shark wins more", "decided"),
        rows,
        f"{deals} deals of at most {ROUNDS} hands, at every seat in turn. The intervals of a row hold together with"
        f" 95 %; what is decided follows Holm. A choice of shark takes {1000 * mean(took):.1f} ms on average.",
    )


def seat_row(house: str, others: Sequence[str], deals: int, took: list[float]) -> list[str]:
    """Return `shark`'s winnings at a table, and its lead over the best of the others in the same seat."""
    won = partial(_won, house, others, deals, took)
    first, rivals = won("shark"), {place: won(kind) for place, kind in enumerate(RIVALS)}
    found = compared(first, rivals)
    closest = min(found, key=lambda one: one.difference.value)
    decided = sum(one.decided and one.difference.value > 0 for one in found)
    beside = ", ".join(f"{others.count(kind)} {kind}" for kind in dict.fromkeys(others))
    own = [house, beside, _said(Mean.of(first))]
    return [*own, RIVALS[closest.other], _said(closest.difference), f"{decided} of {len(found)}"]


def _won(house: str, others: Sequence[str], deals: int, took: list[float], kind: str) -> list[float]:
    seen = [on_deal(house, kind, others, f"seat {one}", ROUNDS, took) for one in range(deals)]
    return per_100(seen, unit_of(house))


def _said(value: Mean) -> str:
    return f"{value.value:+.0f}" if value.error is None else f"{value.value:+.0f} ± {value.error:.0f}"
