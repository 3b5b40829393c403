"""Plays the missing games of a ladder, pair by pair; several processes may do so at once.

A process claims a pair before it plays (`pokersvc.eventlog.claim`), so several processes share the pairs. Results are
stored deal by deal as soon as all games of a deal are over. So a process that is killed loses the deals that it was
playing, and these come out the same when they are played again.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Final

from pokersvc.core.bots.custom_players import is_own
from pokersvc.eventlog.claim import GameBeingPlayed, claim
from pokersvc.eventlog.database import Database
from pokersvc.players import Programs, Spent, UnusablePlayer, content_of
from pokersvc.players.walls import IN_BOXES, Walls
from pokersvc.tournament.ladder.ladders import DealPlayed, Ladder, Member
from pokersvc.tournament.ladder.store import LadderChanged, LadderStore, Pair, Progress
from pokersvc.tournament.plan import PlannedOtherwise, Tournament
from pokersvc.tournament.play import Played
from pokersvc.tournament.run import Workers, run_batches, stopped

LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at pairs that other processes are playing."""


class PairResults:
    """Collects the games of two members while they are played; only whole deals are stored in the ladder."""

    def __init__(self, store: LadderStore, ladder: Ladder, one: Member, other: Member) -> None:
        self._store, self._ladder, self._one, self._other = store, ladder, one, other
        done = store.played_deals(ladder.name, Pair(one.name, other.name))
        self._missing = [deal for deal in range(1, ladder.deals + 1) if deal not in done]
        self._begun: defaultdict[int, list[Played]] = defaultdict(list)

    @property
    def missing(self) -> list[int]:
        """The numbers of the games that must be played, from 0."""
        each = self._ladder.games_per_deal
        return [game for deal in self._missing for game in range((deal - 1) * each, deal * each)]

    def add(self, played: Iterable[Played], spent: Mapping[str, Spent]) -> None:
        """Store the deals whose games are all over; when this returns, they are on the disk."""
        whole: dict[int, DealPlayed] = {}
        for game in played:
            deal = game.number // self._ladder.games_per_deal + 1
            self._begun[deal].append(game)
            if len(self._begun[deal]) == self._ladder.games_per_deal:
                whole[deal] = deal_played(self._ladder, self._begun.pop(deal))
        if whole:
            self._store.record(self._ladder.name, self._one, self._other, whole)


def deal_played(ladder: Ladder, games: Iterable[Played]) -> DealPlayed:
    """Return a deal's results for two members, from all its games."""
    gains, rounds, ahead = [0, 0], 0, 0
    forfeits: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for game in games:
        order, half = ladder.orders[game.number % ladder.games_per_deal], ladder.seats // 2
        sides = [player >= half for player in order]
        rounds += game.rounds
        for side, gain, codes in zip(sides, game.gains, game.forfeits, strict=True):
            gains[side] += gain
            for code, count in codes.items():
                forfeits[side][code] = forfeits[side].get(code, 0) + count
        ranks = [[rank for side, rank in zip(sides, game.ranks, strict=True) if side == which] for which in (0, 1)]
        ahead += sum(2 * (mine < theirs) + (mine == theirs) for mine in ranks[0] for theirs in ranks[1])
    return DealPlayed(gains=(gains[0], gains[1]), ahead=ahead, rounds=rounds, forfeits=forfeits)


def play_missing(
    database: Database,
    name: str,
    workers: Workers,
    *,
    walls: Walls = IN_BOXES,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, str]:
    """Play until all members of a ladder have played each other; return the reason for each member that cannot play.

    Nothing more is played for a member that cannot play because its file has changed, is gone or cannot be loaded; the
    games of all others are played. ``progress`` is called with the number of games that are still missing.
    """
    store, unable, able = LadderStore(database), dict[str, str](), set[Member]()
    while True:
        seen = store.progress(name)
        members = {pair: (seen.members[pair.one], seen.members[pair.other]) for pair in seen.missing}
        for member in {member for both in members.values() for member in both} - able:
            if (why := why_unable(seen.ladder, member, walls)) is None:
                able.add(member)
            else:
                unable[member.name] = why
        left = {pair: both for pair, both in members.items() if unable.keys().isdisjoint(pair)}
        progress(seen.missing_games)
        if not left:
            return unable
        played = False
        for pair, (one, other) in left.items():
            if not unable.keys().isdisjoint(pair):
                continue
            planned, told = seen.ladder.planned(one, other, walls), _countdown(store.progress(name), progress)
            try:
                with claim(database, f"ladder {name}: {pair.one} and {pair.other}"):
                    results = PairResults(store, seen.ladder, one, other)
                    run_batches(planned, results, workers, None, told)
            except GameBeingPlayed:
                continue
            except LadderChanged:
                break
            except PlannedOtherwise:
                unable.update(_changed(planned, one, other))
            except BrokenProcessPool:
                raise stopped() from None
            played = True
        if not played:
            time.sleep(LOOK_AGAIN)


def _countdown(seen: Progress, progress: Callable[[int], None]) -> Callable[[int], None]:
    """Return a function that takes the numbers of finished games, and reports to ``progress`` how many are left."""
    left = seen.missing_games

    def told(games: int) -> None:
        nonlocal left
        left -= games
        progress(left)

    return told


def why_unable(ladder: Ladder, member: Member, walls: Walls) -> str | None:
    """Return why a member cannot play, in a sentence; None if it can."""
    if not is_own(member.kind):
        return None if member.kind in ladder.game.players else f"There is no bot {member.kind!r} in this pokersvc."
    try:
        if content_of(member.kind, Path()) != member.content:
            return _other_file(member)
        with Programs(ladder.seconds, Path(), walls) as programs:
            programs.find(ladder.game, member.kind)
    except UnusablePlayer as error:
        return str(error)
    return None


def _changed(planned: Tournament, one: Member, other: Member) -> dict[str, str]:
    """Return which of two members has changed since it was added; both if this can no longer be determined."""
    found = {}
    for member in (one, other):
        try:
            same = not is_own(member.kind) or content_of(member.kind, planned.folder) == member.content
        except UnusablePlayer as error:
            found[member.name] = str(error)
        else:
            if not same:
                found[member.name] = _other_file(member)
    return found or {member.name: _other_file(member) for member in (one, other) if is_own(member.kind)}


def _other_file(member: Member) -> str:
    return f"{member.kind} is not the file that was added as {member.name!r}; add it under another name, or remove it."
