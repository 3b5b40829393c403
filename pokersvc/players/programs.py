"""Finds the bot that plays a seat, and turns its choice into an event."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from threading import Lock
from types import TracebackType
from typing import Final, NamedTuple, Self, cast

from pokersvc.core.actions import Action, BetweenRounds, Forfeit, ServiceAction
from pokersvc.core.bots.custom_players import installed, own_file
from pokersvc.core.bots.player import Player
from pokersvc.core.bots.policy import Drawn, MixingPlayer, Policy, WrongPolicy, checked, drawn, mixes
from pokersvc.core.bots.seating import Seating
from pokersvc.core.event import Event
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.state import State
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.players.custom import Ask, ChoiceForfeited, CustomPlayer, Spent
from pokersvc.players.process import Loading, UnusablePlayer
from pokersvc.players.walls import IN_BOXES, Walls
from pokersvc.system.files import opened

LIMIT: Final = 10.0
"""Seconds that a custom player may think about a choice by default."""
MOST_BYTES: Final = 10_000_000
"""The most bytes of a player's file, which is read into memory to compare versions."""


class Programs:
    """The bots that fill seats.

    Built-in players run in this process and are created for each choice. A custom player has a process, which is
    started when it is first needed and ended by `close`. The player may think for ``limit`` seconds, and its file is
    looked up from ``folder``, by default the current one. ``walls`` say what the player may do besides playing.
    """

    def __init__(self, limit: float = LIMIT, folder: Path = Path(), walls: Walls = IN_BOXES) -> None:
        if not 0 < limit <= 86_400:
            raise InvalidValue(f"A limit of {limit:g} seconds cannot be used; it must be above 0 and at most a day.")
        self._limit, self._folder, self._walls = limit, folder, walls
        self._lock = Lock()
        self._own: dict[tuple[str, str], CustomPlayer] = {}

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Player] | None:
        """Return a function that makes a bot of this kind for one choice, or None if there is no such kind.

        Raise `UnusablePlayer` if a custom player cannot be loaded. Without ``load``, it forfeits its choices instead.
        """
        if (found := game.players.get(kind)) is not None:
            return found
        with self._lock:
            player = self._own.get((kind, game.kind))
            if player is None:
                if kind == HUMAN or (where := _where(kind, self._folder)) is None:
                    return None
                player = self._own[kind, game.kind] = CustomPlayer(Loading(kind, where, self._limit, game), self._walls)
        if load:
            player.load()
        return lambda: player

    def of_many(self, game: Seating, kind: str) -> CustomPlayer | None:
        """Return a custom player that answers about many views at once; None for another player, or if it fails."""
        with suppress(UnusablePlayer):
            self.find(game, kind)
        player = self._own.get((kind, game.kind))
        return player if player is not None and player.takes_many else None

    def spent(self) -> dict[str, Spent]:
        """Return, for each kind of custom player, the number and preparation time of choices since the last call."""
        return {kind: player.spent() for (kind, _), player in self._own.items()}

    def check(self, game: Seating, seats: Iterable[Seat]) -> None:
        """Load every custom player at these seats; raise `UnusablePlayer` if one cannot play."""
        for seat in seats:
            self.find(game, seat.kind)

    def close(self) -> None:
        """End the processes of custom players."""
        with self._lock:
            own, self._own = self._own, {}
        for player in own.values():
            player.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()


def check_listed(kinds: Iterable[str], games: Iterable[Seating], folder: Path = Path()) -> None:
    """Raise `InvalidValue` for a kind that is neither a bot of one of the games nor the name of a custom player.

    Raise `UnusablePlayer` if a custom player's file cannot be read. Whether it can play shows only in a game.
    """
    built_in = {kind for game in games for kind in game.players}
    for kind in kinds:
        if kind not in built_in and (kind == HUMAN or _where(kind, folder) is None):
            raise InvalidValue(
                f"There is no bot {kind!r}; name a custom player as FILE.py:CLASS,"
                " or by the name that an installed package gives it."
            )


