"""Bomb pots in words: announcements, the note before such a round, and the host's command to announce one."""

from collections.abc import Callable
from typing import Final

from pokersvc.core.drawing import Shortcut
from pokersvc.core.setup import Options
from pokersvc.games.draw_poker import cash_events
from pokersvc.games.draw_poker.house.cash_rules import BOMB_POT
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import DrawPokerView

ANNOUNCE: Final = "bomb pot"


def bomb_pot_announced(event: cash_events.BombPotAnnounced, state: Situation) -> str:
    """Return a sentence that says who announced a bomb pot, and for which round."""
    if event.by_rule:
        return f"Round {event.round} is going to be a bomb pot"
    who = "The host" if event.by is None else state.names[event.by]
    return f"{who} announced that round {event.round} is a bomb pot"


def bomb_pot_next(view: DrawPokerView, say: Callable[[int], str]) -> list[str]:
    """Return a sentence if the next round is a bomb pot, else nothing; ``say`` formats an amount."""
    if view.round + 1 not in view.bomb_pots:
        return []
    said = f"The next round is a bomb pot: everybody antes {say(_ante(view))}, and nobody bets before the draw."
    return [f"{said} Who sits it out owes nothing for it."]


def _ante(view: DrawPokerView) -> int:
    blinds, cash = view.rules.blinds, view.cash
    return 0 if blinds is None or cash is None or cash.bomb_blinds is None else cash.bomb_blinds * blinds.big


def announces_bomb_pot(view: DrawPokerView) -> list[Shortcut]:
    """Return the host's command to announce a bomb pot now; empty if none can be announced."""
    round_ = view.round + 2
    may = view.cash is not None and view.cash.bomb_blinds is not None and round_ not in view.bomb_pots
    if not may or (view.rounds is not None and round_ > view.rounds):
        return []
    return [Shortcut(ANNOUNCE, f"(round {round_}, an ante of {_ante(view)})")]


def read_bomb_pot(text: str, view: DrawPokerView) -> Options | None:
    """Return the option by which a host's text announces a bomb pot; None for any other text."""
    has = view.cash is not None and view.cash.bomb_blinds is not None
    return {BOMB_POT.name: True} if has and " ".join(text.lower().split()) == ANNOUNCE else None
