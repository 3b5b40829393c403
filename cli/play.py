"""`pokersvc play` and `pokersvc resume`: games at a terminal, each choice recorded before it is shown as done."""

import sys
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from cli import database as databases
from cli.options import Kind, Limit, Rules, game_options
from cli.output import Interrupted, close_output, wrapped
from cli.players import seat_named
from cli.screen import InputEnded, QuitAsked, Screen
from pokersvc.errors import InvalidValue, PokersvcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokersvc.eventlog.database import Database
    from pokersvc.games.event import Viewer
    from pokersvc.games.game import Game, Seat, State
    from pokersvc.service import Recorded, Service, Table

MOST_SEATS = 100
"""More than any game has; a game's own limit is told by the game."""
MOST_AUTO_ROUNDS = 10_000
"""Where programs play on by themselves without --rounds, they stop here."""


class Advisor(StrEnum):
    """How a program that draws by advice comes to it."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


class Stopped(PokersvcError):
    """The game goes on another time: the sentence says how."""

    code = "stopped"


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
        Advisor, typer.Option("--advisor", help="How programs that draw by advice find it.")
    ] = Advisor.EXACT,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="Deal what this text deals; for games to repeat.")
    ] = None,
    limit: Limit = 10.0,
) -> None:
    """Start a game: a person against programs, unless --auto.

    Example: pokersvc play --players 4 --player Ann=human --player Bob=human
    """
    from pokersvc.eventlog.claim import claim
    from pokersvc.eventlog.log import EventLog
    from pokersvc.games.entropy import EntropySource
    from pokersvc.games.game import Setup, game_of
    from pokersvc.players import Programs
    from pokersvc.service import Service

    game = game_of(kind)
    options = game.options(game_options(context) | ({} if rules is None else {"rules": rules}))
    seats = game.seated(seats_of(game, options, players, player or [], auto=auto), options)
    seats = advised_by(advisor, game, seats)
    source = EntropySource.fresh() if seed is None else EntropySource.from_text(seed)
    setup = Setup(seats, source, rounds, options)
    game.start(setup)  # what will not do is said before a database is made
    game_id = str(uuid4())
    with Programs(limit) as programs:
        programs.check(game, seats)
        with databases.writing(context) as database, claim(database, game_id):
            service = Service(EventLog(database), programs=programs)
            _, first = service.start(kind, setup, game_id=game_id)
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

    with databases.reading(context, any_revision=True) as database:  # a game that is over changes no file
        game_id = EventLog(database).find(game)
        if Service(EventLog(database)).table(game_id).state.outcome is not None:
            program = databases.program(context, database)
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
    from pokersvc.games.game import HUMAN, Seat

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
    """Return the seats with programs that are advised so; their kinds say it, so that a resumed game goes on so."""
    if advisor is Advisor.EXACT:
        return seats
    advised = tuple(
        replace(seat, kind=kind) if (kind := f"{seat.kind}/{advisor}") in game.players else seat for seat in seats
    )
    if advised == seats:
        raise InvalidValue(f"--advisor {advisor} changes nothing: no program at this table draws by advice.")
    return advised


class _Play:
    """A game being played at this terminal."""

    def __init__(
        self, database: "Database", service: "Service", game_id: str, program: str, most_alone: int | None
    ) -> None:
        from pokersvc.games.event import EVERYONE
        from pokersvc.games.game import HUMAN

        self.database, self.service, self.game_id = database, service, game_id
        self.program, self.most_alone = program, most_alone
        table = service.table(game_id)
        self.game, self.seats, self.words = table.game, table.seats, table.game.words
        self.people = [number for number, seat in enumerate(table.seats, 1) if seat.kind == HUMAN]
        self.screen = Screen(shared=len(self.people) > 1 and self.game.hides)
        self.viewer: Viewer = self.people[0] if len(self.people) == 1 else EVERYONE
        self.told: State | None = None
        """The game as this terminal has told it: it knows what everybody in front of it may know."""
        self.rounds_alone = 0
        """Rounds that were played since a person last had a say."""

    @property
    def table(self) -> "Table":
        return self.service.table(self.game_id)

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
            while self.table.state.outcome is None and self.rounds_alone != self.most_alone:
                self._turn()
            self._show_end()
        except QuitAsked:
            self.screen.say("", f"The game is kept; go on with it: {self.how_to_resume}")
        except InputEnded:
            raise Stopped(f"The input ended before the game did; go on with it: {self.how_to_resume}") from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted; the game is kept, go on with it: {self.how_to_resume}") from None
        except OSError as error:
            close_output()
            why = f"Nothing more can be printed ({error.strerror})"
            raise Stopped(f"{why}; the game is kept, go on with it: {self.how_to_resume}") from error
        except PokersvcError as error:
            said = str(error).rstrip(".")
            raise Stopped(f"{said}; the game so far is kept, go on with it: {self.how_to_resume}") from error
        finally:
            self.screen.hide()

    def _catch_up(self) -> None:
        from pokersvc.games.game import HUMAN

        for step in self.service.replay(self.game_id, self.viewer):
            self.told = step.state
        if self.told is not None and self.table.kind_to_act != HUMAN:  # a person is shown more before the question
            self.screen.say("", *self.words.show(self.told.view(self.viewer)))

    def _tell(self, recorded: "list[Recorded]") -> None:
        """Tell what was just recorded, each event from the state that it made."""
        from pokersvc.games.event import Audience, redact, secret_fields

        alone = self._alone()
        for record, whole in recorded:
            event = redact(whole, self.viewer)
            if self.told is None:
                self.told = self.game.new(event)
            else:
                self.told.apply(event)
            ended = self.told.entry(event, self.viewer) is not None
            if alone:
                self.rounds_alone += ended
                if self.people and ended:
                    self.screen.say(self.words.tell(event, self.told))
                continue
            self.screen.say(wrapped(self.words.tell(event, self.told), "  "), *[""] * ended)
            if Audience.DEALER in secret_fields(type(whole)).values() and record.seq > 1:
                # Whoever notes this holds the dealer to the deck: its seed is in the hash.
                self.screen.say(f"  head {record.hash.hex()}")

    def _alone(self) -> bool:
        """Tell whether only programs went on after what was told: nobody plays, or every person was out by then."""
        told = self.told
        return not self.people or (told is not None and not any(map(told.playing, self.people)))

    def _turn(self) -> None:
        from pokersvc.games.game import HUMAN

        kind = self.table.kind_to_act
        if kind is None:
            self._between_rounds()
        elif kind == HUMAN:
            self._person()
        else:
            self._programs()

    def _programs(self) -> None:
        if self.people:
            self._tell(self.service.step(self.game_id))
            return
        self._tell(self.service.play_round(self.game_id))
        if sys.stderr.isatty():
            print(f"\rRound {self.rounds_alone}", end="\r", file=sys.stderr, flush=True)

    def _person(self) -> None:
        from pokersvc.games.game import IllegalAction, InvalidAnswer

        table = self.table
        seat = table.state.to_act
        assert seat is not None
        self.screen.turn_to(self.seats[seat - 1].name)
        view, legal = table.state.view(seat), table.state.legal(seat)
        self.screen.say_privately(*[""] * (not self.screen.apart), *self.words.show(view))
        while True:
            answer = self.screen.ask(self.words.ask(view, legal))
            if (explained := self.words.explain(answer, view, legal)) is not None:
                self.screen.say_privately(*explained)
                continue
            try:
                recorded = self.service.act(self.game_id, self.words.read(answer, view, legal), expected=table.count)
            except (IllegalAction, InvalidAnswer) as error:
                self.screen.say_privately(str(error))
            else:
                break
        self.screen.hide()
        self._tell(recorded)

    def _between_rounds(self) -> None:
        """Ask who leaves for good, then let the dealer go on."""
        from pokersvc.games.game import Leave

        leaving = self._may_leave()
        example = "leave" if len(leaving) == 1 else "leave NAME"
        while True:
            answer = self.screen.ask(f"Enter for the next round, or `{example}` for good")
            word, _, name = answer.partition(" ")
            if not answer:
                self._tell(self.service.go_on(self.game_id))
                return
            seat = leaving.get(name.strip()) if name or len(leaving) > 1 else next(iter(leaving.values()))
            if word.lower() == "leave" and seat is not None:
                self._tell(self.service.act(self.game_id, Leave(seat)))
                return
            who = "" if len(leaving) == 1 else f"; who may leave: {', '.join(leaving)}"
            self.screen.say(f"{answer!r} is no answer here; press Enter or say {example}{who}.")

    def _may_leave(self) -> "dict[str, int]":
        from pokersvc.games.game import IllegalAction, Leave

        found = {}
        for seat in self.people:
            with suppress(IllegalAction):
                self.table.state.decide(Leave(seat))
                found[self.seats[seat - 1].name] = seat
        return found

    def _show_end(self) -> None:
        from cli.reading import history_lines
        from pokersvc import history

        summary = history.summary(self.database, self.game_id)
        gap = [""] if self.people else []
        told = history_lines(self.database, summary, self.viewer, hands=True)
        self.screen.say(*gap, *(wrapped(line, "  ") for line in told), "")
        if summary.result is None:
            self.screen.say(f"Stopped after {self.rounds_alone} rounds; go on with it: {self.how_to_resume}")
        else:
            self.screen.say(f"{summary.result}; see how: {self.program} replay {self.game_id[:8]}")
