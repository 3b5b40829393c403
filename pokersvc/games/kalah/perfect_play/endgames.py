"""Endgame databases: the exact value of every position with few beans in play, one file per board width and rule.

A file begins with a line that names the board, padded to `LINE` bytes. Then come the SHA-256 digests of its layers and
the layers themselves, one byte (two's complement) per position, by rank (`kernels.rank`). Layer n has the values of all
positions with n beans in play, counted from the mover's side as in `kernels`. A layer's digest covers the line, the
digest of the layer before, and the layer's bytes, so no layer can be taken from another file.
"""

import mmap
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from math import comb
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from platformdirs import user_data_path

from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.games.kalah import kernels
from pokersvc.games.kalah.engine import CompiledEngine, KnownEndgames, Variant, compiled, fast
from pokersvc.system.files import PRIVATE, beside, make_folders, naming, opened, publish
from pokersvc.text import counted

FORMAT: Final = "pokersvc kalah endgames 1"
LINE: Final = 128
DIGEST: Final = 32
MOST_POSITIONS: Final = 31_000_000
"""The maximum number of positions in a database, which limits its beans: with six holes a side, to 16."""
MOST_COMPUTED: Final = 10_000_000
"""Without a database, at most this many positions are computed for a long search: with six holes a side, 14 beans."""
MOST_BEANS: Final = 100
"""The most beans that a database covers: values are bytes, and -128 means that a value is unknown."""
LEAST_HOLES: Final = 2
MOST_HOLES: Final = 8


class NoEndgames(PokersvcError):
    """A database of endgames that is needed has not been built."""

    code = "no_endgames"


class WrongEndgames(PokersvcError):
    """A file is not the database of endgames that its name says: it is damaged, or a file of another kind."""

    code = "wrong_endgames"


class Covered(NamedTuple):
    """The positions of a database: all with at most ``beans`` beans in play, on boards of one width, by one rule."""

    holes: int
    empty_capture: bool
    beans: int

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"endgames-{self.holes}{'-empty-capture' * self.empty_capture}.bin"

    @property
    def line(self) -> bytes:
        """The first line of the file, padded."""
        rule = "empty-capture" if self.empty_capture else "house"
        text = f"{FORMAT}: {counted(self.holes, 'hole')}, {counted(self.beans, 'bean')}, {rule}\n"
        return text.encode().ljust(LINE, b"\0")

    @property
    def positions(self) -> int:
        """The number of positions."""
        return self.before(self.beans + 1)

    @property
    def values_at(self) -> int:
        """The position in the file at which the values begin."""
        return LINE + DIGEST * (self.beans + 1)

    def before(self, beans: int) -> int:
        """Return the number of positions with fewer beans in play: the rank of the first position with this many."""
        return comb(beans - 1 + 2 * self.holes, 2 * self.holes) if beans else 0


def covered(holes: int, *, empty_capture: bool = False) -> Covered:
    """Return the positions that the database of a board's width covers; raise `InvalidValue` for boards without one."""
    if type(holes) is not int or not LEAST_HOLES <= holes <= MOST_HOLES:
        raise InvalidValue(
            f"There is no database of endgames with {holes!r} holes a side; holes are {LEAST_HOLES} to {MOST_HOLES}."
        )
    beans = 0
    while beans < MOST_BEANS and comb(beans + 1 + 2 * holes, 2 * holes) <= MOST_POSITIONS:
        beans += 1
    return Covered(holes, empty_capture, beans)


def folder() -> Path:
    """Return the folder of the databases, in the user's data folder."""
    return user_data_path("pokersvc", appauthor=False) / "kalah"


