"""The lead of the Poker Market's bot `trader` over `rollout`, its levels, and small markets."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from statistics import mean
from time import process_time
from typing import Final

from benchmarks.table import markdown
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.poker_market import POKER_MARKET, engine
from pokersvc.games.poker_market.engine import KernelMarket, plain
from pokersvc.games.poker_market.events import HandsDealt
from pokersvc.games.poker_market.kernels import GREEDY, WORTH, takes
from pokersvc.games.poker_market.trader.kinds import LEVELS
from pokersvc.tournament.comparison import Mean, together_of

ROUNDS: Final = 5
DEALS: Final[Mapping[int, int]] = {3: 5000, 4: 1000, 5: 300, 6: 250, 7: 200, 8: 200, 9: 120, 10: 120}
"""Seats → deals of the first table, each played with `trader` in every seat."""
LEVEL_DEALS: Final = 50
LEVEL_FIELD: Final = ("greedy", "rank", "greedy")
SMALL_DEALS: Final = 40
SMALL_ROUNDS: Final = 2


class Played:
    """A market that was played: the points of each seat, and the hands as they were dealt."""

    def __init__(self, kinds: Sequence[str], text: str, rounds: int, took: dict[str, list[float]]) -> None:
        source = EntropySource.from_text(text)
        seats = tuple(Seat(kind, f"Player{number}") for number, kind in enumerate(kinds, 1))
        state = POKER_MARKET.new(POKER_MARKET.start(Setup(seats, source, rounds)))
        entropy, seq = source.entropy(), 1
        self.dealt: list[int] = []
        while state.outcome is None:
            seq += 1
            if (seat := state.to_act) is None:
                event = state.dealer_event(entropy)
                assert event is not None  # the game is not over
                if isinstance(event, HandsDealt):
                    self.dealt = [card.number for hand in event.hands for card in hand.cards]
            else:
                view, legal, random = state.view(seat), state.legal(seat), source.program_random(seat, seq)
                began = process_time()
                action = POKER_MARKET.players[kinds[seat - 1]]().choose(view, legal, random)
                took.setdefault(kinds[seat - 1], []).append(process_time() - began)
                event = state.decide(action)
            state.apply(event)
        self.points = state.outcome.scores


def in_every_seat(
    kind: str, field: Sequence[str], text: str, took: dict[str, list[float]], rounds: int = ROUNDS
) -> float:
    """Return a kind's mean points on a deal, sitting at each seat in turn among the others in their order."""
    seats = range(len(field) + 1)
    return mean(Played([*field[:at], kind, *field[at:]], text, rounds, took).points[at] for at in seats)


def best_reply(market: KernelMarket, me: int, turn: int, turns: int) -> int:
    """Return the most points that a place can have at the end if all others are of the kind `greedy`, by enumeration.

    Such players choose by the hands alone, so what they propose and accept is known.
    """
    if not turns:
        return plain().worth(market, me) // WORTH
    players = market.players
    mover = turn % players
    passing = best_reply(market, me, turn + 1, turns - 1)
    if mover != me:
        swap = plain().best_swap(market, mover, [GREEDY] * players)
        if swap < 0:
            return passing
        after = best_reply(plain().after(market, mover, swap), me, turn + 1, turns - 1)
        partner = swap % (5 * players) // 5
        if partner == me:
            return max(passing, after)
        return after if _accepts(market, mover, swap) else passing
    best = passing
    for one in plain().appraise(market, me):
        if best == players:
            break
        if _accepts(market, me, one.swap):
            best = max(best, best_reply(plain().after(market, me, one.swap), me, turn + 1, turns - 1))
    return best


def _accepts(market: KernelMarket, mover: int, swap: int) -> bool:
    return bool(takes(_tables(), *market, mover, swap, GREEDY, 0))


@cache
def _tables() -> tuple[object, ...]:
    from pokersvc.cards.arrays import tables

    return tuple(tables())


