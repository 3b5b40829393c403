"""Runs a tournament's games group by group if a player answers about many views at once.

Groups are taken into the results in the order of their numbers. If a player answers differently in a batch than alone,
then from that group on it is asked about one view at a time. So the results do not depend on how many processes play.
"""

from collections import deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Final, NamedTuple, ParamSpec, TypeVar

from pokersvc.players import Programs, Spent
from pokersvc.tournament.groups import Groups
from pokersvc.tournament.kept import game_id, programs_of, release, service_of
from pokersvc.tournament.lockstep import AnsweredOtherwise, play_in_halves
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import Whole, play
from pokersvc.tournament.results import Differed, Results

if TYPE_CHECKING:
    from pokersvc.service import Service

P = ParamSpec("P")
T = TypeVar("T")

AHEAD: Final = 3
"""Number of groups submitted per process, because finished groups wait for those before them."""


class Group(NamedTuple):
    """The games of a group, in order, or the difference, if a player answered differently in a batch than alone."""

    games: list[Whole]
    difference: AnsweredOtherwise | None
    spent: dict[str, Spent]
    """Kind of a custom player → the time that its choices took."""


def takes_many(tournament: Tournament, executor: Executor | None) -> bool:
    """Return whether a player of the tournament answers about many views at once; a process that plays finds out."""
    if not any(tournament.contents):
        return False
    return _submitted(executor, takes_many_here, tournament).result()


def takes_many_here(tournament: Tournament) -> bool:
    """Return whether a player answers about many views at once; this function runs in other processes."""
    programs = programs_of(tournament)
    return any(programs.of_many(tournament.game, seat.kind) is not None for seat in tournament.players)


def run_groups(
    tournament: Tournament,
    results: Results,
    executor: Executor | None,
    at_once: int,
    *,
    store: str | None,
    progress: Callable[[int], None],
) -> None:
    """Play in full each group that has a game without a result, and add the missing results."""
    groups = Groups(tournament)
    missing = frozenset(results.missing)
    numbers = [number for number, games in enumerate(groups) if not missing.isdisjoint(games)]
    ahead = 1 if executor is None else at_once * AHEAD
    under_way: deque[tuple[int, Future[Group]]] = deque()
    first = last = 0
    try:
        while first < len(numbers):
            while last < len(numbers) and len(under_way) < ahead:
                number = numbers[last]
                alone = frozenset(one.differed for one in results.differed.values() if one.group <= number)
                future = _submitted(executor, play_group, tournament, number, groups[number], alone, store)
                under_way.append((number, future))
                last += 1
            number, future = under_way.popleft()
            group = future.result()
            difference = group.difference
            if difference is not None:  # this group and those after it are played again
                results.add_differed(Differed(differed=difference.kind, game=difference.game, group=number))
                _cancel(under_way)
                last = first
                continue
            _keep(tournament, group, results, store)
            progress(len(missing.intersection(groups[number])))
            first += 1
    finally:
        _cancel(under_way)
        if executor is not None:
            release()


def play_group(
    tournament: Tournament, number: int, games: Sequence[int], alone: AbstractSet[str], store: str | None
) -> Group:
    """Play a group and return its results; this function runs in other processes and on other machines."""
    programs = programs_of(tournament)
    over = play_in_halves(tournament, number, games, programs, alone)
    if isinstance(over, AnsweredOtherwise):
        return Group([], over, programs.spent())
    found = [over[index] for index in games]
    if store is None:
        return Group([(played, []) for played, _ in found], None, programs.spent())
    service = service_of(store)
    return Group([_as_recorded(tournament, whole, programs, service) for whole in found], None, programs.spent())


def _as_recorded(tournament: Tournament, whole: Whole, programs: Programs, service: "Service") -> Whole:
    """Return the game, or replay it from its recorded events if it was now played differently from them."""
    played, events = whole
    recorded = service.with_secrets.kept(game_id(tournament, played.number))
    if events[: len(recorded)] == list(recorded):
        return whole
    return play(tournament, played.number, programs, recorded)


def _keep(tournament: Tournament, group: Group, results: Results, store: str | None) -> None:
    """Add the missing results, and record all events."""
    if store is not None:
        service = service_of(store)
        for played, events in group.games:
            service.keep(game_id(tournament, played.number), tournament.game.kind, events)
    results.add([played for played, _ in group.games if played.number not in results.played], group.spent)


def _cancel(under_way: deque[tuple[int, Future[Group]]]) -> None:
    for _, future in under_way:
        future.cancel()
    under_way.clear()


def _submitted(
    executor: Executor | None, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs
) -> "Future[T]":
    """Return the future of a call in another process, or of one that is made now in this process."""
    if executor is not None:
        return executor.submit(function, *arguments, **named)
    future: Future[T] = Future()
    future.set_result(function(*arguments, **named))
    return future
