"""The terminal as a client of a session: it shows what comes, asks, and reads the answers."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pokersvc
from pokersvc import core
from pokersvc.cli.output import EXIT_CLOSED, Interrupted, close_output, wrapped
from pokersvc.cli.screen import InputEnded, NewsCame, QuitAsked, Screen
from pokersvc.errors import PokersvcError


class GameStopped(PokersvcError):
    """The game stopped here; the sentence says how to resume it."""

    code = "stopped"


class OutputClosed(GameStopped):
    """The output was closed, as by ``| head``; the game can be resumed."""

    exit_code = EXIT_CLOSED


class Keeper(ABC):
    """Where the game of a session is kept, and what a person should know about that."""

    @property
    @abstractmethod
    def how_to_resume(self) -> str:
        """What to type to continue."""

    @property
    @abstractmethod
    def kept(self) -> str:
        """What becomes of the game when a person stops here, such as "is saved"."""

    @abstractmethod
    def over(self) -> bool:
        """Tell whether the game is over."""

    @abstractmethod
    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield what is said at the end of the game, or where it was stopped, in lines that fit the terminal."""

    def clock(self, seat: int) -> list[str]:
        """Return how long a seat has for its choice, in a line; none where there is no clock."""
        return []

    @abstractmethod
    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait until others may have acted."""

    def stopped(self, error: PokersvcError) -> PokersvcError:
        """Return what a person is told where an error ends the game at this terminal."""
        return GameStopped(f"{str(error).rstrip('.')}; {self.what_is_kept('the game so far')}")

    def what_is_kept(self, what: str) -> str:
        """Return what becomes of the game, and how to resume it unless it is over."""
        if self.over():
            return f"{what} is over and saved."
        return f"{what} {self.kept}, resume with: {self.how_to_resume}"

    def fileno(self) -> int | None:
        """Return what is readable where others may have acted; None where nobody else can."""
        return None


class Client:
    """A session at this terminal, with its people in front of it."""

    def __init__(self, keeper: Keeper, session: "pokersvc.Session", *, advises: bool = True) -> None:
        self._keeper, self._session, self._advises = keeper, session, advises
        self._words = session.game.words
        self._screen = Screen(shared=len(session.seats) > 1 and session.game.hides, news=keeper.fileno())
        self._asked: tuple[int, int] | None = None
        """After how many events which seat was shown what it may choose."""

    def run(self) -> None:
        """Play until the game is over or the people stop."""
        try:
            self._screen.say(f"Game {self._session.game_id}", f"Resume any time with: {self._keeper.how_to_resume}")
            self._show_start()
            self._play()
        except QuitAsked:
            self._screen.say("", f"The game {self._keeper.kept}. Resume any time with: {self._keeper.how_to_resume}")
        except InputEnded:
            how = self._keeper.how_to_resume
            raise GameStopped(f"The input ended before the game did; resume with: {how}") from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted; {self._keeper.what_is_kept('the game')}") from None
        except BrokenPipeError:
            close_output()
            if self._keeper.over():
                raise
            raise OutputClosed(self._keeper.what_is_kept("The game")) from None
        except OSError as error:
            close_output()
            raise GameStopped(
                f"Nothing more can be printed ({error.strerror}); {self._keeper.what_is_kept('the game')}"
            ) from error
        except PokersvcError as error:
            raise self._keeper.stopped(error) from error
        finally:
            self._screen.hide()

    def _show_start(self) -> None:
        """Show where a game that is resumed stands; a person who must choose is shown more before the question."""
        session = self._session
        if not session.count:
            self._screen.say("")
        elif not set(session.awaited) & set(session.seats):
            self._screen.say("", *self._words.show(session.state.view(session.viewer)))

    def _play(self) -> None:
        while True:
            coming = self._session.next()
            try:
                self._meet(coming)
            except NewsCame:
                continue  # what is asked may have changed
            if isinstance(coming, pokersvc.Over | pokersvc.Stopped):
                return

    def _meet(self, coming: "pokersvc.service.Next") -> None:
        table = self._session.table
        away = [seat for seat in self._session.seats if seat in table.sitting_out and not table.paused]
        match coming:
            case pokersvc.Shown() as shown:
                self._show(shown)
            case pokersvc.Choose() | pokersvc.Pause() | pokersvc.Waiting() if away:
                self._ask_who_sits_out(away[0])
            case pokersvc.Choose() as choose:
                self._ask_for_a_choice(choose)
            case pokersvc.Pause() as pause:
                self._ask_who_leaves(pause)
            case pokersvc.Waiting() as waiting:
                self._keeper.wait(waiting)
            case pokersvc.Over() | pokersvc.Stopped():
                self._show_end()

    def _show(self, shown: "pokersvc.Shown") -> None:
        """Show one event, or one line per round if only bots play."""
        if shown.entry is not None and shown.entry.again:  # the history that is shown at the end has it
            return
        ended = shown.entry is not None
        event_words, seats = core.table_words.event_words, self._session.all_seats
        sentence = "" if shown.alone and not ended else event_words(self._session.game, shown.event, shown.state, seats)
        if shown.alone:
            if ended and self._session.people:
                self._screen.say(sentence)
            elif ended and sys.stderr.isatty():
                print(f"\rRound {self._session.rounds_alone}", end="\r", file=sys.stderr, flush=True)
            return
        self._screen.say(wrapped(sentence, "  "), *[""] * ended)
        if shown.record.seq == 1:
            self._say_beforehand(self._session.beforehand())
        elif pokersvc.Audience.DEALER in core.event.secret_fields(type(shown.event)).values():
            # It commits the dealer to the deck, whose seed is in the hash.
            self._screen.say(f"  head {shown.record.hash.hex()}")

    def _ask_for_a_choice(self, choose: "pokersvc.Choose") -> None:
        view, legal, screen, words = choose.view, choose.legal, self._screen, self._words
        screen.turn_to(self._session.all_seats[choose.seat - 1].name)
        if self._asked != (choose.count, choose.seat):
            screen.say_privately(*[""] * (not screen.apart), *words.show(view), *self._keeper.clock(choose.seat))
            self._asked = choose.count, choose.seat
        settings = self._session.table.settings
        advised = settings is None or settings.advice
        question = (words.ask if advised and self._advises else words.question)(view, legal)
        while True:
            answer = screen.ask(question)
            if not advised and words.takes_advice(answer, legal):
                screen.say_privately(core.words.NOT_ADVISED)
                continue
            if (explained := words.explain(answer, view, legal)) is not None:
                screen.say_privately(*explained)
                continue
            try:
                self._session.act(words.read(answer, view, legal))
            except (pokersvc.IllegalAction, pokersvc.InvalidAnswer) as error:
                screen.say_privately(str(error))
            else:
                break
        screen.hide()

    def _ask_who_sits_out(self, seat: int) -> None:
        """Ask whether a person is back whose time was over twice in a row."""
        name = self._session.all_seats[seat - 1].name
        self._screen.ask(f"{name} sits out, as their time was over twice: press Enter when {name} is back")
        self._at_table(partial(self._session.come_back, seat))

    def _at_table(self, do: Callable[[], object]) -> None:
        """Do what a table may refuse now, as while it waits for shares of a shuffle."""
        try:
            do()
        except pokersvc.IllegalAction as refused:
            self._screen.say(str(refused))

    def _ask_who_leaves(self, pause: "pokersvc.Pause") -> None:
        """Ask who leaves the game, then let the dealer continue."""
        self._say_beforehand(pause.beforehand)
        leaving = {self._session.all_seats[seat - 1].name: seat for seat in pause.leaving}
        example = "leave" if len(leaving) == 1 else "leave NAME"
        if others := self._say_between():
            self._screen.say(*others)
        while True:
            answer = self._screen.ask(f"Press Enter for the next round, or type `{example}` to leave the game")
            word, _, name = answer.partition(" ")
            if not answer:
                self._at_table(self._session.go_on)
                return
            if (action := self._read_between(answer)) is not None:
                self._at_table(partial(self._session.act, action))
                return
            seat = leaving.get(name.strip()) if name or len(leaving) > 1 else next(iter(leaving.values()))
            if word.lower() == "leave" and seat is not None:
                self._at_table(partial(self._session.leave, seat))
                return
            who = "" if len(leaving) == 1 else f" (one of {', '.join(leaving)})"
            self._screen.say(f"{core.words.not_understood(answer)} You can: press Enter, or type {example}{who}.")

    def _say_between(self) -> list[str]:
        """Return what this client's people may do between two rounds beside to leave, a line for each."""
        view, seats = self._session.state.view(pokersvc.EVERYONE), self._session.seats
        said = {seat: self._words.between_rounds(view, seat) for seat in seats}
        name = " NAME" if len(seats) > 1 else ""
        return [
            f"  {self._session.all_seats[seat - 1].name} may type: {', '.join(f'`{one}{name}`' for one in one_seats)}"
            for seat, one_seats in said.items()
            if one_seats
        ]

    def _read_between(self, answer: str) -> "pokersvc.BetweenRounds | None":
        """Return what one of this client's people does between two rounds; several end their answer with their name."""
        view, seats = self._session.state.view(pokersvc.EVERYONE), self._session.seats
        if len(seats) == 1:
            return self._words.read_between(answer, view, seats[0])
        for seat in seats:
            name = f" {self._session.all_seats[seat - 1].name.casefold()}"
            if answer.casefold().endswith(name):
                return self._words.read_between(answer[: -len(name)], view, seat)
        return None

    def _say_beforehand(self, beforehand: Mapping[int, tuple[str, ...]]) -> None:
        """Show people what they will not be asked about in the next round."""
        if lines := [wrapped(line, "  ") for about in beforehand.values() for line in about]:
            self._screen.say(*lines)

    def _show_end(self) -> None:
        gap = [""] if self._session.people else []
        self._screen.say(*gap, *self._keeper.end(self._session))
