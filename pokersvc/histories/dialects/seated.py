"""Who is at the table: what every list of players must keep, whatever the dialect."""

from collections.abc import Iterable
from typing import Final

from pokersvc.histories.hand import ToldPlayer, UnreadableHand
from pokersvc.histories.told import Away, Of, Told
from pokersvc.text import counted

LONGEST_NAME: Final = 64  # bytes


def check_players(line: int, players: Iterable[ToldPlayer]) -> None:
    """Raise `UnreadableHand` for nobody, a name that is empty, too long or comes twice, and a seat that comes twice."""
    names, numbers = set[str](), set[int]()
    for player in players:
        if wrong := _wrong(player.name):
            raise UnreadableHand(player.line, f"The name {player.name[:LONGEST_NAME]!r} is {wrong}.")
        if player.name in names:
            raise UnreadableHand(player.line, f"{player.name!r} is listed twice.")
        if player.number in numbers:
            raise UnreadableHand(player.line, f"Two players have seat {player.number}.")
        names.add(player.name)
        numbers.add(player.number)
    if not names:
        raise UnreadableHand(line, "Nobody is listed at the table.")


def _wrong(name: str) -> str | None:
    """Return what is wrong with a name."""
    try:
        fits = name.strip() and len(name.encode()) <= LONGEST_NAME
    except UnicodeEncodeError:
        return "no text: a character of it is half of a pair"
    return None if fits else f"empty or longer than {counted(LONGEST_NAME, 'byte')}"


def check_named(told: Told, players: Iterable[str]) -> None:
    """Raise `UnreadableHand` for a statement about somebody who is not listed; anybody may come and go."""
    if isinstance(told, Of) and not isinstance(told, Away) and told.name not in players:
        raise UnreadableHand(told.line, f"{told.name[:LONGEST_NAME]!r} is not listed at the table.")
