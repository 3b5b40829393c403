"""What a box is made of, as the game's process tells the box's first process."""

from typing import Final, NamedTuple

FOLDER: Final = "/player"
"""Where a player's file and what belongs to it is found in its box."""
CHOICE: Final = "/choice"
"""The only folder of a box in which anything may be written."""
EXCHANGE: Final = f"{CHOICE}/this"
"""Where a choice finds a file system made for it alone."""
QUESTION, RECORDS, ANSWER, PRINTED = (f"{EXCHANGE}/{name}" for name in ("question", "records", "answer", "printed"))
"""In it: what is asked; what has happened before; a pipe for the answer, and one for what it prints."""
SCRATCH: Final = f"{EXCHANGE}/tmp"  # noqa: S108 - of a choice alone
"""In it: the folder for temporary files."""


class Bait(NamedTuple):
    """What a probe must not reach from inside a box."""

    files: tuple[str, ...]
    """Files that the game's process can read."""
    pid: int
    """A process that it can signal."""
    port: int
    """A port of this machine that it can connect to."""


class Spec(NamedTuple):
    """A box, and the player in it."""

    shown: tuple[tuple[str, str], ...]
    """Files and folders to be read, and where they are found in the box."""
    links: tuple[tuple[str, str], ...]
    """Symbolic links, and where they lead."""
    files: tuple[tuple[str, bytes], ...]
    """Files of which the box has a copy."""
    network: bool
    logged: bool
    """Whether anybody wants what the player prints."""
    seconds: int
    """Processor time of a choice."""
    path: tuple[str, ...]
    """Where modules are found in the box."""
    sample: tuple[bytes, bytes] | None
    """A question of nobody's, and an action, pickled."""
    player: bytes
    """Pickled: the file or module, the name in it, and the game's actions."""
    bait: Bait
    taken_away: tuple[str, ...]
    """What is shown no more when the player has loaded."""
