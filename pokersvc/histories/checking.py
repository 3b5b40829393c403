"""Checks the hands of files against the rules, one at a time, in one process or several."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from pokersvc.core.event import Event
from pokersvc.core.randomness.recorded import FollowedGame
from pokersvc.games.draw_poker.recorded_hands.recorded import hand_id, id_with_findings
from pokersvc.games.draw_poker.recorded_hands.recorded_events import HandQuoted
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects import DIALECTS
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import HistoryFile, Unread, files_in, hand_of, not_opened, opened_text
from pokersvc.histories.timestamps import WEEKDAYS
from pokersvc.system.workers import usable_processors, workers

HANDS_AT_ONCE: Final = 64
"""Number of hands in a batch; a process is given one batch at a time."""
GIVEN_AHEAD: Final = 2
"""Batches per other process that are submitted and unfinished: one being checked, and one ready to be next."""
PAYS_FROM: Final = 2_000_000
"""Several processes are faster from this many bytes in all: starting one takes as long as checking some 100 hands."""
MOST_UNASKED: Final = 8
"""Maximum number of processes that check hands if the caller does not choose a number."""
_MOST_WAITING: Final = 16
"""Maximum number of batches per other process that are being checked, or are checked but not yet yielded in order."""

Progress: TypeAlias = Callable[[int], None]
"""Called with the number of bytes read since the last call."""


class HandSource(NamedTuple):
    """A hand's text with its file and dialect, from which the hand can be read again at any time."""

    path: Path
    dialect: str
    block: Block
    digest: str
    """The SHA-256 of the file."""


class CheckedHand(NamedTuple):
    """A hand that was read from a file and played again under the rules."""

    path: Path
    line: int
    """The line of the file at which the hand begins."""
    site: str
    number: str
    events: tuple[Event, ...]
    """The events of the hand's game; empty if its players or stakes are impossible, or if no events were requested."""
    contradictions: tuple[Contradiction, ...]
    warnings: tuple[tuple[int, str], ...]
    """Line and sentence for each oddity that is not an error."""
    unchecked: Mapping[str, int]
    """Kind of claim, such as ``unknown hand`` → the number of such claims that could not be checked."""
    followed: FollowedGame | None = None
    """The game's public history and outcome, so that the game need not be replayed; None if there are no events."""
    telling: HandSource | None = None
    """The text from which the hand was read; set only in the process that reads the files."""

    @property
    def game_id(self) -> str:
        """The ID of the hand's game, from site and number; also from the text if the hand has findings and events."""
        quote = self.events[1] if self.contradictions and self.events else None
        if isinstance(quote, HandQuoted) and quote.text is not None:
            return id_with_findings(self.site, self.number, quote.text)
        return hand_id(self.site, self.number)


def check(
    paths: Iterable[Path], *, processes: int = 1, events: bool = True, progress: Progress | None = None
) -> Iterator[CheckedHand | Unread]:
    """Yield every hand of files and folders in order, each with its errors, in constant memory.

    Without ``events`` the games are not returned, which saves much time with several processes. ``processes`` includes
    this one.
    """
    work = _work(paths, progress or (lambda _: None))
    if processes == 1:
        for one in work:
            yield one if isinstance(one, Unread) else told_again(one, events=events)
        return
    first = list(islice(work, HANDS_AT_ONCE))
    yield from map(
        _with_telling, first, _checked_all(first, events)
    )  # so few hands are checked before another process would have started
    if len(first) == HANDS_AT_ONCE:
        with workers(processes - 1, get_context("spawn")) as pool:
            yield from _shared(pool, work, processes - 1, events)


def _work(paths: Iterable[Path], progress: Progress) -> Iterator[HandSource | Unread]:
    for path in files_in(paths):
        if isinstance(path, Unread):
            yield path
            continue
        try:
            with HistoryFile(path) as file:
                read, digest = 0, ""
                for found in file.blocks():
                    progress(file.position - read)
                    read = file.position
                    if isinstance(found, Unread):
                        yield found
                    else:
                        digest = digest or digest_of(path)  # computed only for files with hands
                        yield HandSource(path, found[0].name, found[1], digest)
                progress(file.size - read)
        except (OSError, ValueError) as error:
            yield not_opened(path, error)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    with opened_text(path) as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


