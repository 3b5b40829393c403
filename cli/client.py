"""The terminal as a client of a session: it shows what comes, asks, and reads the answers."""

import sys
from collections.abc import Mapping
from contextlib import suppress

import pokersvc
from pokersvc import core
from pokersvc.cli.output import EXIT_CLOSED, Interrupted, close_output, wrapped
from pokersvc.cli.reading import history_lines
from pokersvc.cli.screen import InputEnded, QuitAsked, Screen
from pokersvc.errors import PokersvcError
from pokersvc.text import counted


class GameStopped(PokersvcError):
    """The game stopped here; the sentence says how to resume it."""

    code = "stopped"


class OutputClosed(GameStopped):
    """The output was closed, as by ``| head``; the game can be resumed."""

    exit_code = EXIT_CLOSED


class Client:
    """A session at this terminal, with all people of its game in front of it."""

    def __init__(
        self, database: "pokersvc.Database", service: "pokersvc.Service", session: "pokersvc.Session", program: str
    ) -> None:
        self._database, self._service, self._session = database, service, session
        self._program = program
        self._words = session.game.words
        self._screen = Screen(shared=len(session.seats) > 1 and session.game.hides)

    def run(self) -> None:
        """Play until the game is over or the people stop."""
        try:
            self._screen.say(f"Game {self._session.game_id}", f"Resume any time with: {self._how_to_resume}")
            self._show_start()
            self._play()
        except QuitAsked:
            self._screen.say("", f"The game is saved. Resume any time with: {self._how_to_resume}")
        except InputEnded:
            raise GameStopped(f"The input ended before the game did; resume with: {self._how_to_resume}") from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted; {self._kept('the game')}") from None
        except BrokenPipeError:
            close_output()
            if self._over():
                raise
            raise OutputClosed(self._kept("The game")) from None
        except OSError as error:
            close_output()
            raise GameStopped(f"Nothing more can be printed ({error.strerror}); {self._kept('the game')}") from error
        except PokersvcError as error:
            raise GameStopped(f"{str(error).rstrip('.')}; {self._kept('the game so far')}") from error
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
            match self._session.next():
                case pokersvc.Shown() as shown:
                    self._show(shown)
                case pokersvc.Choose() as choose:
                    self._ask_for_a_choice(choose)
                case pokersvc.Pause() as pause:
                    self._ask_who_leaves(pause)
                case pokersvc.Over() | pokersvc.Stopped():
                    self._show_end()
                    return
                case pokersvc.Waiting(seats=seats):
                    raise AssertionError(f"nobody but those at this terminal can play the seats {seats}")

    def _show(self, shown: "pokersvc.Shown") -> None:
        """Show one event, or one line per round if only bots play."""
        if shown.entry is not None and shown.entry.again:  # the history that is shown at the end has it
            return
        ended = shown.entry is not None
        sentence = "" if shown.alone and not ended else self._words.tell(shown.event, shown.state)
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
        screen.say_privately(*[""] * (not screen.apart), *words.show(view))
        while True:
            answer = screen.ask(words.ask(view, legal))
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

    def _ask_who_leaves(self, pause: "pokersvc.Pause") -> None:
        """Ask who leaves the game, then let the dealer continue."""
        self._say_beforehand(pause.beforehand)
        leaving = {self._session.all_seats[seat - 1].name: seat for seat in pause.leaving}
        example = "leave" if len(leaving) == 1 else "leave NAME"
        while True:
            answer = self._screen.ask(f"Press Enter for the next round, or type `{example}` to leave the game")
            word, _, name = answer.partition(" ")
            if not answer:
                self._session.go_on()
                return
            seat = leaving.get(name.strip()) if name or len(leaving) > 1 else next(iter(leaving.values()))
            if word.lower() == "leave" and seat is not None:
                self._session.leave(seat)
                return
            who = "" if len(leaving) == 1 else f" (one of {', '.join(leaving)})"
            self._screen.say(f"{core.words.not_understood(answer)} You can: press Enter, or type {example}{who}.")

    def _say_beforehand(self, beforehand: Mapping[int, tuple[str, ...]]) -> None:
        """Show people what they will not be asked about in the next round."""
        if lines := [wrapped(line, "  ") for told in beforehand.values() for line in told]:
            self._screen.say(*lines)

    def _show_end(self) -> None:
        session = self._session
        summary = pokersvc.game_summary(self._database, session.game_id)
        gap = [""] if session.people else []
        lines = history_lines(self._database, summary, session.viewer, hands=True)
        self._screen.say(*gap, *(wrapped(line, "  ") for line in lines), "")
        if summary.result is None:
            rounds = counted(session.rounds_alone, "round")
            self._screen.say(f"Stopped after {rounds}. Resume any time with: {self._how_to_resume}")
        else:
            self._screen.say(f"{summary.result}; see how: {self._program} replay {session.game_id[:8]}")

    @property
    def _how_to_resume(self) -> str:
        return f"{self._program} resume {self._session.game_id[:8]}"

    def _kept(self, what: str) -> str:
        """Return that the game is saved, and how to resume it unless it is over."""
        if self._over():
            return f"{what} is over and saved."
        return f"{what} is saved, resume with: {self._how_to_resume}"

    def _over(self) -> bool:
        with suppress(PokersvcError):  # a database that cannot be read has been reported already
            return self._service.status(self._session.game_id).outcome is not None
        return False