def run(*, quick: bool) -> str:
    """Return the three tables."""
    if engine.compiled() is None:
        raise SystemExit("numba is missing; this benchmark needs the extra `fast`.")
    engine.be_patient(0)
    for kind in ("trader", "rollout"):
        Played([kind] * 3, "warm", 2, {})
    return "\n\n".join(table(quick=quick) for table in TABLES)


def in_the_same_seat(*, quick: bool) -> str:
    """Return `trader`'s lead over `rollout` in the same seat, among other `rollout` bots, at 3 to 10 seats."""
    rows = []
    for seats, deals in DEALS.items():
        took: dict[str, list[float]] = {}
        field = ["rollout"] * (seats - 1)
        # If `rollout` sits in every seat, its mean is exactly this on any deal.
        gains = [
            in_every_seat("trader", field, f"in the same seat {seats} {deal}", took) - (seats + 1) / 2
            for deal in range(2 if quick else deals)
        ]
        times = [f"{1000 * mean(took[kind]):.2f}" for kind in ("trader", "rollout")]
        rows.append((str(seats), str(len(gains)), _said(Mean.of(gains, together_of(len(DEALS)))), *times))
    return markdown(
        "What trader wins more than rollout in the same seat, all others rollout",
        ("seats", "deals", "points a market", "ms a choice", "ms a choice of rollout"),
        rows,
        f"{ROUNDS} rounds, every deal played with `trader` in each seat; the intervals hold together with 95 %."
        " Times are processor time, with numba, of all choices of the row.",
    )


def by_level(*, quick: bool) -> str:
    """Return each level's lead over the one below it in the same seat."""
    rows = []
    texts = [f"levels {deal}" for deal in range(4 if quick else LEVEL_DEALS)]
    by_kind = {kind: [in_every_seat(kind, LEVEL_FIELD, text, {}) for text in texts] for kind in LEVELS}
    for worse, better in pairwise(LEVELS):
        gains = [first - second for first, second in zip(by_kind[better], by_kind[worse], strict=True)]
        rows.append((better, worse, _said(Mean.of(gains, together_of(len(LEVELS) - 1)))))
    return markdown(
        "What each level wins more than the one below it in the same seat",
        ("level", "below it", "points a market"),
        rows,
        f"Four seats, beside {', '.join(LEVEL_FIELD)}; {len(texts)} deals in every seat, together with 95 %.",
    )


def small(*, quick: bool) -> str:
    """Return the winnings of each kind from two greedy players in small markets, and the best possible ones."""
    texts = [f"small {deal}" for deal in range(3 if quick else SMALL_DEALS)]
    field, turns = ["greedy"] * 2, 3 * SMALL_ROUNDS
    best = []
    for text in texts:
        market = plain().market(Played(["greedy"] * 3, text, SMALL_ROUNDS, {}).dealt)
        best.append(mean(best_reply(market, seat, 0, turns) for seat in range(3)))
    rows = [("the best possible", _said(Mean.of(best)), "")]
    for kind in ("trader", "rollout", "rank", "greedy"):
        found = [in_every_seat(kind, field, text, {}, SMALL_ROUNDS) for text in texts]
        less = Mean.of([most - one for most, one in zip(best, found, strict=True)])
        rows.append((kind, _said(Mean.of(found)), _said(less)))
    return markdown(
        "Markets of three seats and two rounds against two greedy players",
        ("kind", "points a market", "less than the best possible"),
        rows,
        f"{len(texts)} deals in every seat; with 95 % confidence. The best possible play knows what its opponents do,"
        " and is found by enumeration.",
    )


TABLES: Final[tuple[Callable[..., str], ...]] = (in_the_same_seat, by_level, small)


def _said(value: Mean) -> str:
    return f"{value.value:.2f}" if value.error is None else f"{value.value:.2f} ± {value.error:.2f}"
