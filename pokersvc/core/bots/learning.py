"""The facet of a game that learning environments need: a seat's choices as numbers, and figures to learn from."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Generic, cast

from pokersvc.core.actions import Action
from pokersvc.core.bots.many_tables import ManyTables, NotVectorised, WriteEvent
from pokersvc.core.setup import Options
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.errors import InvalidValue


class NoActionList(InvalidValue):
    """A game whose choices are not numbered, so that no learning environment can play it."""

    code = "no_action_list"


class ActionList(ABC, Generic[ViewT, LegalT]):
    """A fixed list of the choices that a seat may ever have; the number of a choice is its place in the list, from 0.

    What a number means may depend on what the seat sees, as in "play the third piece" or "bet half the pot".
    """

    names: tuple[str, ...]
    """What each number means, in a few words."""

    @abstractmethod
    def legal(self, view: ViewT, legal: LegalT) -> Sequence[int]:
        """Return the numbers of the choices that a seat has now, ascending: at least one, and each choice once."""

    @abstractmethod
    def action(self, number: int, view: ViewT, legal: LegalT) -> Action:
        """Return the choice with a number that `legal` returns now."""

    def number(self, action: Action, view: ViewT, legal: LegalT) -> int | None:
        """Return the number of a legal choice; None if the list lacks it, such as a bet of a size not listed."""
        found = [number for number in self.legal(view, legal) if self.action(number, view, legal) == action]
        return found[0] if found else None


class ActionTypes(ActionList[object, Iterable[Action]]):
    """A list with one number for each type of action, for games whose actions have no field but the seat.

    What `State.legal` returns in such a game is a collection of actions.
    """

    def __init__(self, types: Sequence[type[Action]]) -> None:
        self._types = tuple(types)
        self.names = tuple([one.__name__.lower() for one in types])

    def legal(self, view: object, legal: Iterable[Action]) -> Sequence[int]:
        """Return the number of each legal action's type."""
        return sorted([self._types.index(type(action)) for action in legal])

    def action(self, number: int, view: object, legal: Iterable[Action]) -> Action:
        """Return the legal action whose type has this number."""
        return next(action for action in legal if type(action) is self._types[number])


def no_features(view: object) -> Sequence[int]:
    """Return no figures, for a game that has none."""
    return ()


@dataclass(frozen=True, slots=True)
class NumberedGame(Generic[ViewT, LegalT]):
    """A started game for learning programs: its choices as numbers, and figures of what a seat sees."""

    actions: ActionList[ViewT, LegalT]
    """The choices of a seat."""
    longest_record: int = 1024
    """The count of numbers that hold the record of the whole game (`pokersvc.envs.tokens`).

    It should be enough for a game of the default number of rounds.
    """
    feature_names: tuple[str, ...] = ()
    """The name of each figure that ``features`` returns; empty if the game has none."""
    features: Callable[[ViewT], Sequence[int]] = no_features
    """Returns a few figures of what a seat sees in its view; all of them also follow from the seat's record.

    A figure has the same meaning at each seat, so seats are best counted from the viewer's own.
    """


class Learnable(Generic[StartT, ViewT, LegalT]):
    """The facet of a game that learning environments need (`pokersvc.envs`)."""

    kind: ClassVar[str]
    actions: ClassVar[tuple[type[Action], ...]]

    def in_numbers(self, started: StartT, given: Options) -> NumberedGame[ViewT, LegalT]:
        """Return a started game for learning programs; ``given`` are options for its list of choices.

        By default each type of action has a number, if no action has a field but its seat. Raise `NoActionList` for a
        game that has other actions and no list, `InvalidValue` for an option that the list does not have.
        """
        if wide := [action.__name__ for action in self.actions if len(fields(action)) > 1]:
            raise NoActionList(
                f"The game {self.kind!r} cannot be learned by numbers: its action {wide[0]} says more than the seat,"
                " so the game must define `in_numbers`."
            )
        check_no_options(self.kind, given)
        return NumberedGame(cast("ActionList[ViewT, LegalT]", ActionTypes(self.actions)))

    def in_arrays(self, started: StartT, given: Options, write: WriteEvent, *, tables: int, length: int) -> ManyTables:
        """Return ``tables`` tables, computed in arrays, whose games start like this one.

        ``given`` are the options of `in_numbers`, ``length`` is that of a record, and ``write`` returns an event as
        numbers. Raise `NotVectorised` if the game has no such form, as by default; `InvalidValue` for a wrong length.
        """
        raise NotVectorised(f"The game {self.kind!r} has no vectorised form.")


def check_no_options(kind: str, given: Options, known: Sequence[str] = ()) -> None:
    """Raise `InvalidValue` for an option of a list of actions that is not ``known``."""
    if unknown := set(given).difference(known):
        have = f"its options are {', '.join(known)}" if known else "it has none"
        raise InvalidValue(f"The list of actions of {kind!r} has no option {min(unknown)!r}; {have}.")
