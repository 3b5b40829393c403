"""The specification of a box, as the game's process sends it to the box's first process."""

from typing import Final, NamedTuple

FOLDER: Final = "/player"
"""The folder of a box with the player's file and what belongs to it."""
CHOICE: Final = "/choice"
"""The only folder of a box in which anything can be written."""
EXCHANGE: Final = f"{CHOICE}/this"
"""The folder where a choice finds a file system made only for that choice."""
QUESTION, RECORDS, ANSWER, PRINTED = (f"{EXCHANGE}/{name}" for name in ("question", "records", "answer", "printed"))
"""Paths in `EXCHANGE`: the question, what has happened before, and pipes for the answer and for printed output."""
SCRATCH: Final = f"{EXCHANGE}/tmp"  # noqa: S108 - of a choice alone
"""The folder for temporary files, in `EXCHANGE`."""


class Bait(NamedTuple):
    """Things that a probe must not reach from inside a box."""

    files: tuple[str, ...]
    """Files that the game's process can read, and the player in the box must not."""
    pid: int
    """A process that the game's process can signal, and the player in the box must not."""
    port: int
    """A port of this machine that the game's process can connect to, and the player in the box must not."""


class Spec(NamedTuple):
    """The specification of a box and of the player in it."""

    shown: tuple[tuple[str, str], ...]
    """Files and folders that can be read, and their paths in the box."""
    links: tuple[tuple[str, str], ...]
    """Symbolic links and their targets."""
    files: tuple[tuple[str, bytes], ...]
    """Files that are copied into the box: paths there and contents."""
    network: bool
    logged: bool
    """Whether the player's output is kept."""
    limit: float
    """Seconds that a choice about one view may take."""
    spare: int
    """Seconds of processor time that a choice may use beyond that."""
    path: tuple[str, ...]
    """The places in the box where modules are found."""
    sample: tuple[bytes, bytes] | None
    """A sample question and an action, pickled."""
    player: bytes
    """Pickled: the file or module, the name in it, and the game's actions."""
    bait: Bait
    strict: bool
    """Whether a choice is answered only after everything it left is removed; if not, the removal may delay the next
    one."""
    taken_away: tuple[str, ...]
    """Paths that the box stops showing once the player has loaded."""
