"""A game in words: writes the texts shown to people, and parses the texts that people type."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import shorten, wrap
from typing import ClassVar, Final, Generic

from pokersvc.core.actions import Action, BetweenRounds
from pokersvc.core.drawing import Line, Piece, Room, Shortcut
from pokersvc.core.event import Event
from pokersvc.core.seats import OPEN, Seat
from pokersvc.core.setup import Options
from pokersvc.core.state import Entry, Facts, Outcome, StateT
from pokersvc.core.typevars import LegalT, StartT, ViewT
from pokersvc.errors import InvalidValue
from pokersvc.text import does, listed


class InvalidAnswer(InvalidValue):
    """A typed answer that names no action."""

    code = "invalid_answer"


@dataclass(frozen=True, slots=True)
class InAdvance:
    """A choice that a person has made before their turn; only `Words` of the same game understand it."""

    kind: str
    said: str
    """The choice in words, such as ``call 20``."""
    when: tuple[object, ...]
    """The conditions under which it holds, such as the betting round and its price."""


NOT_ADVISED: Final = "At this table nobody is advised; name what you choose."
"""The answer to a person who asks for advice at a table that allows none."""


def not_understood(text: str) -> str:
    """Return a sentence saying that an answer is missing or not understood; the possible answers should follow it.

    >>> not_understood("back"), not_understood(" ")
    ("I don't understand 'back'.", 'No answer was given.')
    """
    return f"I don't understand {shorten(text, 40)!r}." if text.strip() else "No answer was given."


def who_stayed(seats: Sequence[Seat], outcome: Outcome, say: Callable[[int], str]) -> str | None:
    """Return a sentence on who did best among those who stayed, and who left with at least as much; None if none did.

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
    all_left = outcome.scores[others[-1] - 1] >= best  # otherwise somebody who stayed may have less
    first = f"{names} stayed to the end" if all_left else f"{names} did best of those who stayed,"
    return f"{first} with {say(best)}{each}; {listed(brought)}"


