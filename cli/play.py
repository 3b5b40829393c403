"""`pokersvc play` and `pokersvc resume`: games at a terminal, each choice recorded before it is shown as done."""

import sys
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from pokersvc.cli import database as databases
from pokersvc.cli.options import Kind, Limit, Rules, game_options
from pokersvc.cli.output import EXIT_CLOSED, Interrupted, close_output, wrapped
from pokersvc.cli.players import seat_named
from pokersvc.cli.screen import InputEnded, QuitAsked, Screen
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokersvc.core.actions import Action
    from pokersvc.core.event import Viewer
    from pokersvc.core.game import Game
    from pokersvc.core.seats import Seat
    from pokersvc.core.state import State
    from pokersvc.eventlog.database import Database
    from pokersvc.service import Recorded, Service

MOST_SEATS = 100
"""More than any game has; a game's own limit is told by the game."""
MOST_AUTO_ROUNDS = 10_000
"""Where programs play on by themselves without --rounds, they stop here."""


class Advisor(StrEnum):
    """How a table comes to its advice: that of programs that draw by it, and of people who ask for it."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


class Stopped(PokersvcError):
    """The game goes on another time: the sentence says how."""

    code = "stopped"


class OutputClosed(Stopped):
    """Nobody reads on, as behind ``| head``; the game that stops there can be gone on with."""

    exit_code = EXIT_CLOSED


def play(
    context: typer.Context,
    kind: Kind = "draw",
    rules: Rules = None,
    players: Annotated[int | None, typer.Option("--players", min=2, metavar="N", help="How many seats.")] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME=KIND",
            help="Who sits down: human, a program or FILE.py:CLASS. Repeatable.",
        ),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Only programs play.")] = False,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, metavar="N", help="End after N rounds.")] = None,
    advisor: Annotated[
        Advisor, typer.Option("--advisor", help="How the advice of programs and people is found.")
    ] = Advisor.EXACT,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="Deal what this text deals; for games to repeat.")
    ] = None,
    hide_kinds: Annotated[
        bool, typer.Option("--hide-kinds", help="Tell no player of which kind the others are.")
    ] = False,
    limit: Limit = 10.0,
) -> None:
    """Start a game: a person against programs, unless --auto.

    Example: pokersvc play --players 4 --player Ann=human --player Bob=human
    """
    from pokersvc.core.chance import EntropySource
    from pokersvc.core.registry import game_of
    from pokersvc.core.setup import Setup
    from pokersvc.eventlog.claim import claim
    from pokersvc.eventlog.log import EventLog
    from pokersvc.players import Programs
    from pokersvc.service import Service

    game = game_of(kind)
    options = game.options(game_options(context) | ({} if rules is None else {"rules": rules}))
    seats = game.seated(seats_of(game, options, players, player or [], auto=auto), options)
    seats = advised_by(advisor, game, seats)
    source = EntropySource.fresh() if seed is None else EntropySource.from_text(seed)
    setup = Setup(seats, source, rounds, options, hide_kinds)
    game.start(setup)  # what will not do is said before a database is made
    game_id = str(uuid4())
    with Programs(limit) as programs:
        programs.check(game, seats)
        with databases.writing(context) as database, claim(database, game_id):
            service = Service(EventLog(database), programs=programs)
            _, first = service.start(kind, setup, viewer=viewer_for(seats), game_id=game_id)
            program = databases.program(context, database)
            _Play(database, service, game_id, program, None if rounds else MOST_AUTO_ROUNDS).run(first)


def resume(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="An id, the beginning of one, or `last`.")],
    limit: Limit = 10.0,
) -> None:
    """Go on with a game that is not over."""
    from pokersvc.eventlog.claim import claim
    from pokersvc.eventlog.log import EventLog
    from pokersvc.players import Programs
    from pokersvc.service import Service

    with databases.reading(context, any_revision=True, warn=False) as database:
        database.refuse_losses()  # before a game that is lost is said not to be there
        game_id = EventLog(database).find(game)
        if Service(EventLog(database)).status(game_id).outcome is not None:
            program = databases.program(context, database)  # a game that is over changes no file
            raise Stopped(f"Game {game_id} is over; see it with `{program} history {game_id[:8]}`.")
    with databases.writing(context) as database:
        log = EventLog(database)
        with claim(database, game_id), Programs(limit) as programs:
            service, program = Service(log, programs=programs), databases.program(context, database)
            _Play(database, service, game_id, program, MOST_AUTO_ROUNDS).run()


def seats_of(
    game: "Game", options: Any, count: int | None, named: "Sequence[str]", *, auto: bool
) -> "tuple[Seat, ...]":
    """Return who sits where: those named first, then a person unless there is one, then the house's programs.

    Where nobody says how many, two or more who are named are all, and one is joined by as many as the house seats.
    """
    from pokersvc.core.seats import HUMAN, Seat

    seats = list(map(seat_named, named))
    if auto and (person := next((seat for seat in seats if seat.kind == HUMAN), None)):
        raise InvalidValue(f"With --auto only programs play, and {person.name} is a person; leave one of them out.")
    if count is None:
        count = len(seats) if len(seats) > 1 else game.default_seats(options)
    if len(seats) > count:
        raise InvalidValue(f"{len(seats)} players are named for {count} seats; give --players {len(seats)} or more.")
    if count > MOST_SEATS:
        raise InvalidValue(f"{count} players are more than any game seats; give --players {MOST_SEATS} or fewer.")
    taken = {seat.name.casefold() for seat in seats}
    while len(seats) < count:
        number = len(seats) + 1
        while f"player{number}" in taken:
            number += 1
        taken.add(f"player{number}")
        person_wanted = not auto and all(seat.kind != HUMAN for seat in seats)
        seats.append(Seat(HUMAN if person_wanted else game.default_kind(options), f"Player{number}"))
    return tuple(seats)


def advised_by(advisor: Advisor, game: "Game", seats: "tuple[Seat, ...]") -> "tuple[Seat, ...]":
    """Return the seats with programs that are advised so; their kinds say it, so that a resumed game goes on so.

    People are advised as the programs at their table are.
    """
    if advisor is Advisor.EXACT:
        return seats
    advised = tuple(
        replace(seat, kind=kind) if (kind := f"{seat.kind}/{advisor}") in game.players else seat for seat in seats
    )
    if advised == seats:
        raise InvalidValue(
            f"--advisor {advisor} changes nothing: no program at this table draws by advice,"
            " and people are advised as programs are."
        )
    return advised


def people_of(seats: "Sequence[Seat]") -> list[int]:
    """Return the seats of people."""
    from pokersvc.core.seats import HUMAN

    return [number for number, seat in enumerate(seats, 1) if seat.kind == HUMAN]


def viewer_for(seats: "Sequence[Seat]") -> "Viewer":
    """Return who looks at this terminal: the one person who plays here; everyone, where several do or nobody does."""
    from pokersvc.core.event import EVERYONE

    people = people_of(seats)
    return people[0] if len(people) == 1 else EVERYONE


class _Play:
    """A game being played at this terminal."""

    def __init__(
        self, database: "Database", service: "Service", game_id: str, program: str, most_alone: int | None
    ) -> None:
        from pokersvc.core.registry import game_of

        self.database, self.service, self.game_id = database, service, game_id
        self.program, self.most_alone = program, most_alone
        status = service.status(game_id)
        self.game, self.seats = game_of(status.kind), status.seats
        self.words = self.game.words
        self.people, self.viewer = people_of(self.seats), viewer_for(self.seats)
        self.screen = Screen(shared=len(self.people) > 1 and self.game.hides)
        self.told: State | None = None
        """The game as this terminal has told it: it knows what everybody in front of it may know."""
        self.count = 0
        """How many of its events were told; a command is refused where somebody else has recorded more."""
        self.rounds_alone = 0
        """Rounds that were played since a person last had a say."""

    @property
    def state(self) -> "State":
        assert self.told is not None  # from the first event on, which `run` tells first
        return self.told

    @property
    def how_to_resume(self) -> str:
        return f"{self.program} resume {self.game_id[:8]}"

    def run(self, first: "list[Recorded] | None" = None) -> None:
        """Play until the game is over or nobody goes on; ``first`` are the events of a game just started."""
        try:
            self.screen.say(f"Game {self.game_id}", f"Go on with it at any time: {self.how_to_resume}")
            if first is None:
                self._catch_up()
            else:
                self.screen.say("")
                self._tell(first)
            while self.state.outcome is None and self.rounds_alone != self.most_alone:
                self._turn()
            self._show_end()
        except QuitAsked:
            self.screen.say("", f"The game is kept; go on with it: {self.how_to_resume}")
        except InputEnded:
            raise Stopped(f"The input ended before the game did; go on with it: {self.how_to_resume}") from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted; {self._kept('the game')}") from None
        except BrokenPipeError:
            close_output()
            if self._over():
                raise
            raise OutputClosed(self._kept("The game")) from None
        except OSError as error:
            close_output()
            raise Stopped(f"Nothing more can be printed ({error.strerror}); {self._kept('the game')}") from error
        except PokersvcError as error:
            raise Stopped(f"{str(error).rstrip('.')}; {self._kept('the game so far')}") from error
        finally:
            self.screen.hide()

    def _kept(self, what: str) -> str:
        """Return that the game is kept, and how to go on with it unless it is over."""
        if self._over():
            return f"{what} is over and kept."
        return f"{what} is kept, go on with it: {self.how_to_resume}"

    def _over(self) -> bool:
        with suppress(PokersvcError):  # a database that cannot be read has been told of already
            return self.service.status(self.game_id).outcome is not None
        return False

    def _catch_up(self) -> None:
        for step in self.service.replay(self.game_id, self.viewer):
            self.told, self.count = step.state, step.record.seq
        if not self._people_alone():  # a person is shown more before the question
            self.screen.say("", *self.words.show(self.state.view(self.viewer)))

    def _tell(self, recorded: "list[Recorded]") -> None:
        """Tell what was just recorded, each event from the state that it made."""
        from pokersvc.core.event import Audience, secret_fields

        alone = self._alone()
        for record, event in recorded:
            self.count = record.seq
            if self.told is None:
                self.told = self.game.new(event)
            else:
                self.told.apply(event)
            entry = self.told.entry(event, self.viewer)
            if entry is not None and entry.again:  # the history that is shown at the end has it
                continue
            ended = entry is not None
            if alone:
                self.rounds_alone += ended
                if self.people and ended:
                    self.screen.say(self.words.tell(event, self.told))
                continue
            self.screen.say(wrapped(self.words.tell(event, self.told), "  "), *[""] * ended)
            if record.seq == 1:
                self._say_before_round()
            if Audience.DEALER in secret_fields(type(event)).values() and record.seq > 1:
                # Whoever notes this holds the dealer to the deck: its seed is in the hash.
                self.screen.say(f"  head {record.hash.hex()}")

    def _alone(self) -> bool:
        """Tell whether only programs went on after what was told: nobody plays, or every person was out by then."""
        told = self.told
        return not self.people or (told is not None and not any(map(told.playing, self.people)))

    def _turn(self) -> None:
        if not (awaited := self.state.awaited):
            self._between_rounds()
        elif self._people_alone():
            self._person(awaited[0])
        else:
            self._programs()

    def _people_alone(self) -> bool:
        """Tell whether people must choose, and no program has to choose before they are asked."""
        awaited = self.state.awaited
        return bool(awaited) and set(awaited).issubset(self.people)

    def _programs(self) -> None:
        if self.people:
            self._tell(self.service.step(self.game_id, viewer=self.viewer, expected=self.count))
            return
        self._tell(self.service.play_round(self.game_id, viewer=self.viewer, expected=self.count))
        if sys.stderr.isatty():
            print(f"\rRound {self.rounds_alone}", end="\r", file=sys.stderr, flush=True)

    def _person(self, seat: int) -> None:
        from pokersvc.core.actions import IllegalAction
        from pokersvc.core.words import InvalidAnswer

        turn = self.service.turn(self.game_id, seat)
        view, legal = turn.view, turn.legal
        self.screen.turn_to(self.seats[seat - 1].name)
        self.screen.say_privately(*[""] * (not self.screen.apart), *self.words.show(view))
        while True:
            answer = self.screen.ask(self.words.ask(view, legal))
            if (explained := self.words.explain(answer, view, legal)) is not None:
                self.screen.say_privately(*explained)
                continue
            try:
                recorded = self._act(self.words.read(answer, view, legal))
            except (IllegalAction, InvalidAnswer) as error:
                self.screen.say_privately(str(error))
            else:
                break
        self.screen.hide()
        self._tell(recorded)

    def _act(self, action: "Action") -> "list[Recorded]":
        return self.service.act(self.game_id, action, viewer=self.viewer, expected=self.count)

    def _between_rounds(self) -> None:
        """Ask who leaves for good, then let the dealer go on."""
        from pokersvc.core.actions import Leave

        self._say_before_round()
        leaving = self._may_leave()
        example = "leave" if len(leaving) == 1 else "leave NAME"
        while True:
            answer = self.screen.ask(f"Enter for the next round, or `{example}` for good")
            word, _, name = answer.partition(" ")
            if not answer:
                self._tell(self.service.go_on(self.game_id, viewer=self.viewer, expected=self.count))
                return
            seat = leaving.get(name.strip()) if name or len(leaving) > 1 else next(iter(leaving.values()))
            if word.lower() == "leave" and seat is not None:
                self._tell(self._act(Leave(seat)))
                return
            who = "" if len(leaving) == 1 else f"; who may leave: {', '.join(leaving)}"
            self.screen.say(f"{answer!r} is no answer here; press Enter or say {example}{who}.")

    def _say_before_round(self) -> None:
        """Tell people what they will not be asked about in the round to come."""
        from pokersvc.core.event import EVERYONE

        assert self.told is not None
        view = self.told.view(EVERYONE)
        playing = filter(self.told.playing, self.people)
        if lines := [wrapped(line, "  ") for seat in playing for line in self.words.before_round(view, seat)]:
            self.screen.say(*lines)

    def _may_leave(self) -> "dict[str, int]":
        from pokersvc.core.actions import IllegalAction, Leave

        found = {}
        for seat in self.people:
            with suppress(IllegalAction):
                self.state.decide(Leave(seat))
                found[self.seats[seat - 1].name] = seat
        return found

    def _show_end(self) -> None:
        from pokersvc.cli.reading import history_lines
        from pokersvc.service import history

        summary = history.summary(self.database, self.game_id)
        gap = [""] if self.people else []
        told = history_lines(self.database, summary, self.viewer, hands=True)
        self.screen.say(*gap, *(wrapped(line, "  ") for line in told), "")
        if summary.result is None:
            self.screen.say(f"Stopped after {counted(self.rounds_alone, 'round')}; go on with it: {self.how_to_resume}")
        else:
            self.screen.say(f"{summary.result}; see how: {self.program} replay {self.game_id[:8]}")
