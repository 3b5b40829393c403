"""The interface of a dialect: a format of hand histories, recognised by its beginning and read hand by hand."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from pokersvc.histories.hand import HandHistory


class Block(NamedTuple):
    """The text of one hand in a file."""

    first_line: int
    text: str
    context: str = ""
    """Text that stands once in the file and applies to all hands after it, such as Merge's description.

    Each block has a copy of this text, so that hands can be read independently.
    """
    ended: bool = True
    """Whether the block's last line has a line end; the last line of a file may be cut off."""
    notes: tuple[tuple[int, str], ...] = ()
    """Line and sentence for each oddity in the file that does not change the hand."""


class Dialect(Protocol):
    """One format of hand histories."""

    name: str
    """The name in ``--format`` and `HandHistory.dialect`."""

    def recognises(self, head: str) -> bool:
        """Return whether a text is of this dialect, given its first few thousand characters."""
        ...

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the hands of a text, given its lines with their line ends; one hand is in memory at a time.

        Text between hands that cannot be a hand (blank lines, a file's frame) is left out. Text that might have been
        a hand becomes a block of its own, and `read` says what is wrong with it.
        """
        ...

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block; raise `UnreadableHand` with the first line that cannot be read."""
        ...