_DIALECTS: Final = {dialect.name: dialect for dialect in DIALECTS}


def told_again(telling: HandSource, *, events: bool = True) -> CheckedHand | Unread:
    """Read a hand again from its `HandSource` and check it; the result carries the `HandSource`."""
    return _with_telling(telling, _checked(telling, events))


def _with_telling(telling: HandSource | Unread, one: CheckedHand | Unread) -> CheckedHand | Unread:
    if isinstance(one, Unread) or isinstance(telling, Unread):
        return one
    return one._replace(telling=telling)


def _checked(job: HandSource, events: bool) -> CheckedHand | Unread:
    hand = hand_of(job.path, _DIALECTS[job.dialect], job.block)
    if isinstance(hand, Unread):
        return hand
    followed = follow(hand, job.digest, events=events)
    return CheckedHand(
        path=job.path,
        line=hand.first_line,
        site=hand.site,
        number=hand.number,
        events=followed.events,
        contradictions=followed.contradictions,
        warnings=_warnings(hand),
        unchecked=followed.unchecked,
        followed=followed.followed,
    )


def _warnings(hand: HandHistory) -> tuple[tuple[int, str], ...]:
    """Return the harmless oddities of a hand, including ambiguous times."""
    warnings = list(hand.warnings)
    if (played := hand.played) is not None:
        if played.ambiguous:
            said = f"{played.text} comes twice, at the end of summer time; the first was taken."
            warnings.append((hand.first_line, said))
        if played.contradicts is not None:
            warnings.append((hand.first_line, f"{played.text} {_contradicted(played.contradicts, played.zone)}"))
    return tuple(warnings)


def _contradicted(by: str, zone: str) -> str:
    if by in WEEKDAYS:
        return f"contradicts itself: that day is not a {by}; the date was taken."
    return f"names two different times: the one in {zone} was taken, not {by}."


def _shared(
    pool: Executor, work: Iterator[HandSource | Unread], others: int, events: bool
) -> Iterator[CheckedHand | Unread]:
    """Check a limited number of batches at once, in the pool and in this process; yield the results in order."""
    batches = iter(lambda: list(islice(work, HANDS_AT_ONCE)), [])
    waiting: deque[tuple[list[HandSource | Unread], Future[list[CheckedHand | Unread]]]] = deque()
    given: list[Future[list[CheckedHand | Unread]]] = []
    while True:
        given = [one for one in given if not one.done()]
        while len(given) < GIVEN_AHEAD * others and (batch := next(batches, None)):
            given.append(pool.submit(_checked_all, batch, events))
            waiting.append((batch, given[-1]))
        while waiting and waiting[0][1].done():
            yield from _results(*waiting.popleft())
        if len(waiting) < _MOST_WAITING * others and (batch := next(batches, None)):
            here: Future[list[CheckedHand | Unread]] = Future()
            here.set_result(_checked_all(batch, events))
            waiting.append((batch, here))
        elif waiting:
            yield from _results(*waiting.popleft())
        else:
            return


def _results(
    batch: list[HandSource | Unread], found: Future[list[CheckedHand | Unread]]
) -> Iterator[CheckedHand | Unread]:
    """Yield a batch's results, each with its `HandSource`, which stayed in this process to save sending it back."""
    return map(_with_telling, batch, found.result())


def _checked_all(work: list[HandSource | Unread], events: bool) -> list[CheckedHand | Unread]:
    return [one if isinstance(one, Unread) else _checked(one, events) for one in work]


def fitting_processes(paths: Iterable[Path]) -> int:
    """Return the default number of processes to check the hands of files and folders."""
    return min(usable_processors(), MOST_UNASKED) if size_of(paths) >= PAYS_FROM else 1


def size_of(paths: Iterable[Path]) -> int:
    """Return the total size in bytes of the readable files among files and folders."""
    return sum(path.stat().st_size for path in files_in(paths) if isinstance(path, Path) and os.access(path, os.R_OK))
