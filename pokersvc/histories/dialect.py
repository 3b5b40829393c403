"""What a dialect is: a format of hand histories, recognised by looking, read hand by hand."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from pokersvc.histories.hand import ToldHand


class Block(NamedTuple):
    """The text of one hand in a file."""

    first_line: int
    text: str
    context: str = ""
    """What the file says once for the hands that follow, such as Merge's description; it travels with each hand, so
    that hands can be read apart."""
    ended: bool = True
    """Whether its last line has an end: the last of a file may be cut."""
    notes: tuple[tuple[int, str], ...] = ()
    """Line and sentence: what is odd in the file there and changes nothing of the hand."""


class Dialect(Protocol):
    """One format."""

    name: str
    """As ``--format`` and `ToldHand.dialect` have it."""

    def recognises(self, head: str) -> bool:
        """Tell whether a text that begins so (its first few thousand characters) is of this dialect."""
        ...

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the hands of a text by its lines, each with its line end, one in memory at a time.

        What stands between hands and is none (blank lines, a file's frame) is left out; what might have been a hand is
        a block of its own, and `read` says what is wrong with it.
        """
        ...

    def read(self, block: Block) -> ToldHand:
        """Return a hand; `UnreadableHand` names the first line that cannot be read."""
        ...
