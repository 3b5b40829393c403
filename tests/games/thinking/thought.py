"""The stored choices of every kind of bot, the advice, and the numbers of the searches, without numba.

Compiled code finds the same (`tests.games.poker_market.test_engine`, `tests.games.kalah.test_search`).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.analysis import analyse, count, rules_of
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Refinements, Variant
from pokersvc.games.kalah.players import SmartPlayer
from pokersvc.games.kalah.search import deepen, finish, look_ahead, moves, worth
from pokersvc.games.kalah.solver import Progress, judge, judge_deeper, solve
from pokersvc.games.poker_market.advice import advice
from pokersvc.games.poker_market.engine import plain
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK
from pokersvc.games.poker_market.players import GreedyPlayer, RankPlayer, RolloutPlayer, SeenByPlayer
from tests.digested import Digested

from ..telling.played import GAMES, Played

_THINKING: Final = {
    "rollout": ["rollout/60", "rollout/400"],
    "smart": ["smart/1", "smart/3"],
    "trader": ["trader/60", "trader/300"],
}
_AS_ELSEWHERE: Final = ("money",)
"""Games in which what there is to choose between is as in ``cash`` and ``rake``, with more seats and so dearer."""
_MARKET_BOTS: Final = (GreedyPlayer, RankPlayer, RolloutPlayer)


def _choices(name: str) -> Iterator[str]:
    """Yield the choice of each kind of bot, wherever a seat must choose."""
    told = GAMES[name]
    assert isinstance(told, Played)
    players = game_of(told.kind).players
    kinds = [one for kind in players if "/" not in kind for one in _THINKING.get(kind, [kind])]
    for number, step in enumerate(told.steps()):
        for seat in step.state.awaited:
            view, legal = step.state.view(seat), step.state.legal(seat)
            if isinstance(step.state, DrawPokerState) and legal.discard is not None:
                continue  # what is advised has tests of its own, and takes its time
            for kind in kinds:
                for again in range(2):
                    random = Random(f"{number} {kind} {again}")
                    yield f"{number} {kind} {players[kind]().choose(view, legal, random)} {random.random()}"


def _awaited(name: str) -> Iterator[tuple[int, State]]:
    for step in GAMES[name].steps():
        if step.state.to_act is not None:
            yield step.state.to_act, step.state


def _market_advice(name: str) -> Iterator[str]:
    for seat, state in _awaited(name):
        view, legal = state.view(seat), state.legal(seat)
        seen = SeenByPlayer(view, plain())
        yield f"{advice(view, legal)} {seen.beliefs()} {sorted(seen.declined())} {seen.turns_after} {seen.last_round}"


def _market_engine(players: int) -> Iterator[str]:
    random, engine = Random(players), plain()
    for _ in range(4):
        market = engine.market(random.sample(range(52), 5 * players))
        yield f"{market} {[engine.worth(market, place) for place in range(players)]}"
        for mover in range(players):
            now = engine.worth(market, mover)
            appraised = engine.appraise(market, mover)
            yield f"{appraised[::7]} {engine.appraise(market, mover, now)} {engine.appraise(market, mover, now + 1)}"
            styles = [random.choice((RANK, GREEDY, RANDOM)) for _ in range(players)]
            for style in (RANK, GREEDY):
                styles[mover] = style
                yield str(engine.best_swap(market, mover, styles))
            swaps = [-1, *random.sample([one.swap for one in appraised], 3)]
            yield str(engine.after(market, mover, swaps[1]))
            chances = [random.getrandbits(31) for _ in range(3)]
            drawn = [random.choice((RANK, GREEDY, RANDOM)) for _ in range(3 * players)]
            for turn in (1, players, 2 * players):
                yield str(engine.weigh(market, mover, swaps, drawn, chances, turn, players + 1))
            for turns, nodes in ((0, 50), (1, 100), (min(players - 1, 2), 400)):
                yield str(engine.search(market, mover, swaps, styles, mover + 1, turns, nodes))


def _boards(holes: int, beans: int, random: Random) -> Iterator[tuple[Board, Side]]:
    """Yield the boards of a game that is played at random, with who is to move."""
    state = game_of("kalah").new(Played("kalah", ("Ann", "Bob"), {"holes": holes, "beans": beans}, None).started())
    while (seat := state.to_act) is not None:
        yield state.board, Side(seat)
        hole = random.choice(state.legal(seat).holes)
        state.apply(state.decide(Sow(seat, hole)))
        while (event := state.dealer_event(None)) is not None:
            state.apply(event)


_REFINED: Final = (Refinements(), Refinements(ordered=False), Refinements(table=False), Refinements(endgames=False))


def _kalah_search(holes: int, beans: int, empty_capture: bool) -> Iterator[str]:
    game = Variant(holes, 2 * holes * beans, empty_capture)
    yield f"{game.width} {game.endgame_beans} {game.finishing_beans} {game.compilable} {game.sowings()}"
    engines = [Engine(game, refinements=refined) for refined in _REFINED]
    for number, (board, side) in enumerate(islice(_boards(holes, beans, Random(holes)), 0, 24, 3)):
        yield f"{board} {side} {game.pack(board, side)} {moves(engines[0], board, side)}"
        for engine in engines[: 1 if number % 2 else None]:
            yield f"{[*islice(deepen(engine, board, side), 5)]} {engine.nodes} {engine.horizons}"
            yield str(look_ahead(engine, board, side, 4))
            for move in moves(engine, board, side)[:3]:
                in_play = board.in_play(side) + board.in_play(side.other)
                yield f"{move.hole} {worth(engine, move, in_play, 3, 0)} {engine.nodes}"
                if move.position is not None:
                    for depth, target in ((1, 0), (2, 1), (3, -2), (4, 3)):
                        yield f"{engine.at_least(move.position, depth, target)} {engine.nodes} {engine.horizons}"
                    yield f"{[engine.perft(move.position, depth) for depth in (1, 2, 3)]}"
        engines[0].clear()


def _kalah_end(holes: int, beans: int, empty_capture: bool) -> Iterator[str]:
    game = Variant(holes, 2 * holes * beans, empty_capture)
    for refined in (_REFINED[0], _REFINED[3]):
        engine = Engine(game, refinements=refined)
        for board, side in islice(_boards(holes, beans, Random(beans)), 0, 12, 2):
            yield f"{finish(engine, board, side)} {finish(engine, board, side, 3)}"
            seen: list[int] = []
            told: list[Progress] = []
            yield f"{solve(engine, board, side, told.append)} {told}"
            for hole in board.moves(side):
                yield f"{judge(engine, board, side, hole, seen.append)} {seen}"
                yield f"{[*judge_deeper(engine, board, side, hole)]}"
            for depth in (1, 4):  # how many positions it looks at depends on what it was asked before
                yield str(replace(SmartPlayer(depth).search(board, side, empty_capture, [board]), nodes=0))


def _kalah_analysed() -> Iterator[str]:
    told = Played("kalah", ("Ann", "You"), {"holes": 3, "beans": 2}, None)
    steps = ((None, step.event, step.state) for step in told.steps())
    nodes: list[int] = []
    for one in analyse("a game", steps, 0, nodes.append):
        yield f"{one.document()} {one.judgement.cost} {nodes}"
    for holes, beans in ((1, 1), (2, 3), (6, 4)):
        yield f"{[*count(rules_of(holes, beans), 4)]} {rules_of(holes, beans, empty_capture=True)}"


_LINES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    **{
        f"{name} choices": partial(_choices, name)
        for name, told in GAMES.items()
        if isinstance(told, Played) and told.kind != "kalah" and name not in _AS_ELSEWHERE
    },
    **{f"{name} choices": partial(_choices, name) for name in ("kalah-6", "kalah-3")},
    **{f"{name} advice": partial(_market_advice, name) for name in ("market-2", "market-3", "market-5")},
    **{f"market of {players}": partial(_market_engine, players) for players in (2, 3, 4, 6, 10)},
    **{
        f"kalah {holes} {beans}{' empty' * empty}": partial(_kalah_search, holes, beans, empty)
        for holes, beans, empty in ((6, 4, False), (4, 3, True), (3, 6, False), (10, 2, True))
    },
    **{
        f"kalah {holes} {beans}{' empty' * empty} end": partial(_kalah_end, holes, beans, empty)
        for holes, beans, empty in ((3, 2, False), (2, 4, True), (4, 1, False))
    },
    "kalah analysed": _kalah_analysed,
}
THOUGHT: Final = Digested(Path(__file__).with_name("digests.json"), lambda: _LINES)
