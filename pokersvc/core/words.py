"""A game in words: what people are shown, and how what they type is read."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from textwrap import shorten, wrap
from typing import ClassVar, Final, Generic

from pokersvc.core.actions import Action, BetweenRounds
from pokersvc.core.drawing import Line, Piece, Room, Shortcut
from pokersvc.core.event import Event
from pokersvc.core.seats import OPEN, Seat
from pokersvc.core.state import Entry, Facts, Outcome, StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.errors import InvalidValue
from pokersvc.text import does, listed


class InvalidAnswer(InvalidValue):
    """A typed answer that names no action."""

    code = "invalid_answer"


NOT_ADVISED: Final = "At this table nobody is advised; name what you choose."
"""What is said to who asks for advice where the table allows none."""


def not_understood(text: str) -> str:
    """Return that an answer is not understood, or missing; what can be typed is to follow.

    >>> not_understood("back"), not_understood(" ")
    ("I don't understand 'back'.", 'No answer was given.')
    """
    return f"I don't understand {shorten(text, 40)!r}." if text.strip() else "No answer was given."


def who_stayed(seats: Sequence[Seat], outcome: Outcome, say: Callable[[int], str]) -> str | None:
    """Return who stayed to the end, where somebody who left has as much, and what each brought home; else None.

    >>> ann_and_bob = Seat("human", "Ann"), Seat("human", "Bob")
    >>> who_stayed(ann_and_bob, Outcome.won_by((2,), (1137, 863)), "${:,}".format)
    'Bob stayed to the end with $863; Ann brought home $1,137'
    """
    best = max(outcome.scores[seat - 1] for seat in outcome.winners)
    held = {seat for seat, who in enumerate(seats, 1) if who.kind != OPEN}
    others = sorted(held - {*outcome.winners}, key=lambda seat: -outcome.scores[seat - 1])
    if not others or outcome.scores[others[0] - 1] < best:
        return None
    each = " each" if len(outcome.winners) > 1 else ""
    names = listed([seats[seat - 1].name for seat in outcome.winners])
    verb, brought = " brought home", []
    for seat in others:
        brought.append(f"{seats[seat - 1].name}{verb} {say(outcome.scores[seat - 1])}")
        verb = ""
    all_left = outcome.scores[others[-1] - 1] >= best  # else it is not known: who stayed may have less
    first = f"{names} stayed to the end" if all_left else f"{names} did best of those who stayed,"
    return f"{first} with {say(best)}{each}; {listed(brought)}"


class HistoryWords(ABC):
    """The history of a game in words, from facts alone.

    A game's package may have it as ``HISTORY_WORDS`` in a module ``history_words``; a list of games then needs no game.
    """

    @abstractmethod
    def title(self, facts: Facts) -> str:
        """Return what is played: the game, its house or its size, as `Game.facts` says it."""

    @abstractmethod
    def line(self, entry: Entry) -> str:
        """Return one line of the history, such as ``Round 1 -- Player2 won 210``."""

    def details(self, entry: Entry) -> list[str]:
        """Return what `line` leaves out; by default nothing."""
        return []

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, such as ``Player2 wins with $1,980``; by default without the score."""
        names = [seats[seat - 1].name for seat in outcome.winners]
        return does(names[0], "wins") if len(names) == 1 else f"{' and '.join(names)} win"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the score of each seat, such as final balances, line by line; by default what it won or lost."""
        return [f"{seat.name} {score:+}" for seat, score in zip(seats, scores, strict=True)]

    def places(self, started: Facts, seats: int) -> tuple[int, ...] | None:
        """Return the numbers by which people know the seats, from a stored start; None if the game must say."""
        return None

    def result_of(self, facts: Facts, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, where what is played (`Game.facts`) changes how that is said; else as `result`."""
        return self.result(seats, outcome)

    def standings_of(self, facts: Facts, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the scores, where what is played (`Game.facts`) changes how they are said; else as `standings`."""
        return self.standings(seats, scores)


class Words(HistoryWords, Generic[StartT, StateT, ViewT, LegalT]):
    """What a game shows to people and reads from them: plain text, no terminal codes.

    A game's words are a subclass; what most games do not need has a default here.
    """

    heads_of_advice: ClassVar[int] = 0
    """How many of the first lines of `advise` are headings, which stand above the others in any order."""

    @abstractmethod
    def tell(self, event: Event, state: StateT) -> str:
        """Return an event, as redacted for the viewer, in a sentence; ``state`` is the one after it."""

    @abstractmethod
    def show(self, view: ViewT) -> list[str]:
        """Return where the game stands, line by line."""

    @abstractmethod
    def ask(self, view: ViewT, legal: LegalT) -> str:
        """Return the question to the person whose turn it is, with the possible answers."""

    def question(self, view: ViewT, legal: LegalT) -> str:
        """Return what `ask` asks without the advice that some games give with it, for who may not be advised."""
        return self.ask(view, legal)

    def ask_briefly(self, view: ViewT, legal: LegalT, *, advised: bool) -> str:
        """Return the question for a drawn table, below which `shortcuts` say what may be typed; in most games as `ask`.

        Who is not ``advised`` is asked as in `question`.
        """
        return self.ask(view, legal) if advised else self.question(view, legal)

    def explain(self, text: str, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return what a person asks to see before choosing, line by line; None, as by default, if nothing is asked."""
        return None

    def advise(self, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return advice on a choice, line by line, the best first; None where there is none, as in most games."""
        return None

    def advise_within(self, columns: int, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return the advice of `advise` for a terminal with so many columns; most games have one for all."""
        return self.advise(view, legal)

    def advises(self, view: ViewT, legal: LegalT) -> bool:
        """Tell whether `advise` has advice on a choice, without thinking about it."""
        return type(self).advise is not Words.advise

    def takes_advice(self, text: str, legal: LegalT) -> bool:
        """Tell whether a typed answer asks for advice, to see it or to follow it: not for who may not be advised."""
        return False

    def before_round(self, view: ViewT, seat: int) -> list[str]:
        """Return what a person must know before the next round because they will not be asked: nothing in most games.

        ``view`` is everyone's, before the first round or between two.
        """
        return []

    def between_rounds(self, view: ViewT, seat: int) -> list[Shortcut]:
        """Return what a person may type between two rounds beside to leave, such as ``sit out``; in most games nothing.

        Each can be typed as it stands; what else is possible stands beside it in brackets. ``view`` is everyone's.
        """
        return []

    def read_between(self, text: str, view: ViewT, seat: int) -> BetweenRounds | None:
        """Return what a person does between two rounds, as they typed it; None for a text of no such kind."""
        return None

    def newcomers(self, view: ViewT, free: Sequence[int]) -> list[Shortcut]:
        """Return what somebody may type between two rounds who is not in the game; ``free`` are the seats for them.

        In most games nothing. ``view`` is everyone's.
        """
        return []

    def read_newcomer(self, text: str, view: ViewT, free: Sequence[int]) -> BetweenRounds | None:
        """Return how somebody comes into the game who says their name; None for a text of no such kind."""
        return None

    def why_not_between(self, text: str, view: ViewT, seats: Sequence[int], free: Sequence[int]) -> str | None:
        """Return why what was typed between two rounds is not done although it is understood; None for any other text.

        ``seats`` are of those who may have typed it, ``free`` those for somebody else; ``view`` is everyone's.
        """
        return None

    @abstractmethod
    def read(self, text: str, view: ViewT, legal: LegalT) -> Action:
        """Return the action that a typed answer names; `InvalidAnswer` says what can be typed."""

    def draw(self, view: ViewT, room: Room) -> list[Line]:
        """Return the table as it is drawn, in at most so many lines that fit the room; most games draw their own.

        Words are never broken, and nothing is said by tone alone. Below it stand what just happened and the question.
        """
        lines: list[Line] = [(Piece(part),) for line in self.show(view) for part in wrap(line, room.columns) or [""]]
        return lines[: room.rows]

    def draw_picked(self, text: str, view: ViewT, legal: LegalT, room: Room) -> list[Line] | None:
        """Return the table with what a text picks on it while it is typed, such as what is to be thrown away.

        None for a text that picks nothing (yet), and in most games: then the table is as `draw` says.
        """
        return None

    def shortcuts(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return the short commands of this choice, the most usual first; in a game without any, none."""
        return []

    def shortcuts_advised(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return `shortcuts` for who is advised; in some games, an example among them then is the advice."""
        return self.shortcuts(view, legal)

    def completions(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return what may be typed for this choice in full, such as ``raise 40``, for a prompt that completes it."""
        return []

    def why_not(self, text: str, view: ViewT, legal: LegalT) -> str | None:
        """Return why a person may not do now what they typed, by the rule that forbids it; None for any other text."""
        return None

    def moment(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return what a person should know for this choice: the rules that matter now, and what ranks above what."""
        return []

    def about(self, view: ViewT) -> list[str]:
        """Return what a person should know while nobody has to choose here: the rules, and what ranks above what."""
        return []

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return what a line of the history brought, net: seats with what each won or lost; in most games nothing."""
        return []
