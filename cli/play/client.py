"""The terminal as a client of a session: it shows events, asks questions and reads the answers."""

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import Final, Self

import pokersvc
from pokersvc import cli, core
from pokersvc.cli.drawing.colours import Painter
from pokersvc.cli.drawing.layout import Asking, no_notes
from pokersvc.cli.drawing.room import is_drawn
from pokersvc.cli.drawing.screen import InputEnded, NewsCame, QuitAsked, Screen
from pokersvc.cli.output import Interrupted, close_output, columns, wrapped
from pokersvc.cli.play.advance import AHEAD, SETTLED, TAKE_BACK, Advance
from pokersvc.cli.play.backend import Backend, GameStopped, OutputClosed
from pokersvc.cli.play.between_rounds import Between
from pokersvc.cli.play.keys import BETWEEN, CommonKeys, head_of, net_lines
from pokersvc.cli.play.level_time import level_time
from pokersvc.cli.play.out_of_the_game import Spectating
from pokersvc.cli.play.recap import summary
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.core.drawing import Shortcut
from pokersvc.errors import PokersvcError
from pokersvc.text import YOU, does

LINES_AGAIN: Final = 60
"""The number of last events that the drawn table of a resumed game shows again."""


class Client:
    """Plays a session with the people at this terminal."""

    def __init__(
        self, backend: Backend, session: "pokersvc.Session", *, advises: bool = True, painter: Painter | None = None
    ) -> None:
        """With a ``painter``, draw the table; without one, print everything line by line."""
        self._backend, self._session, self._advises, self._painter = backend, session, advises, painter
        self._words = session.game.words
        shared, news = self._is_shared, backend.fileno()
        if painter is None:
            self._screen = Screen(shared=shared, news=news)
        else:
            self._screen = cli.drawing.drawn_screen.DrawnScreen(painter, shared=shared, news=news)
        backend.speak_by(self._screen.notice)
        session.while_choosing = self._thinking
        self._keys = CommonKeys(session, self._screen, backend.kept, {"say": backend.say, "sign": backend.sign})
        self._left_behind = Spectating(session, self._screen)
        self._between = Between(session, hosts=backend.hosts)
        self._advance: Advance | None = None
        """The choice in advance; None until somebody here has waited for others at a drawn table."""
        self._entry: pokersvc.Entry | None = None
        """The last line of the history that was shown."""
        self._asked: tuple[int, int] | None = None
        """The last question for a choice that was shown: the number of events before it, and the seat asked."""

    @classmethod
    def of_terminal(
        cls, backend: Backend, session: "pokersvc.Session", mine: Preferences, *, plain: bool, watches: bool = True
    ) -> Self:
        """Return a client for a person's settings; it draws the table if the terminal allows that.

        If nobody plays here, the table is drawn only if someone ``watches``.
        """
        draws = (bool(session.seats) or watches) and is_drawn(plain)
        painter = Painter.of_terminal(mine.colours) if draws else None
        return cls(backend, session, advises=mine.advice, painter=painter)

    def run(self) -> None:
        """Play until the game is over or the people stop."""
        try:
            with self._screen:
                self._screen.say(f"Game {self._session.game_id}", self._how_to_come_back)
                self._show_start()
                self._play()
            self._show_recap()
        except QuitAsked:
            self._screen.say("", wrapped(f"The game {self._backend.kept}. {self._how_to_come_back}"))
        except InputEnded:
            again, how = self._backend.again, self._backend.how_to_resume
            raise GameStopped(f"The input ended before the game did; {again} with: {how}") from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted; {self._backend.what_is_kept('the game')}") from None
        except BrokenPipeError:
            close_output()
            if self._backend.over():
                raise
            raise OutputClosed(self._backend.what_is_kept("The game")) from None
        except OSError as error:
            close_output()
            raise GameStopped(
                f"Nothing more can be printed ({error.strerror}); {self._backend.what_is_kept('the game')}"
            ) from error
        except PokersvcError as error:
            raise self._backend.stopped(error) from error
        finally:
            self._screen.hide()

    @property
    def _how_to_come_back(self) -> str:
        return f"{self._backend.again.capitalize()} any time with: {self._backend.how_to_resume}"

    def _show_start(self) -> None:
        """Show a resumed game: its last events on a drawn table; else its state, unless somebody here must choose."""
        session = self._session
        if self._screen.drawn:
            for shown in session.told():  # a new game has no past events
                if shown.event.__class__ not in core.tables.table_events.TABLE_EVENTS and not self._screen.title:
                    self._entitle(shown)
                if session.count - shown.record.seq < LINES_AGAIN:
                    self._screen.tell(self._sentence(shown))
            return
        if not session.count:
            self._screen.say("")
        elif not set(session.awaited) & set(session.seats):
            self._screen.say("", *self._words.show(session.state.view(session.viewer)))

    def _entitle(self, started: "pokersvc.Shown") -> None:
        self._screen.title = self._words.title(self._session.game.facts(started.event))

    def _play(self) -> None:
        while True:
            coming = self._session.next()
            try:
                self._meet(coming)
            except NewsCame:
                self._backend.heard()
                continue  # the question may have changed
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
                self._wait(waiting)
            case pokersvc.Over() | pokersvc.Stopped():
                self._show_end()

    def _thinking(self, seat: int) -> AbstractContextManager[None]:
        """Return the context in which the bot at a seat chooses; if it takes long, people here see who is thinking."""
        name = self._session.all_seats[seat - 1].name
        return self._screen.thinking(f"{does(name, 'is')} thinking …", self._view)

    @property
    def _is_shared(self) -> bool:
        return len(self._session.seats) > 1 and self._session.game.hides

    def _show(self, shown: "pokersvc.Shown") -> None:
        """Show one event; if only bots play and nobody watches, show only one line per round."""
        if shown.event.__class__ in self._session.game.reseating:
            self._screen.share(shared=self._is_shared)
        if shown.alone:
            self._left_behind.ask()
        if shown.entry is not None and shown.entry.again:  # this entry was shown before; the history at the end has it
            return
        ended, watching = shown.entry is not None, self._left_behind.watching
        self._entry = shown.entry or self._entry
        sentence = self._sentence(shown) if not shown.alone or ended or watching else ""
        if shown.alone:
            if watching:
                self._screen.tell(sentence)
                self._left_behind.look()
            elif ended and self._session.people:
                self._screen.say(sentence)
            elif ended and sys.stderr.isatty():
                print(f"\rRound {self._session.rounds_alone}", end="\r", file=sys.stderr, flush=True)
            return
        self._screen.tell(sentence)
        if shown.entry is not None:
            self._screen.say(*self._brought(shown.entry), "")
        if shown.record.seq == 1:
            self._entitle(shown)
            self._say_beforehand(self._session.beforehand())
        elif head := head_of(shown, short=self._screen.drawn):
            self._screen.say(head)

    def _brought(self, entry: "pokersvc.Entry") -> list[str]:
        """Return lines with each player's net in a round; no lines on a drawn table: its question shows the nets."""
        return [] if self._screen.drawn else core.drawing.plain(net_lines(self._session, entry, columns()))

    def _sentence(self, shown: "pokersvc.Shown") -> str:
        game, seats = self._session.game, self._session.all_seats
        return core.tables.table_words.event_words(game, shown.event, shown.state, seats)

    def _ask_for_a_choice(self, choose: "pokersvc.Choose") -> None:
        if self._acted_in_advance(choose):
            return
        view, legal, screen, words = choose.view, choose.legal, self._screen, self._words
        name = self._session.all_seats[choose.seat - 1].name
        screen.turn_to(name)
        if self._asked != (choose.count, choose.seat):
            screen.stand(*words.show(view), *self._clock(view, choose.seat)())
            self._asked = choose.count, choose.seat
        settings = self._session.table.settings
        advised = settings is None or settings.advice
        told = advised and self._advises
        question = self._question(choose, advised=told)
        asking = Asking(
            partial(words.draw, view),
            (words.shortcuts_advised if told and screen.drawn else words.shortcuts)(view, legal),
            self._keys.shown(choose, advised=advised),
            words.completions(view, legal),
            lambda typed, room: words.draw_picked(typed, view, legal, room),
            self._clock(view, choose.seat),
        )
        while True:
            answer = screen.ask(question, asking)
            if not advised and words.takes_advice(answer, legal):
                screen.refuse(core.words.NOT_ADVISED)
            elif self._keys.odds(answer, choose, advised=advised):
                continue
            elif (explained := words.explain(answer, view, legal)) is not None:
                screen.explain(explained)
            elif self._acted(answer, choose, advised=advised):
                break
        screen.answered(name)
        screen.hide()

    def _question(self, choose: "pokersvc.Choose", *, advised: bool) -> str:
        """Return the question for a choice; on a drawn table a short one: the commands below say what to type."""
        words = self._words
        if self._screen.drawn:
            return words.ask_briefly(choose.view, choose.legal, advised=advised)
        return (words.ask if advised else words.question)(choose.view, choose.legal)

    def _acted(self, answer: str, choose: "pokersvc.Choose", *, advised: bool) -> bool:
        """Carry out a typed text, which is a choice or a key such as ``?``; return whether it was a choice."""
        try:
            self._session.act(self._words.read(answer, choose.view, choose.legal))
        except (pokersvc.IllegalAction, pokersvc.InvalidAnswer) as error:
            if answer.split()[0:1] == [AHEAD]:
                self._screen.refuse(f"`{AHEAD}` is for while others choose: now it is your turn.")
            elif not self._keys.pressed(answer, choose, advised=advised):
                self._screen.refuse(self._words.why_not(answer, choose.view, choose.legal) or str(error))
            return False
        return True

    def _acted_in_advance(self, choose: "pokersvc.Choose") -> bool:
        """Send the choice made in advance, if it is still valid; return False if the person must choose now."""
        if self._advance is None:
            return False
        if why := self._advance.dropped():
            self._screen.refuse(why)
        had = self._advance.said
        action = self._advance.action(choose)
        if action is None:
            if had and not why:
                self._screen.refuse("Your choice in advance is not possible any more.")
            return False
        name = self._session.all_seats[choose.seat - 1].name
        self._screen.turn_to(name)
        shown = Asking(partial(self._words.draw, choose.view), (TAKE_BACK,), BETWEEN, clock=self._clock(choose.view))
        while (wait := self._advance.wait(choose.count, self._backend.left(choose.seat))) > 0:
            if self._interrupts(f"In advance: {had}…", shown, wait):
                self._advance.forget()  # the action in advance was cancelled, or another one was typed instead
                return False
        self._advance.forget()
        try:
            self._session.act(action)
        except pokersvc.IllegalAction as refused:
            self._screen.refuse(str(refused))
            return False
        self._screen.answered(name)
        return True

    def _interrupts(self, sentence: str, shown: Asking, seconds: float) -> bool:
        """Return whether the person types something within ``seconds``, before their choice in advance is sent."""
        if self._screen.drawn:
            return bool(self._screen.wait(sentence, shown, seconds))
        if self._screen.typed_early or (text := self._screen.overhear(AHEAD, seconds)) is None:
            return self._screen.typed_early
        self._screen.refuse(self._advance.answer(text) if self._advance else "")
        return True

    def _wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait until others may have acted; a person here may choose in advance."""
        asks = self._screen.drawn or (len(self._session.seats) == 1 and self._backend.fileno() is not None)
        if not asks:
            self._backend.wait(waiting)
            return
        self._advance = self._advance or Advance(self._session, SETTLED if self._screen.can_be_asked else 0.0)
        if why := self._advance.dropped():
            self._screen.refuse(why)
        if not self._screen.drawn:
            if (hint := self._advance.hint()) and self._screen.can_be_asked:
                self._screen.refuse(hint)
            self._advance.shortcuts()
            if (text := self._screen.overhear(AHEAD)) is not None:
                self._screen.refuse(self._advance.answer(text))
            return
        missing, seats = self._backend.missing(), self._session.all_seats
        names = [f"{seats[seat - 1].name}{' (no connection)' * (seat in missing)}" for seat in waiting.seats]
        said = f"; in advance: {self._advance.said}" if self._advance.said else ""
        shown = f"Waiting for {pokersvc.text.listed(names) or 'the others'}{said}"
        keys = "" if self._session.seats else "".join(key.typed for key in BETWEEN)  # spectators need no Enter
        answer = self._screen.wait(shown, self._table(*self._advance.shortcuts()), keys=keys)
        if not answer:
            return
        refused = self._advance.typed(answer)
        if refused is None and not self._keys.pressed(answer):
            refused = f"{core.words.not_understood(answer)} It is not your turn."
        if refused:
            self._screen.refuse(refused)
        elif refused is not None:
            self._screen.note(no_notes)

    def _view(self) -> Asking:
        """Return a drawn screen for times without a question: the table as all people at this client may see it."""
        return Asking(partial(self._words.draw, self._session.state.view(self._session.viewer)))

    def _table(self, *shortcuts: core.drawing.Shortcut, completions: tuple[str, ...] = ()) -> Asking:
        """Return a drawn screen for when nobody must choose: the table as all people here may see it, and keys."""
        view = self._session.state.view(self._session.viewer)
        return Asking(partial(self._words.draw, view), shortcuts, BETWEEN, completions, clock=self._clock(view))

    def _clock(self, view: object, seat: int | None = None) -> Callable[[], list[str]]:
        """Return lines with the time that a seat has left, if it must choose, and the time to the next level."""
        levels = self._session.level_clock
        what = "" if levels is None else self._words.next_level(view)

        def lines() -> list[str]:
            said = [] if seat is None else self._backend.clock(seat)
            if levels is not None:
                said = [" ".join([*said, *level_time(levels, what)])]
            return [line for line in said if line]

        return lines

    def _ask_who_sits_out(self, seat: int) -> None:
        """Wait until a person whose time ran out twice in a row says that they are back."""
        self._advance = None
        name = self._session.all_seats[seat - 1].name
        while self._keys.pressed(self._screen.ask(_sits_out(name), self._table())):
            pass  # the key only showed something; the person is still away
        self._at_table(partial(self._session.come_back, seat))

    def _at_table(self, do: Callable[[], object]) -> None:
        """Call ``do``, and show the reason if the table refuses, for example while it waits for shares of a shuffle."""
        try:
            do()
        except (pokersvc.IllegalAction, pokersvc.errors.InvalidValue) as refused:
            self._screen.say(str(refused))

    def _ask_who_leaves(self, pause: "pokersvc.Pause") -> None:
        """Ask the people here between two rounds what they want to do, such as leave; Enter begins the next round."""
        self._say_beforehand(pause.beforehand)
        if not self._screen.drawn and (lines := self._between.lines(self._session.state.record.number)):
            self._screen.say(*lines)
        if self._entry is not None:
            self._screen.note(partial(summary, self._session, self._entry))
        leaving = pause.leaving
        question, enter = self._how_to_go_on(leaving)
        while True:
            answer = self._screen.ask(question, self._table_between(leaving, enter))
            if not answer:
                self._go_on(leaving)
                return
            if (stakes := self._between.stakes(answer)) is not None:
                self._at_table(partial(self._backend.change_stakes, *stakes))
                return
            if (answered := self._between.purchase(answer)) is not None:
                self._at_table(partial(self._backend.answer_purchase, *answered))
                return
            if (action := self._between.read(answer, leaving)) is not None:
                self._at_table(partial(self._session.act, action))
                return
            if not self._keys.pressed(answer):
                says = "" if leaving else f" to {enter}"
                self._screen.refuse(self._between.refusal(answer, leaving, says))

    def _how_to_go_on(self, leaving: tuple[int, ...]) -> tuple[str, str]:
        """Return the question between two rounds, and the effect of Enter in words."""
        if (needed := self._between.needed()) is not None:
            why, ways = needed
            return f"{why}: type `{ways[0].typed}`, or press Enter for the next round", "next round"
        if leaving:
            example = self._between.leaving(leaving)[0]
            return f"Press Enter for the next round, or type `{example}` to leave the game", "next round"
        # A player who cannot leave now, for example while a shuffle waits for a share that this program lacks.
        if self._plays:
            return "Press Enter for the next round", "next round"
        if any(map(self._session.state.may_come_back, self._session.seats)):
            return f"Type `{self._between.shortcuts()[0].typed}`, or press Enter to watch the next round", "next round"
        enter = "watch the next round" if self._session.may_come else "look on"
        return f"Type how you sit down, or press Enter to {enter}", enter

    @property
    def _plays(self) -> bool:
        """Whether somebody at this client is in the game."""
        return any(map(self._session.state.playing, self._session.seats))

    def _table_between(self, leaving: tuple[int, ...], enter: str) -> Asking:
        """Return a drawn screen between two rounds: the table, and what people at this client may type."""
        leaves = self._between.leaving(leaving)
        does = "the game" if len(leaves) == 1 else "(or another name)"
        shortcuts = [Shortcut("Enter", enter), *(Shortcut(one, does) for one in leaves[:1]), *self._between.shortcuts()]
        if (needed := self._between.needed()) is not None:  # offered first, and only once
            shortcuts = list(dict.fromkeys([*needed[1], *shortcuts]))
        return self._table(*shortcuts, completions=(*leaves, *self._between.completions()))

    def _go_on(self, leaving: tuple[int, ...]) -> None:
        """Begin the next round, unless only people elsewhere are in the game; they begin it themselves."""
        if not (leaving or self._plays or self._session.may_come):
            return
        for one in self._session.seats:
            self._screen.answered(self._session.all_seats[one - 1].name)
        self._left_behind.watch()
        self._at_table(self._session.go_on)

    def _say_beforehand(self, beforehand: Mapping[int, tuple[str, ...]]) -> None:
        """Show people what they should know before a round that begins without asking them."""
        for about in beforehand.values():
            for line in about:
                self._screen.tell(line)

    def _show_end(self) -> None:
        """Show how the game ended; keep a drawn table on the screen until somebody presses Enter."""
        if not self._screen.drawn:
            gap = [""] if self._session.people else []
            self._screen.say(*gap, *self._backend.end(self._session))
            return
        recap = [*self._backend.recap(self._session)]
        self._screen.note(lambda _: recap)
        with suppress(QuitAsked):  # quitting here is fine: the game is over
            while answer := self._screen.ask("Press Enter to leave the table", self._table()):
                if not self._keys.pressed(answer):
                    self._screen.refuse(core.words.not_understood(answer))

    def _show_recap(self) -> None:
        """Print the result of a drawn game on the normal screen, after the alternate screen was left."""
        if self._painter is not None:
            lines = [*self._backend.recap(self._session)]
            self._screen.say(*self._painter.strings(lines))


def _sits_out(name: str) -> str:
    """Return the question whether a person who sits out, because their time ran out twice in a row, is back.

    >>> _sits_out("Ann")
    'Ann sits out, as their time was over twice: press Enter when Ann is back'
    >>> _sits_out("You")
    'You sit out, as your time was over twice: press Enter when you are back'
    """
    their, back = ("your", "you are") if name == YOU else ("their", f"{name} is")
    return f"{does(name, 'sits')} out, as {their} time was over twice: press Enter when {back} back"