def policy_of(game: Seating, kind: str, player: Callable[[], Player], ask: Ask) -> Policy | None:
    """Return a player's policy: None if it has none, and an empty one if it gave no valid answer.

    For a built-in bot whose mixture the game knows (`Seating.mixtures`), return that mixture.
    """
    view, legal, random = ask
    if (mixture := game.mixtures.get(kind)) is not None:
        return mixture(view, legal)
    made: object = player()
    if isinstance(made, CustomPlayer):
        answer = made.answer(view, legal, random)
        if isinstance(answer, ChoiceForfeited):
            return {}
        return answer.policy if isinstance(answer, Drawn) else None
    if not mixes(made):
        return None
    try:
        return checked(made.policy(view, legal))
    except (Exception, SystemExit):  # as in `choice_of`
        return {}


class Choice(NamedTuple):
    """A bot's choice."""

    event: Event
    forfeited: str | None
    """The code of its forfeit; None if it did not forfeit."""
    policy: Policy | None = None
    """The probabilities of the actions from which it was drawn; None if the bot gave none."""


def choice_of(player: Callable[[], Player | MixingPlayer], state: State, seat: int, random: Random) -> Choice:
    """Return the event of a bot's choice; a bot that gives no legal answer forfeits it, and the game continues."""
    try:
        answer: object = _answer(player(), state.view(seat), state.legal(seat), random)
    except ChoiceForfeited as forfeited:
        answer = forfeited
    except WrongPolicy:
        answer = ChoiceForfeited("illegal")
    except (Exception, SystemExit):  # a bot may fail in any way, and cannot end the program
        answer = ChoiceForfeited("raised")
    return decided(state, seat, answer)


class AskedChoice(NamedTuple):
    """A choice that a player must make: the state of the game, the seat, and the randomness for the choice."""

    state: State
    seat: int
    random: Random

    def ask(self) -> Ask:
        """Return the question for the player, which does not change when the game continues."""
        return self.state.view(self.seat), self.state.legal(self.seat), self.random

    def choice(self, answer: object) -> Choice:
        """Return the choice that results from an answer of any type, while the game still waits for it."""
        return decided(self.state, self.seat, answer)


def decided(state: State, seat: int, answer: object) -> Choice:
    """Return the choice that results from an answer of any type; an answer that is no legal action forfeits it."""
    policy = None
    if isinstance(answer, Drawn):
        answer, policy = answer
    if not isinstance(answer, ChoiceForfeited):
        with suppress(Exception):  # a bot may answer anything, even something that is not an action
            if (
                isinstance(answer, Action)
                and not isinstance(answer, ServiceAction | BetweenRounds)
                and type(answer.seat) is int
                and answer.seat == seat
            ):
                return Choice(state.decide(answer), None, policy)
        answer = ChoiceForfeited("illegal")
    return Choice(state.decide(Forfeit(seat, answer.code)), answer.code, policy)


def _answer(player: Player | MixingPlayer, view: object, legal: object, random: Random) -> object:
    """Return a bot's choice or, if the bot has a policy, an action drawn from the policy."""
    if isinstance(player, CustomPlayer):
        return player.answer(view, legal, random)
    if mixes(player):
        return drawn(player.policy(view, legal), random)
    return cast("Player[object, object]", player).choose(view, legal, random)


def content_of(kind: str, folder: Path) -> str | None:
    """Return a text that identifies the version of a custom player, or None for a built-in player."""
    if (file := own_file(kind)) is not None:
        try:
            with opened(folder / file.file) as source:
                content = source.read(MOST_BYTES + 1)
        except OSError as error:
            raise _unreadable(kind, error) from error
        if len(content) > MOST_BYTES:
            raise UnusablePlayer(f"The player {kind} cannot be used: its file has more than {MOST_BYTES:,} bytes.")
        return sha256(content).hexdigest()
    if (found := installed(kind)) is not None:
        return f"{found.value} {found.dist.version if found.dist else ''}"
    return None


def _where(kind: str, folder: Path) -> tuple[str, str] | None:
    """Return a custom player's file (a path) or module, and the name in it; None for the kind of another player."""
    if (file := own_file(kind)) is not None:
        path = (folder / file.file).absolute()
        try:
            opened(path).close()
        except OSError as error:
            raise _unreadable(kind, error) from error
        return str(path), file.name
    if (found := installed(kind)) is not None:
        return found.module, found.attr
    return None


def _unreadable(kind: str, error: OSError) -> PokersvcError:
    return UnusablePlayer(f"The player {kind} cannot be used: its file cannot be read ({error.strerror}).")
