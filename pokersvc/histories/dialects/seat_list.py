"""The rules for the list of players at the table, the same for every dialect."""

from collections.abc import Iterable
from typing import Final

from pokersvc.histories.hand import HistoryPlayer, UnreadableHand
from pokersvc.histories.statements import Away, PlayerStatement, Statement
from pokersvc.text import counted

LONGEST_NAME: Final = 64  # bytes


def check_players(line: int, players: Iterable[HistoryPlayer]) -> None:
    """Raise `UnreadableHand` if nobody is listed, or if a name or seat number is invalid or occurs twice.

    Names that differ only by capitals are the same.
    """
    names, numbers = dict[str, str](), set[int]()
    for player in players:
        if wrong := _wrong(player.name):
            raise UnreadableHand(player.line, f"The name {player.name[:LONGEST_NAME]!r} is {wrong}.")
        other = names.get(player.name.casefold())
        if other == player.name:
            raise UnreadableHand(player.line, f"{player.name!r} is listed twice.")
        if other is not None:
            raise UnreadableHand(player.line, f"The names {other!r} and {player.name!r} are the same.")
        if player.number < 0:
            raise UnreadableHand(player.line, f"{player.name!r} has seat {player.number}, but no seat is below 0.")
        if player.number in numbers:
            raise UnreadableHand(player.line, f"Two players have seat {player.number}.")
        names[player.name.casefold()] = player.name
        numbers.add(player.number)
    if not names:
        raise UnreadableHand(line, "Nobody is listed at the table.")


def check_button(line: int, button: int | None, size: int | None, players: Iterable[HistoryPlayer]) -> None:
    """Raise `UnreadableHand` if the button's seat is below 0, or above the table's size that the file states."""
    last = max([size or 0, *[player.number for player in players]])
    if button is not None and (button < 0 or (size is not None and button > last)):
        raise UnreadableHand(line, f"The button is at seat {button}, and the table has {counted(last, 'seat')}.")


def _wrong(name: str) -> str | None:
    """Return the error in a name, or None."""
    try:
        fits = name.strip() and len(name.encode()) <= LONGEST_NAME
    except UnicodeEncodeError:
        return "not text: it has half of a surrogate pair"
    if not fits:
        return f"empty or longer than {counted(LONGEST_NAME, 'byte')}"
    if not name.isprintable() or name != name.strip():
        return "not what a game can store: it has a character that cannot be printed, or a space at an end"
    return None


def check_named(told: Statement, players: Iterable[str]) -> None:
    """Raise `UnreadableHand` for a statement about an unlisted player; only `Away` may be about anybody."""
    if isinstance(told, PlayerStatement) and not isinstance(told, Away) and told.name not in players:
        raise UnreadableHand(told.line, f"{told.name[:LONGEST_NAME]!r} is not listed at the table.")
