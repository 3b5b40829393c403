"""The results file: one line of JSON per game, written as soon as it is played, so that a tournament can be continued.

The first line is the plan, written before there was a seed (`pokersvc.tournament.announced`). The next identifies the
tournament, with the digest of its seed; once a hidden seed is shown, a line holds it.
A line that was only partly written when the power failed is written again.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pokersvc.core.actions import FORFEIT_CODES
from pokersvc.evidence.jsonl import opened
from pokersvc.players import Spent
from pokersvc.tournament.announced import Announced, after_plan, announced_in, is_begun
from pokersvc.tournament.lines_file import InvalidResults, LinesFile, another_tournament
from pokersvc.tournament.plan import Tournament
from pokersvc.tournament.play import Played
from pokersvc.tournament.seed import digest_of

ModelT = TypeVar("ModelT", bound=BaseModel)

LONGEST_HEADER: Final = 1 << 16
"""The most bytes of a file that are read to recognise a results file."""
MOST_GAINED: Final = 10**100
"""The bound of numbers in a results file: above any game's results, and so small that their sums stay finite."""
_CODES: Final = f"^({'|'.join(FORFEIT_CODES)})$"


class _Header(BaseModel):
    """The line after the plan: fingerprint, a ``label`` for other differences, a hidden seed's digest."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    tournament: str
    label: str
    seed_digest: str | None = None

    @property
    def line(self) -> bytes:
        return json.dumps(self.model_dump(exclude_none=True)).encode() + b"\n"

    def is_of(self, other: "_Header") -> bool:
        """Return whether two headers belong to the same results; the fingerprint covers even a hidden seed."""
        return (self.tournament, self.label) == (other.tournament, other.label)


class _Line(BaseModel):
    """A line for a game, with the values of `Played`; ``forfeits`` has only the seats that forfeited choices."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    game: Annotated[int, Field(ge=0)]
    gains: tuple[Annotated[int, Field(ge=-MOST_GAINED, le=MOST_GAINED)], ...]
    ranks: tuple[Annotated[int, Field(ge=1)], ...]
    rounds: Annotated[int, Field(ge=0, le=MOST_GAINED)]
    forfeits: dict[
        Annotated[int, Field(ge=1)],
        dict[Annotated[str, Field(pattern=_CODES)], Annotated[int, Field(ge=1, le=MOST_GAINED)]],
    ] = {}
    without_luck: tuple[Annotated[float, Field(ge=-MOST_GAINED, le=MOST_GAINED)], ...] | None = None
    changed: tuple[Annotated[int, Field(ge=0, le=MOST_GAINED)], ...] = ()
    doubts: dict[
        Annotated[str, Field(pattern="^(contradicted|forfeited)$")], Annotated[int, Field(ge=1, le=MOST_GAINED)]
    ] = {}

    def played(self, seats: int) -> Played | None:
        """Return the game's result, or None if it is impossible for this number of seats."""
        lengths = {len(self.gains), len(self.ranks)}
        if self.without_luck is not None:
            lengths |= {len(self.without_luck), len(self.changed)}
        if lengths != {seats} or max((*self.ranks, *self.forfeits)) > seats:
            return None
        forfeits = tuple(self.forfeits.get(seat, {}) for seat in range(1, seats + 1))
        result = Played(self.game, self.gains, self.ranks, self.rounds, forfeits, self.without_luck, self.changed)
        return result._replace(doubts=self.doubts)


class _Shown(BaseModel):
    """The line with the seed, written once everyone may know it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    seed: str


class Differed(BaseModel):
    """The line for a player that answered differently in a batch; it is asked view by view from ``group`` on."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    differed: str
    """The player's kind."""
    game: Annotated[int, Field(ge=0)]
    """The number of the game, from 0, in which the difference was found."""
    group: Annotated[int, Field(ge=0)]
    """The number of the group to which that game belongs."""

    @property
    def line(self) -> bytes:
        """The line in the file."""
        return self.model_dump_json().encode() + b"\n"


