"""Notes which audited games the checkpoint has, so that they could be compared with it."""

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from pokersvc.evidence.audit.report import Audited
from pokersvc.evidence.checkpoint import games_in


def with_coverage(
    results: Iterator[Audited], checkpoint: Path | None, game_ids: Iterable[object] | None
) -> Iterator[Audited]:
    """Yield the results of games, after noting in each result whether the checkpoint has the game.

    Without ``game_ids`` the results are in order of id, like the games of a checkpoint, and memory stays bounded.
    """
    if checkpoint is None:
        yield from results
    elif game_ids is not None:
        wanted = set(game_ids)
        known = {game.game_id for game in games_in(checkpoint) if game.game_id in wanted}
        for result in results:
            result.in_checkpoint = result.game_id in known
            yield result
    else:
        yield from _merged(results, (game.game_id for game in games_in(checkpoint)))


def _merged(results: Iterator[Audited], ids: Generator[str, None, None]) -> Iterator[Audited]:
    at = next(ids, None)
    for result in results:
        if result.game_id is not None:
            while at is not None and at < result.game_id:
                at = next(ids, None)
            result.in_checkpoint = result.game_id == at
        yield result
    ids.close()
