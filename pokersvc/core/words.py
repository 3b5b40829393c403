"""A game in words: the texts that people are shown, and the reading of what they type."""

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
"""The answer to a person who asks for advice at a table that allows none."""


def not_understood(text: str) -> str:
    """Return a sentence that an answer is not understood or missing, to be followed by what can be typed.

    >>> not_understood("back"), not_understood(" ")
    ("I don't understand 'back'.", 'No answer was given.')
    """
    return f"I don't understand {shorten(text, 40)!r}." if text.strip() else "No answer was given."


def who_stayed(seats: Sequence[Seat], outcome: Outcome, say: Callable[[int], str]) -> str | None:
    """Return who stayed to the end and what each brought home, if somebody who left has as much; None otherwise.

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
    all_left = outcome.scores[others[-1] - 1] >= best  # otherwise unknown: those who stayed may have less
    first = f"{names} stayed to the end" if all_left else f"{names} did best of those who stayed,"
    return f"{first} with {say(best)}{each}; {listed(brought)}"


class HistoryWords(ABC):
    """The history of a game in words, from facts alone.

    A game's package may have it as ``HISTORY_WORDS`` in a module ``history_words``; a list of games then need not
    import the game.
    """

    @abstractmethod
    def title(self, facts: Facts) -> str:
        """Return the title of what is played: the game, its house or its size, from the facts of `Game.facts`."""

    @abstractmethod
    def line(self, entry: Entry) -> str:
        """Return one line of the history, such as ``Round 1 -- Player2 won 210``."""

    def details(self, entry: Entry) -> list[str]:
        """Return the details that `line` leaves out; by default none."""
        return []

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, such as ``Player2 wins with $1,980``; by default without the score."""
        names = [seats[seat - 1].name for seat in outcome.winners]
        return does(names[0], "wins") if len(names) == 1 else f"{' and '.join(names)} win"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the score of each seat, such as final balances, line by line; by default what it won or lost."""
        return [f"{seat.name} {score:+}" for seat, score in zip(seats, scores, strict=True)]

    def places(self, started: Facts, seats: int) -> tuple[int, ...] | None:
        """Return the seat numbers that people see, from a stored start; None if only the game can say."""
        return None

    def result_of(self, facts: Facts, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, in words that depend on what is played (`Game.facts`); by default as `result`."""
        return self.result(seats, outcome)

    def standings_of(self, facts: Facts, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return the scores, in words that depend on what is played (`Game.facts`); by default as `standings`."""
        return self.standings(seats, scores)


class Words(HistoryWords, Generic[StartT, StateT, ViewT, LegalT]):
    """The texts that a game shows to people and reads from them: plain text, no terminal codes.

    Each game has a subclass; methods that most games do not need have a default here.
    """

    heads_of_advice: ClassVar[int] = 0
    """The number of first lines of `advise` that are headings, which stay on top whatever the order of the others."""

    @abstractmethod
    def tell(self, event: Event, state: StateT) -> str:
        """Return a sentence about an event as redacted for the viewer; ``state`` is the state after it."""

    @abstractmethod
    def show(self, view: ViewT) -> list[str]:
        """Return the state of the game, line by line."""

    @abstractmethod
    def ask(self, view: ViewT, legal: LegalT) -> str:
        """Return the question to the person whose turn it is, with the possible answers."""

    def question(self, view: ViewT, legal: LegalT) -> str:
        """Return the question of `ask` without the advice that some games include, for those who may not be advised."""
        return self.ask(view, legal)

    def ask_briefly(self, view: ViewT, legal: LegalT, *, advised: bool) -> str:
        """Return the question for a drawn table, below which `shortcuts` say what may be typed; in most games as `ask`.

        A person who is not ``advised`` gets the question of `question`.
        """
        return self.ask(view, legal) if advised else self.question(view, legal)

    def explain(self, text: str, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return what a person asks to see before choosing, line by line; None, the default, if nothing is asked."""
        return None

    def advise(self, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return advice on a choice, line by line, the best first; None where there is none, as in most games."""
        return None

    def advise_within(self, columns: int, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return the advice of `advise` for a terminal with ``columns`` columns; in most games the same for all."""
        return self.advise(view, legal)

    def advises(self, view: ViewT, legal: LegalT) -> bool:
        """Return whether `advise` has advice on a choice, without computing it."""
        return type(self).advise is not Words.advise

    def takes_advice(self, text: str, legal: LegalT) -> bool:
        """Return whether a typed answer asks to see or to follow advice, which a table may forbid."""
        return False

    def before_round(self, view: ViewT, seat: int) -> list[str]:
        """Return warnings of what the next round does to a person without asking them; in most games none.

        ``view`` is everyone's, before the first round or between two.
        """
        return []

    def between_rounds(self, view: ViewT, seat: int) -> list[Shortcut]:
        """Return what a person may type between two rounds besides leaving, such as ``sit out``; in most games nothing.

        Each can be typed as it stands; variants stand beside it in brackets. ``view`` is everyone's.
        """
        return []

    def read_between(self, text: str, view: ViewT, seat: int) -> BetweenRounds | None:
        """Return the action between two rounds that a person typed; None if the text is not such an action."""
        return None

    def newcomers(self, view: ViewT, free: Sequence[int]) -> list[Shortcut]:
        """Return what a newcomer may type between two rounds; ``free`` are the seats that they may take.

        In most games nothing. ``view`` is everyone's.
        """
        return []

    def read_newcomer(self, text: str, view: ViewT, free: Sequence[int]) -> BetweenRounds | None:
        """Return the typed action by which a named newcomer joins the game; None if the text is not such an action."""
        return None

    def why_not_between(self, text: str, view: ViewT, seats: Sequence[int], free: Sequence[int]) -> str | None:
        """Return why a text typed between two rounds is understood but not carried out; None for any other text.

        ``seats`` are the seats of those who may have typed it, ``free`` those for newcomers; ``view`` is everyone's.
        """
        return None

    @abstractmethod
    def read(self, text: str, view: ViewT, legal: LegalT) -> Action:
        """Return the action that a typed answer names; `InvalidAnswer` says what can be typed."""

    def draw(self, view: ViewT, room: Room) -> list[Line]:
        """Return the drawn table, in lines that fit the room; most games draw their own.

        Words are never broken, and nothing is said by tone alone. The latest events and the question stand below the
        table.
        """
        lines: list[Line] = [(Piece(part),) for line in self.show(view) for part in wrap(line, room.columns) or [""]]
        return lines[: room.rows]

    def draw_picked(self, text: str, view: ViewT, legal: LegalT, room: Room) -> list[Line] | None:
        """Return the table with marks on everything that a text picks while it is typed, such as cards to discard.

        None for a text that picks nothing (yet), and in most games: then the table is drawn by `draw`.
        """
        return None

    def shortcuts(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return the short commands for this choice, the most common first; by default none."""
        return []

    def shortcuts_advised(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return `shortcuts` for those who may be advised; in some games, an example among them is then the advice."""
        return self.shortcuts(view, legal)

    def completions(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return the full commands for this choice, such as ``raise 40``, for a prompt that completes them."""
        return []

    def why_not(self, text: str, view: ViewT, legal: LegalT) -> str | None:
        """Return the rule that forbids now what a person typed; None for any other text."""
        return None

    def moment(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return reminders for this choice: the rules that matter now, and what ranks above what."""
        return []

    def about(self, view: ViewT) -> list[str]:
        """Return reminders for a time when nobody here has to choose: the rules, and what ranks above what."""
        return []

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return the net results of a line of the history: seats with what each won or lost; in most games none."""
        return []