class HistoryWords(ABC):
    """Puts the history of a game into words, using only stored facts.

    A game's package may have it as ``HISTORY_WORDS`` in a module ``history_words``; a list of games then need not
    import the game.
    """

    best_name: ClassVar[str] = "Best rounds"
    """The heading above the lines of history with the largest `worth`."""

    @abstractmethod
    def title(self, facts: Facts) -> str:
        """Return a title for the game, with its house or size, from its `Game.facts`."""

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
        """Return one line per seat with its score, such as its final balance; by default the amount won or lost."""
        return [f"{seat.name} {score:+}" for seat, score in zip(seats, scores, strict=True)]

    def places(self, started: Facts, seats: int) -> tuple[int, ...] | None:
        """Return the seat numbers that people see, from the stored start event; None if only the game can tell."""
        return None

    def result_of(self, facts: Facts, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        """Return who won, in the wording that fits the game's facts; by default what `result` returns."""
        return self.result(seats, outcome)

    def standings_of(self, facts: Facts, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        """Return one line per seat with its score, in the wording that fits the game's facts; see `standings`."""
        return self.standings(seats, scores)

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return (seat, amount won or lost) for a line of the history; in most games empty."""
        return []

    def worth(self, entry: Entry) -> tuple[int, tuple[str, ...]] | None:
        """Return the amount won at once in a line of history, and who won it; None for no amount, as in most games."""
        return None

    def left_over(self, entry: Entry) -> int:
        """Return the amount that a line of the history, if it is the last, leaves for the winner; in most games 0."""
        return 0


class Words(HistoryWords, Generic[StartT, StateT, ViewT, LegalT]):
    """The texts that a game shows to people and reads from them: plain text, no terminal codes.

    Each game has a subclass; methods that most games do not need have a default here.
    """

    heads_of_advice: ClassVar[int] = 0
    """How many lines at the beginning of `advise` are headings, which stay on top if the other lines are reordered."""

    def terms(self, options: Options) -> list[str]:
        """Return the terms of a game with these options, in phrases such as ``ante 5``; by default none.

        ``options`` are as `Seating.options` returns them.
        """
        return []

    def short_title(self, options: Options) -> str | None:
        """Return a title for a table without a name, such as ``Kalah(6, 4)``; if None, it is the game's kind."""
        return None

    @abstractmethod
    def tell(self, event: Event, state: StateT) -> str:
        """Return an event, already redacted for the viewer, as a sentence; ``state`` is the state after the event."""

    @abstractmethod
    def show(self, view: ViewT) -> list[str]:
        """Return the state of the game, line by line."""

    @abstractmethod
    def ask(self, view: ViewT, legal: LegalT) -> str:
        """Return the question to the person whose turn it is, with the possible answers."""

    def question(self, view: ViewT, legal: LegalT) -> str:
        """Return the question of `ask` without any advice in it, for people who may not be advised."""
        return self.ask(view, legal)

    def ask_briefly(self, view: ViewT, legal: LegalT, *, advised: bool) -> str:
        """Return a short question to stand below a drawn table, where `shortcuts` list the answers; by default `ask`'s.

        A person who may not be ``advised`` gets `question` instead.
        """
        return self.ask(view, legal) if advised else self.question(view, legal)

    def explain(self, text: str, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return the lines that answer a person's request for information; None if the text is not a request."""
        return None

    def advise(self, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return advice on a choice in lines, the best choice first; None if there is no advice, as in most games."""
        return None

    def advise_within(self, columns: int, view: ViewT, legal: LegalT) -> list[str] | None:
        """Return the advice of `advise` for a terminal of this width; in most games the width does not matter."""
        return self.advise(view, legal)

    def advises(self, view: ViewT, legal: LegalT) -> bool:
        """Return whether `advise` has advice on a choice, without computing it."""
        return type(self).advise is not Words.advise

    def takes_advice(self, text: str, legal: LegalT) -> bool:
        """Return whether a typed answer asks to see or to follow advice, which a table may forbid."""
        return False

    def before_round(self, view: ViewT, seat: int) -> list[str]:
        """Return warnings of what the next round will do to a person without asking; in most games none.

        ``view`` is everyone's, before the first round or between two.
        """
        return []

    def between_rounds(self, view: ViewT, seat: int) -> list[Shortcut]:
        """Return the commands that a person may type between two rounds, besides leaving; in most games none.

        One is ``sit out``. Each can be typed as shown; variants are beside it in brackets. ``view`` is everyone's.
        """
        return []

    def needs_between(self, view: ViewT, seat: int) -> tuple[str, list[Shortcut]] | None:
        """Return what a person lacks, such as ``You have no chips``, and the commands to get it; None if nothing.

        These commands are offered first between two rounds.
        """
        return None

    def read_between(self, text: str, view: ViewT, seat: int) -> BetweenRounds | None:
        """Parse what a person typed between two rounds; return None for any other text."""
        return None

    def in_advance(self, state: StateT, seat: int) -> list[Shortcut]:
        """Return the choices that a person may make before their turn, while others choose; in most games none."""
        return []

    def read_in_advance(self, text: str, state: StateT, seat: int) -> InAdvance | None:
        """Parse a choice in advance as `in_advance` offers it; return None for any other text."""
        return None

    def dropped(self, choice: InAdvance, state: StateT, seat: int) -> str | None:
        """Return why a choice in advance is no longer valid ("" if its time is over); None if it is still valid."""
        return ""

    def act_in_advance(self, choice: InAdvance, state: StateT, seat: int, legal: LegalT) -> Action | None:
        """Return the action that a choice in advance means now, at the person's turn; None if it is not possible."""
        return None

    def next_level(self, view: ViewT) -> str:
        """Return what the next level brings, such as "10/20", if levels end by time; "" in most games."""
        return ""

    def stakes(self, view: ViewT) -> list[Shortcut]:
        """Return the texts that a host may type between two rounds to change the stakes; in most games none."""
        return []

    def read_stakes(self, text: str, view: ViewT) -> Options | None:
        """Parse stakes that a host has typed between two rounds; return None for any other text."""
        return None

    def purchases(self, view: ViewT) -> list[Shortcut]:
        """Return the texts with which a host may answer requests to buy chips; in most games none."""
        return []

    def read_purchase(self, text: str, view: ViewT) -> tuple[int, bool] | None:
        """Parse a host's answer to a purchase: the buyer's seat, and whether the host agrees; None for other texts."""
        return None

    def newcomers(self, view: ViewT, free: Sequence[int]) -> list[Shortcut]:
        """Return the commands that a newcomer may type between two rounds; ``free`` are the seats that they may take.

        In most games none. ``view`` is everyone's.
        """
        return []

    def read_newcomer(self, text: str, view: ViewT, free: Sequence[int]) -> BetweenRounds | None:
        """Parse the text with which a named newcomer joins the game; return None for any other text."""
        return None

    def why_not_between(self, text: str, view: ViewT, seats: Sequence[int], free: Sequence[int]) -> str | None:
        """Return why a text typed between two rounds is understood but cannot be done; None for any other text.

        ``seats`` are the seats of those who may have typed it, ``free`` those for newcomers; ``view`` is everyone's.
        """
        return None

    @abstractmethod
    def read(self, text: str, view: ViewT, legal: LegalT) -> Action:
        """Return the action that a typed answer names; if none, raise `InvalidAnswer`, which says what to type."""

    def draw(self, view: ViewT, room: Room) -> list[Line]:
        """Return the drawn table, in lines that fit the room; most games draw their own.

        Words are never broken, and nothing is said by tone alone. The latest events and the question stand below the
        table.
        """
        lines: list[Line] = [(Piece(part),) for line in self.show(view) for part in wrap(line, room.columns) or [""]]
        return lines[: room.rows]

    def draw_picked(self, text: str, view: ViewT, legal: LegalT, room: Room) -> list[Line] | None:
        """Draw the table with marks on everything that a half-typed text selects.

        None for a text that selects nothing (yet), and in most games: then the table is drawn by `draw`.
        """
        return None

    def shortcuts(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return the short commands for this choice, the most common first; by default none."""
        return []

    def shortcuts_advised(self, view: ViewT, legal: LegalT) -> list[Shortcut]:
        """Return `shortcuts` for people who may be advised; some games then use the advised choice as an example."""
        return self.shortcuts(view, legal)

    def completions(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return the full commands for this choice, such as ``raise 40``, for a prompt that completes them."""
        return []

    def why_not(self, text: str, view: ViewT, legal: LegalT) -> str | None:
        """Return the rule that forbids the typed action now; None for any other text."""
        return None

    def moment(self, view: ViewT, legal: LegalT) -> list[str]:
        """Return reminders for this choice: the rules that matter now, and the ranking, if the game has one."""
        return []

    def about(self, view: ViewT) -> list[str]:
        """Return reminders for times when nobody here must choose: the rules, and the ranking, if the game has one."""
        return []