class Endgames:
    """A database that has been read: its values by rank, for the kernels."""

    def __init__(self, of: Covered, path: Path) -> None:
        """Map a file into memory; raise `NoEndgames` or `WrongEndgames`."""
        self.of = of
        try:
            with opened(path) as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except FileNotFoundError:
            raise NoEndgames(_missing(of)) from None
        except (OSError, ValueError) as error:
            raise WrongEndgames(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
        done = _whole_layers(of, self._map, path)
        if done <= of.beans or len(self._map) != of.values_at + of.positions:
            raise WrongEndgames(
                f"{path} is damaged: of its layers, of 0 to {counted(of.beans, 'bean')},"
                f" {counted(done, 'layer')} from the first can be used;"
                f" remove the file, and build it with `{_command(of)}`."
            )

    def known(self, *, compiled: bool) -> KnownEndgames:
        """Return the values for an engine: as an array for compiled kernels, else as a view of the memory."""
        at = self.of.values_at
        if not compiled:
            return KnownEndgames(self.of.beans, memoryview(self._map)[at:].cast("b"))
        import numpy as np

        return KnownEndgames(self.of.beans, np.frombuffer(self._map, np.int8, offset=at))


def stored(holes: int, *, empty_capture: bool = False, at: Path | None = None) -> Endgames:
    """Return the database of a board's width; raise `NoEndgames` if it was not built, `WrongEndgames` if it is broken.

    A file is checked against its digests when a process first reads it, which takes about a tenth of a second.
    """
    of = covered(holes, empty_capture=empty_capture)
    return _read(of, (at or folder()) / of.name)


@cache
def _read(of: Covered, path: Path) -> Endgames:
    return Endgames(of, path)


def known_to(game: Variant) -> KnownEndgames | None:
    """Return the endgames for an engine of a game, or None if no database was built; raise `WrongEndgames`."""
    if not LEAST_HOLES <= game.holes <= MOST_HOLES:
        return None
    try:
        read = stored(game.holes, empty_capture=game.empty_capture)
    except NoEndgames:
        return None
    return read.known(compiled=fast(game))


def computed(game: Variant, told: Callable[[], object] | None = None) -> KnownEndgames:
    """Return the endgames for a long search without a database, computed by compiled kernels in some seconds.

    ``told`` is called after each layer.
    """
    import numpy as np

    beans = min(game.most_beans(MOST_COMPUTED), MOST_BEANS)
    values = np.full(Covered(game.holes, game.empty_capture, beans).positions, kernels.UNKNOWN, np.int8)
    known = KnownEndgames(beans, values)
    engine = CompiledEngine(Variant(game.holes, beans, game.empty_capture), known=known)
    for layer in range(beans + 1):
        engine.fill_layer(layer)
        if told is not None:
            told()
    return known


def build(of: Covered, at: Path, told: Callable[[int], object] | None = None) -> Path:
    """Compute a database in a folder, and return its path; an interrupted build continues after its last whole layer.

    ``told`` is given the number of positions done, after each layer. Raise `InvalidValue` if the file exists or numba
    is missing, `WrongEndgames` if a file of another kind is in its place, and `FileNotWritten` if it cannot be written.
    """
    if compiled() is None:
        raise InvalidValue("Endgames are computed with numba; install it with pip install 'pokersvc[fast]'.")
    path = at / of.name
    if os.path.lexists(path):
        Endgames(of, path)
        raise InvalidValue(f"{path} is already built.")
    partial = beside(path, ".partial")
    with naming(partial):
        make_folders(at)
        with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE), "r+b") as file:
            _continue(of, file, partial, told)
        if not publish(partial, path):
            raise InvalidValue(f"{path} is already built.")
        partial.unlink(missing_ok=True)
    _read.cache_clear()
    return path


def _continue(of: Covered, file: BinaryIO, partial: Path, told: Callable[[int], object] | None) -> None:
    """Compute the layers that a file lacks; a layer is written before its digest, which marks it as complete."""
    import numpy as np

    size = os.fstat(file.fileno()).st_size
    if size < of.values_at:
        file.truncate(0)
        file.write(of.line.ljust(of.values_at, b"\0"))
        file.flush()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as before:
        done = _whole_layers(of, before, partial)
        digest = _digest_at(before, done - 1) if done else b""
    values = np.full(of.positions, kernels.UNKNOWN, np.int8)
    file.seek(of.values_at)
    values[: of.before(done)] = np.frombuffer(file.read(of.before(done)), np.int8)
    engine = CompiledEngine(Variant(of.holes, of.beans, of.empty_capture), known=KnownEndgames(of.beans, values))
    for beans in range(done, of.beans + 1):
        engine.fill_layer(beans)
        layer = values[of.before(beans) : of.before(beans + 1)].tobytes()
        file.seek(of.values_at + of.before(beans))
        file.write(layer)
        _flush(file)
        digest = _chained(of, digest, layer)
        file.seek(LINE + DIGEST * beans)
        file.write(digest)
        _flush(file)
        if told is not None:
            told(of.before(beans + 1))
    file.truncate(of.values_at + of.positions)
    _flush(file)


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _chained(of: Covered, before: bytes, layer: bytes | memoryview) -> bytes:
    digest = sha256(of.line)
    digest.update(before)
    digest.update(layer)
    return digest.digest()


def _digest_at(data: mmap.mmap, beans: int) -> bytes:
    return data[LINE + DIGEST * beans : LINE + DIGEST * (beans + 1)]


def _whole_layers(of: Covered, data: mmap.mmap, path: Path) -> int:
    """Return how many layers, from the first, match their digests; raise `WrongEndgames` for a file of another kind."""
    if data[:LINE] != of.line:
        raise WrongEndgames(
            f"{path} is not the database of endgames with {counted(of.holes, 'hole')} a side and up to"
            f" {counted(of.beans, 'bean')}{' with empty capture' * of.empty_capture}; remove it,"
            f" and build that with `{_command(of)}`."
        )
    digest = b""
    for beans in range(of.beans + 1):
        begin, end = (of.values_at + of.before(count) for count in (beans, beans + 1))
        with memoryview(data) as view, view[begin:end] as layer:
            digest = _chained(of, digest, layer)
        if end > len(data) or _digest_at(data, beans) != digest:
            return beans
    return of.beans + 1


def _command(of: Covered) -> str:
    return f"pokersvc kalah build {of.holes}{' --empty-capture' * of.empty_capture}"


def _missing(of: Covered) -> str:
    return (
        f"The database of endgames with {counted(of.holes, 'hole')} a side"
        f"{' and empty capture' * of.empty_capture} is not built;"
        f" build it with `{_command(of)}`."
    )
