"""Create the test data for the verifiers in Python and JavaScript: ``python -m tests.web.vectors``.

Real games of all three kinds, each as one viewer is streamed it, with the seeds that are opened at the end. They are
played again from the same numbers, so that only what pokersvc records of a game changes the file.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.evidence.spoken_head import spoken
from pokersvc.games.draw_poker.house.houses import load_rules
from tests.web import at_table, shown, shuffled, signed
from tests.web.missed import Missed, play_missed
from tests.web.played import fingerprint, opened, play, repeatable, streamed

VECTORS: Final = Path(__file__).with_name("vectors.json")


class Vector(NamedTuple):
    """A game: what it is called, what is played, and whose eyes see it."""

    name: str
    kind: str
    seats: tuple[Seat, ...]
    viewer: Viewer
    options: Mapping[str, object] = {}
    rounds: int | None = None
    game: str = ""
    """The game's id, if it is not the name."""
    text: str | None = None
    """Its seeds follow from it; None for fresh ones."""
    missed: Missed | None = None
    """Which seats forgo which rounds, where any do."""


def _seats(kind: str, *names: str) -> tuple[Seat, ...]:
    return tuple(Seat(kind, name) for name in names)


_BIG: Final = load_rules("no-limit").model_copy(update={"name": "big", "stack": 10**9})
_NAMES: Final = ("Zoë", "山田 太郎", "Ann ♠", "Łukasz", "🂡 Bob", "Ж", "Q", "é", "Ó'Neil", '"')
GAMES: Final = (
    Vector("draw", "draw", _seats("steady", *_NAMES[:3]), 2, rounds=4, text="vectors: draw"),
    Vector("draw-forked", "draw", _seats("steady", *_NAMES[:3]), 2, rounds=1, game="draw"),
    Vector("draw-watched", "draw", _seats("house", *_NAMES[:4]), EVERYONE, {"rules": "buy-the-pot"}, rounds=3),
    Vector("draw-ten", "draw", _seats("random", *_NAMES), 1, {"rules": _BIG}, rounds=2),
    Vector(
        "draw-straddled", "draw", _seats("random", *_NAMES[:3]), 1, {"rules": "fixed-limit", "straddle": 4}, rounds=4
    ),
    Vector("market", "market", _seats("greedy", *_NAMES[:3]), 3, rounds=3),
    Vector(
        "draw-forgone",
        "draw",
        _seats("random", *_NAMES[:4]),
        2,
        {"rules": _BIG},
        rounds=4,
        missed={1: (3,), 2: (1, 2), 3: (1, 2, 4), 4: (4,)},
    ),
    Vector(
        "market-forgone",
        "market",
        _seats("random", *_NAMES[:4]),
        1,
        {"markets": 3},
        rounds=2,
        missed={1: (2,), 2: (1, 3, 4), 3: (2, 4)},
    ),
    Vector("kalah", "kalah", _seats("random", *_NAMES[1:3]), 1),
)


def made(vector: Vector, folder: Path) -> dict[str, Any]:
    """Play a game and return its vector."""
    path, game_id = folder / f"{vector.name}.sqlite", vector.game or vector.name
    with repeatable(fingerprint(vector.name)):
        source = EntropySource.fresh() if vector.text is None else EntropySource.from_text(vector.text)
        setup = Setup(vector.seats, source, vector.rounds, dict(vector.options))
        if vector.missed is None:
            records = play(path, game_id, vector.kind, setup)
        else:
            records = play_missed(path, game_id, vector.kind, setup, vector.missed)
    head = records[-1].hash
    return {
        "name": vector.name,
        "kind": vector.kind,
        "game": game_id,
        "seat": None if vector.viewer == EVERYONE else vector.viewer,
        "records": streamed(records, vector.kind, vector.viewer),
        "opened": opened(records, vector.kind),
        "head": head.hex(),
        "spoken": spoken(head),
    }


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        games = [made(vector, Path(folder)) for vector in GAMES]
        games.append(at_table.cash_vector(Path(folder)))
        games.append(at_table.newcomers_vector(Path(folder)))
        games.append(shown.shown_vector(Path(folder)))
        together = [shuffled.made(game, Path(folder)) for game in shuffled.SHUFFLED]
    VECTORS.write_text(json.dumps(games + together, indent=1) + "\n", encoding="ascii")
    lies = [lie for game in together for lie in shuffled.lies(game)]
    shuffled.LIES.write_text(json.dumps(lies, indent=1) + "\n", encoding="ascii")
    signed.SIGNATURES.write_text(json.dumps(signed.signatures(), indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
