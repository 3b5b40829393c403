"""Input between two rounds: the texts that people at a client may type, and how an answer is read or refused."""

from collections.abc import Iterator

import pokersvc
from pokersvc import core
from pokersvc.core.actions import Leave
from pokersvc.core.drawing import Shortcut
from pokersvc.text import listed


class Between:
    """Reads what people at a client type between two rounds; if there are several, each input ends with a name."""

    def __init__(self, session: "pokersvc.Session", *, hosts: bool = False) -> None:
        """``hosts`` says whether the people at this client may change the stakes, if the game allows it."""
        self._session, self._words, self._hosts = session, session.game.words, hosts
        self._said: tuple[int, set[str]] = -1, set()
        """The number of the last round for which `lines` was called, and the lines that it has returned since."""

    def lines(self, round_number: int) -> list[str]:
        """Return a line per person with what they may type besides leaving; after each round, return each line once."""
        if self._said[0] != round_number:
            self._said = round_number, set()
        lines = [f"  {who} may type: {as_typed(typed)}" for who, typed in self._by_person() if typed]
        if stakes := self._stakes():
            lines.append(f"  The stakes change with: {as_typed(stakes)}")
        if answers := self._purchases():
            lines.append(f"  The host answers with: {as_typed(answers)}")
        new = [line for line in lines if line not in self._said[1]]
        self._said[1].update(new)
        return new

    def shortcuts(self) -> list[Shortcut]:
        """Return one input of each possible kind, for the first person at this client who may type it."""
        *people, (_, newcomers) = self._by_person()
        found: dict[tuple[str, ...], Shortcut] = {}
        for one in (one for _, typed in people for one in typed):
            found.setdefault(tuple([word for word in one.typed.split()[:3] if not word.isdecimal()]), one)
        return [*found.values(), *newcomers, *self._stakes(), *self._purchases()]

    def needed(self) -> tuple[str, list[Shortcut]] | None:
        """Return what the first person here who cannot play on lacks, and how to get it; None if everybody can.

        If several people are at this client, the inputs end with the person's name.
        """
        view, seats = self._view(), self._session.seats
        for seat in seats:
            if (needs := self._words.needs_between(view, seat)) is not None:
                said = f" {self._name(seat)}" if len(seats) > 1 else ""
                return needs[0], [Shortcut(f"{one.typed}{said}", one.does) for one in needs[1]]
        return None

    def completions(self) -> tuple[str, ...]:
        """Return all possible inputs of all people, in full."""
        return tuple([one.typed for _, typed in self._by_person() for one in typed])

    def leaving(self, seats: "tuple[int, ...]") -> list[str]:
        """Return the input by which the person at each of these seats leaves."""
        return ["leave"] if len(seats) == 1 else [f"leave {self._name(seat)}" for seat in seats]

    def read(self, answer: str, leaving: "tuple[int, ...]") -> "pokersvc.BetweenRounds | Leave | None":
        """Return the action that a person here, or a newcomer who gives a name, has typed; None for any other text."""
        view, seats = self._view(), self._session.seats
        if (comes := self._words.read_newcomer(answer, view, self._session.free_seats)) is not None:
            return comes
        if self._why_not(answer) is not None:
            return None
        named, said = self._named(answer)
        if named is None and len(seats) == 1:
            named = seats[0]
        if said.lower() == "leave":
            named = leaving[0] if named is None and len(leaving) == 1 else named
            return Leave(named) if named in leaving and named is not None else None
        return None if named is None else self._words.read_between(said, view, named)

    def stakes(self, answer: str) -> "tuple[core.setup.Options, int] | None":
        """Return the stakes that a host here has typed, and the host's seat; None for any other text.

        The seat is 0 if several people are here and none has ended the text with their name.
        """
        if not self._hosts:
            return None
        named, said = self._named(answer)
        given = self._words.read_stakes(said, self._view())
        seats = self._session.seats
        return None if given is None else (given, named or (seats[0] if len(seats) == 1 else 0))

    def purchase(self, answer: str) -> tuple[int, bool, int] | None:
        """Parse a host's answer to a purchase into the buyer's seat, whether it is admitted, and the host's seat.

        None for any other text. The host's seat is 0 if several people are here.
        """
        read = self._words.read_purchase(answer, self._view()) if self._hosts else None
        seats = self._session.seats
        return None if read is None else (*read, seats[0] if len(seats) == 1 else 0)

    def _purchases(self) -> list[Shortcut]:
        return self._words.purchases(self._view()) if self._hosts else []

    def _stakes(self) -> list[Shortcut]:
        return self._words.stakes(self._view()) if self._hosts else []

    def refusal(self, answer: str, leaving: "tuple[int, ...]", enter: str) -> str:
        """Return why an answer is refused; ``enter``, which may be empty, says what pressing Enter does."""
        if (why := self._why_not(answer) or self._why_nobody_leaves(answer, leaving)) is not None:
            return why
        typed = [*self.leaving(leaving)[:1], *(one.said for one in self.shortcuts())]
        said = f", or type {listed(typed, 'or')}" if typed else ""
        return f"{core.words.not_understood(answer)} You can: press Enter{enter}{said}."

    def _why_not(self, answer: str) -> str | None:
        return self._words.why_not_between(answer, self._view(), self._session.seats, self._session.free_seats)

    def _why_nobody_leaves(self, answer: str, leaving: "tuple[int, ...]") -> str | None:
        word, _, name = answer.partition(" ")
        if word.lower() != "leave":
            return None
        if not leaving:
            if any(map(self._session.state.playing, self._session.seats)):
                return "Nobody can leave now; press Enter for the next round."
            return "Nobody here is in the game, so nobody can leave it."
        names = [self._name(seat) for seat in leaving]
        if not name:
            return f"Say who leaves, such as `leave {names[0]}`."
        return (
            f"Nobody in the game is called {name.strip()!r} here; you can type {listed(self.leaving(leaving), 'or')}."
        )

    def _by_person(self) -> Iterator[tuple[str, list[Shortcut]]]:
        """Yield each person's name with what they may type besides leaving, and last, what a newcomer may type."""
        view, seats = self._view(), self._session.seats
        newcomers = self._words.newcomers(view, self._session.free_seats)
        for seat in seats:
            name = self._name(seat)
            said = f" {name}" if len(seats) > 1 or (newcomers and not self._session.state.playing(seat)) else ""
            yield name, [Shortcut(f"{one.typed}{said}", one.does) for one in self._words.between_rounds(view, seat)]
        yield "Somebody else", newcomers

    def _named(self, answer: str) -> tuple[int | None, str]:
        """Return the seat whose name ends a text, and the text before it."""
        for seat in self._session.seats:
            name = f" {self._name(seat).casefold()}"
            if answer.casefold().endswith(name):
                return seat, answer[: -len(name)].strip()
        return None, answer

    def _name(self, seat: int) -> str:
        return self._session.all_seats[seat - 1].name

    def _view(self) -> object:
        return self._session.state.view(pokersvc.EVERYONE)


def as_typed(shortcuts: list[Shortcut]) -> str:
    """Return possible inputs as one line.

    >>> as_typed([Shortcut("buy 60", "(1 to 60)"), Shortcut("sit out", "(dealt no hands)")])
    '`buy 60` (1 to 60), `sit out` (dealt no hands)'
    """
    return ", ".join(f"`{one.typed}` {one.does}" for one in shortcuts)
