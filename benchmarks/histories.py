"""Hands of other programs, read and followed by the rules, compared with PokerKit, which replays the same file."""

import tempfile
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.table import markdown, verdict
from pokersvc import AUDITOR, EventLog, Service, open_database, write_hands
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.histories.checking import check
from pokersvc.histories.dry_run import audited
from pokersvc.histories.importing import Became, store
from tests.histories.pokerkit_draw import registered

HANDS = 2_000
TURNS = 5
SEATS = 4
TIMES = 5
"""How often an audit reads the file: starting a second process takes as long as checking some hundred hands."""


def run(*, quick: bool = False) -> str:
    """Make a file of hands, and return the table of the time that each side takes for it."""
    hands, turns = (100, 1) if quick else (HANDS, TURNS)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hands.phhs")
        texts = _hands(Path(folder), hands)
        file.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1)), "utf-8")
        sides: dict[str, Callable[[], None]] = {
            "PokerKit: parse and replay": lambda: _pokerkit(texts),
            "`audit FILE`": lambda: _audit(file, 1, hands * TIMES),
            "`audit FILE --processes 2`": lambda: _audit(file, 2, hands * TIMES),
            "`import`": lambda: _store(file, Path(folder), hands),
        }
        took: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(turns):
            for name, side in sides.items():
                start = perf_counter()
                side()
                took[name].append(perf_counter() - start)
    each = {name: median(times) / (hands * TIMES if "audit" in name else hands) * 1e3 for name, times in took.items()}
    pokerkit, one, two, stored = each.values()
    required = {"`audit FILE`": (pokerkit / one, 3), "`import`": (pokerkit / stored, 1.5)}
    rows = [
        (name, f"{milliseconds:.2f}", verdict(*required[name]) if name in required else "")
        for name, milliseconds in each.items()
    ]
    rows.append(("two processes next to one", "", verdict(one / two, 1.8)))
    return markdown(
        f"{hands:,} hands of {SEATS} players in a PHH file",
        ("what", "ms a hand", "next to PokerKit"),
        rows,
        f"Medians of {turns} turns. Both sides know every card; ours checks everything that the file says as well.",
    )


def _hands(folder: Path, count: int) -> list[str]:
    """Return hands that bots played, as PHH texts."""
    texts: list[str] = []
    with open_database(str(folder / "played.sqlite")) as database:
        log = EventLog(database)
        service = Service(log)
        game = 0
        while len(texts) < count:
            game += 1
            seats = tuple(Seat("steady", f"Player{seat}") for seat in range(1, SEATS + 1))
            setup = Setup(seats, EntropySource.from_text(f"hands {game}"), 50, {"rules": "no-limit"})
            game_id, _ = service.start("draw", setup)
            while service.status(game_id).outcome is None:
                service.play_round(game_id)
            written = BytesIO()
            write_hands(written, log, game_id, AUDITOR, format_="phh", force=True)
            texts += _apart(written.getvalue().decode())
    return texts[:count]


def _apart(text: str) -> list[str]:
    """Return the hands of a file, which may have several."""
    hands: list[list[str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            hands.append([])
        elif hands:
            hands[-1].append(line)
    return ["".join(lines) for lines in hands] or [text]


def _pokerkit(texts: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in texts:
            for _ in registered().loads(text):
                pass


def _audit(file: Path, processes: int, hands: int) -> None:
    found = audited(check([file] * TIMES, processes=processes, events=False))
    assert sum(one.became in (Became.STORED, Became.KNOWN) for one in found) == hands


def _store(file: Path, folder: Path, hands: int) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as empty, open_database(str(Path(empty, "db.sqlite"))) as database:
        found = [one.became for one in store(Service(EventLog(database)), check([file]))]
    assert found == [Became.STORED] * hands
