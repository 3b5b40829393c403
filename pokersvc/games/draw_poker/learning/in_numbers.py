"""A game of draw poker for programs that learn it: its choices, its figures, and how long its record may be."""

from pokersvc.core.bots.learning import NumberedGame
from pokersvc.core.setup import Options
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.cash_table import stacks_of
from pokersvc.games.draw_poker.learning.features import feature_names, features
from pokersvc.games.draw_poker.learning.numbered_actions import DrawPokerActions
from pokersvc.games.draw_poker.view import DrawPokerView


def in_numbers(started: GameStarted, given: Options) -> NumberedGame[DrawPokerView, LegalActions]:
    """Return a started game for programs that learn it; raise `InvalidValue` for impossible sizes of bets."""
    return NumberedGame(
        numbered_actions(started, given), longest_record(started), feature_names(len(started.seats)), features
    )


def numbered_actions(started: GameStarted, given: Options) -> DrawPokerActions:
    """Return the choices at a table; raise `InvalidValue` for impossible sizes of bets."""
    chips = sum(stacks_of(started.table, len(started.seats), started.rules.stack))
    return DrawPokerActions(started.rules, given, chips)


def longest_record(started: GameStarted) -> int:
    """Return an upper bound of the numbers in the record of a game's rounds, counted as in `pokersvc.envs.tokens`.

    For a game without a fixed number of rounds, it is the bound for one round.
    """
    rounds, seats = started.rounds or 1, len(started.seats)
    # Events per seat: posts, deal, draw, a hand shown and revealed, a pot with its shares, leaving.
    of_seat = 70 + 2 * seats
    # All other seats answer each bet or raise, and there are two rounds of checks.
    actions = seats * (_most_raises(started, rounds) + 2)
    return rounds * (40 + seats * of_seat + 4 * actions)


def _most_raises(started: GameStarted, rounds: int) -> int:
    """Return an upper bound of the bets and raises in a round."""
    betting, seats = started.rules.betting, len(started.seats)
    if betting.raises == "none":
        return 2
    if betting.raises == "fixed_limit" and betting.most_bets is not None and betting.uncapped == "never":
        return 2 * betting.most_bets
    stacks = stacks_of(started.table, seats, started.rules.stack)
    # Each raise puts in the minimum, or a whole stack. In later rounds, two seats may have all chips.
    return max(*stacks, 0 if rounds == 1 else sum(stacks) // 2) // betting.minimum + seats