class Results:
    """The results of a tournament, as far as it has been played; only one process at a time may open them."""

    def __init__(
        self,
        path: Path,
        tournament: Tournament,
        *,
        label: str = "",
        again: bool = False,
        hide: Callable[[], None] | None = None,
    ) -> None:
        """Open a results file; ``label`` distinguishes results of one tournament, ``again`` discards earlier results.

        ``hide`` stores a hidden seed, whose digest is in the line after the plan. It is called before that line is
        written, when this process already has the file to itself.
        """
        self.path = path
        self.played: dict[int, Played] = {}
        self.differed: dict[str, Differed] = {}
        """Kind of a player that answered differently in a batch than alone → where that was found first."""
        self.spent: defaultdict[str, Spent] = defaultdict(Spent)
        """Kind of a custom player → the time that its choices took since the file was opened."""
        self.shown = False
        """Whether the seed is in the file, for everyone to see."""
        self.plans: list[Announced] = []
        """The plan that was written before the seed was drawn, and then those that replaced it, with more deals."""
        self._seed, self._hide = tournament.seed, hide
        digest = None if hide is None else tournament.seed_digest
        self._header = _Header(tournament=tournament.fingerprint, label=label, seed_digest=digest)
        self._seats, self._games = tournament.seats, tournament.games
        self._file = LinesFile(path)
        try:
            self._plan = Announced.of(tournament)
            self._read(again=again)
        except BaseException:
            self._file.close()
            raise

    @property
    def missing(self) -> list[int]:
        """The numbers of the games that have not been played yet."""
        return [index for index in range(self._games) if index not in self.played]

    def add(self, played: Iterable[Played], spent: Mapping[str, Spent] = {}) -> None:
        """Store the results of games; they are on the disk when this returns. ``spent`` is added up, but not stored."""
        for kind, one in spent.items():
            self.spent[kind].add(one)
        new = list(played)
        self._file.write(b"".join(map(_line, new)))
        self.played.update((one.number, one) for one in new)

    def add_differed(self, one: Differed) -> None:
        """Store that a player answered differently in a batch than alone."""
        self._file.write(one.line)
        self._take(one)

    def _take(self, one: Differed) -> None:
        known = self.differed.get(one.differed)
        if known is None or one.group < known.group:
            self.differed[one.differed] = one

    def show(self) -> None:
        """Store the seed with the results, for everyone to see."""
        if not self.shown:
            self._file.write(json.dumps({"seed": self._seed}).encode() + b"\n")
            self.shown = True

    def move(self, path: Path) -> None:
        """Rename the file in its folder."""
        self._file.move(path)
        self.path = path

    def close(self) -> None:
        """Close the file, so that others can open it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _read(self, *, again: bool) -> None:
        plan, first = after_plan(self._file.lines, LONGEST_HEADER)
        before = 0 if plan is None else len(plan.line)
        begun = self._header.line.startswith(first) and not first.endswith(b"\n")
        if not begun:
            found = header_of(first, self.path)
            if not found.is_of(self._header) and not again:
                raise another_tournament(self.path)
        if begun or again:
            if self._hide is not None:
                self._hide()
            self._file.truncate(before)
            self._file.write(self._header.line)
            self._file.sync_folder()
        whole = before + len(self._header.line if begun or again else first)
        if plan is not None:
            self.plans.append(plan)
        for number, line in enumerate(() if begun or again else self._file.lines, 2 if plan is None else 3):
            if not line.endswith(b"\n"):
                break
            self._take_line(line, number)
            whole += len(line)
        self._file.truncate(whole)
        if self.plans and self.plans[-1] != self._plan:  # the plan has changed, for example to more deals
            self._file.write(self._plan.line)
            self.plans.append(self._plan)

    def _take_line(self, line: bytes, number: int) -> None:
        if _seed_of(line) == self._seed:
            self.shown = True
        elif (plan := announced_in(line)) is not None:
            self.plans.append(plan)
        elif line.startswith(b'{"differed"'):
            self._take(self._of_line(Differed, line, number))
        elif (one := self._parsed(line, number)).number < self._games:
            self.played[one.number] = one

    def _parsed(self, line: bytes, number: int) -> Played:
        if (one := self._of_line(_Line, line, number).played(self._seats)) is None:
            raise self._no_result(number)
        return one

    def _of_line(self, model: type[ModelT], line: bytes, number: int) -> ModelT:
        try:
            return model.model_validate_json(line)
        except ValidationError:
            raise self._no_result(number) from None

    def _no_result(self, number: int) -> InvalidResults:
        return InvalidResults(f"Line {number} of {self.path} is not a result of a game; start again with --again.")


def announce(path: Path, tournament: Tournament, *, again: bool = False) -> None:
    """Write the plan of a tournament into its results, unless they contain more than a plan; ``again`` discards them.

    It is to be called before a seed is drawn; the seed in ``tournament`` does not matter. When it returns, the plan is
    on the disk.
    """
    file = LinesFile(path)
    try:
        plan, line = after_plan(file.lines, LONGEST_HEADER)
        if line and not is_begun(line):
            if not again:
                return
            header_of(line, path)  # raises if this is another kind of file, so that nothing of it is discarded
        announced = Announced.of(tournament)
        if line or plan != announced:
            file.truncate(0)
            file.write(announced.line)
            file.sync_folder()
    finally:
        file.close()


def seed_shown_in(path: Path) -> str | None:
    """Return the seed that a results file shows, or None if it was not shown yet."""
    with opened(path) as file:
        header = header_of(after_plan(file, LONGEST_HEADER)[1], path)
        shown = [seed for line in file if (seed := _seed_of(line)) is not None]
    return next((seed for seed in shown if digest_of(seed) == header.seed_digest), None)


def header_of(line: bytes, path: Path) -> _Header:
    """Return the header from the first line after the plan; raise `InvalidResults` for any other file."""
    try:
        return _Header.model_validate_json(line)
    except ValidationError:
        raise InvalidResults(f"{path} is not a file of results; name another one.") from None


def _seed_of(line: bytes) -> str | None:
    if not line.startswith(b'{"seed"'):
        return None
    try:
        return _Shown.model_validate_json(line).seed
    except ValidationError:
        return None


def _line(one: Played) -> bytes:
    said: dict[str, object] = {"game": one.number, "gains": one.gains, "ranks": one.ranks, "rounds": one.rounds}
    if forfeits := {seat: codes for seat, codes in enumerate(one.forfeits, 1) if codes}:
        said["forfeits"] = forfeits
    if one.without_luck is not None:
        said |= {"without_luck": one.without_luck, "changed": one.changed}
    if one.doubts:
        said["doubts"] = one.doubts
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
