"""The groups in which a tournament's games are played together, so that a player can be asked about many at once.

A group has at most one game of each deal, and so at most one view of a deal and of a table. Which games those are
follows from the seed alone; with more deals, the last groups gain games and lose none.
"""

from collections.abc import Iterator
from typing import Final

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.players.messages import MOST_TOGETHER
from pokersvc.tournament.plan import Tournament

HALVES: Final = 2
"""Number of parts of a group, each with its own batches."""
DEALS: Final = HALVES * MOST_TOGETHER
"""The number of deals in a group, which has one game of each."""


class Groups:
    """The groups of a tournament, numbered from 0.

    `DEALS` deals in a row have as many groups as a deal has games. Each of these groups has one game of every
    one of these deals, drawn from the seed.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._source = EntropySource.from_text(tournament.seed)
        self._block, self._drawn = -1, list[list[int]]()

    def __len__(self) -> int:
        return -(-self._tournament.deals // DEALS) * self._tournament.games_per_deal

    def __iter__(self) -> Iterator[list[int]]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> list[int]:
        """Return the numbers of the games in a group, deal by deal."""
        block, place = divmod(number, self._tournament.games_per_deal)
        if block != self._block:
            self._block, self._drawn = block, self._of_deals(block)
        return [games[place] for games in self._drawn]

    def _of_deals(self, block: int) -> list[list[int]]:
        """Return for each deal of a block the numbers of its games, in the order of the groups that they belong to."""
        each, found = self._tournament.games_per_deal, []
        for deal in range(block * DEALS, min((block + 1) * DEALS, self._tournament.deals)):
            games = list(range(deal * each, (deal + 1) * each))
            self._source.program_random(0, deal, "groups").shuffle(games)
            found.append(games)
        return found
