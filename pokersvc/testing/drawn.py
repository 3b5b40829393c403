"""Checks of a drawn table: it fits its room, the input that it offers is understood, and it shows nothing hidden."""

from typing import ClassVar, Final

from pokersvc.core.actions import Action, BetweenRounds, IllegalAction, ServiceAction
from pokersvc.core.drawing import Line, Room, Shortcut, Tone, plain, width
from pokersvc.core.event import Viewer
from pokersvc.core.state import State
from pokersvc.core.words import InvalidAnswer
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck
from pokersvc.text import counted

ROOMS: Final = (Room(60, 12), Room(80, 16), Room(120, 32))
"""The room left for the table on terminals of 60x20, 80x24 and 120x40."""
MOST_TYPED: Final = 20
"""Maximum number of completions that are typed at each choice."""
REFUSED: Final = ("", "0", "pass", "fold", "1", "no such thing", "\x00", "9" * 40)
"""Texts passed to a game's `why_not`, which returns why a typed text is refused, or None."""
PICKING: Final = ("1", "1 2")
"""Texts passed to `draw_picked`, because they may pick something on the table."""


class DrawnCheck(PromiseCheck):
    """The table is drawn from nothing but the view: checked at each choice of a seat, and at the end for all."""

    promise: ClassVar = Promise.DRAWN

    def choosing(self, action: Action) -> None:
        """Draw the table for the seat that chooses, and type the input that the game's words offer."""
        if isinstance(action, BetweenRounds | ServiceAction):
            return
        trial, seat = self.trial, action.seat
        view, legal = trial.state.view(seat), trial.state.legal(seat)
        self._compare(seat, legal)
        words = trial.game.words
        for shortcut in words.shortcuts(view, legal):
            if not _is_shortcut(shortcut):
                raise trial.broken(self.promise, f"{shortcut!r} is not a `Shortcut` of a text and what it does")
            self._type(shortcut.typed, view, legal)
        for text in words.completions(view, legal)[:MOST_TYPED]:
            self._type(text, view, legal)

    def over(self) -> None:
        """Draw the table for everyone and each seat."""
        for viewer in self.trial.viewers:
            self._compare(viewer, None)

    def _compare(self, viewer: Viewer, legal: object) -> None:
        """Check that a game's words are the same for the full state and for one with only what the viewer may know."""
        said = self._said(self.trial.state, viewer, legal)
        copy = self.trial.copies.get(viewer)
        if copy is None:
            return
        for (what, one), (_, other) in zip(said, self._said(copy, viewer, legal), strict=True):
            if one != other:
                raise self.trial.broken(
                    self.promise, f"`{what}` says {one!r}, and {other!r} where the viewer's own copy is all there is"
                )

    def _said(self, state: State, viewer: Viewer, legal: object) -> list[tuple[str, object]]:
        words, view = self.trial.game.words, state.view(viewer)
        said: list[tuple[str, object]] = [("draw", self._drawn(words.draw(view, room), room)) for room in ROOMS]
        if legal is not None:
            moment = words.moment(view, legal)
            if not _are_lines(moment):
                raise self.trial.broken(self.promise, f"`moment` says {moment!r}, which is not lines of text")
            said += [("shortcuts", words.shortcuts(view, legal)), ("completions", words.completions(view, legal))]
            said += [(f"draw_picked {text!r}", self._picked(text, view, legal)) for text in PICKING]
            said += [("moment", moment), *(("why_not", words.why_not(text, view, legal)) for text in REFUSED)]
        return said

    def _picked(self, text: str, view: object, legal: object) -> list[list[Line]]:
        """Return the drawings that mark the selection of a text; none if it selects nothing."""
        words = self.trial.game.words
        drawings = [(room, words.draw_picked(text, view, legal, room)) for room in ROOMS]
        return [self._drawn(lines, room) for room, lines in drawings if lines is not None]

    def _drawn(self, lines: list[Line], room: Room) -> list[Line]:
        """Return a drawing after checking that it fits the room, and that its pieces have a tone and no line break."""
        if len(lines) > room.rows:
            raise self.trial.broken(
                self.promise, f"{counted(len(lines), 'line')} drawn where there is room for {room.rows}"
            )
        for line in lines:
            for piece in line:
                if not _is_piece(piece):
                    raise self.trial.broken(self.promise, f"{piece!r} is not a `Piece` of printable text with a tone")
            if (wide := width(line)) > room.columns:
                said = plain([line])[0]
                raise self.trial.broken(
                    self.promise, f"{said!r} takes {wide} cells of the {room.columns} that there are"
                )
        return lines

    def _type(self, text: str, view: object, legal: object) -> None:
        """Check that the offered input is a legal action, or a request to see something."""
        trial, words = self.trial, self.trial.game.words
        if words.takes_advice(text, legal):
            return  # advice may take a while
        try:
            trial.state.decide(words.read(text, view, legal))
        except InvalidAnswer as error:
            if words.explain(text, view, legal) is None:
                raise trial.broken(self.promise, f"{text!r} is offered, and not understood: {error}") from error
        except IllegalAction as error:
            raise trial.broken(self.promise, f"{text!r} is offered, and not allowed: {error}") from error
        else:
            if (why := words.why_not(text, view, legal)) is not None:
                raise trial.broken(self.promise, f"{text!r} is allowed, and `why_not` says {why!r}")


def _is_piece(piece: object) -> bool:
    """Return whether an object is a piece with a tone, whose text has no line break and no terminal code."""
    tone, text = getattr(piece, "tone", None), getattr(piece, "text", None)
    return isinstance(tone, Tone) and isinstance(text, str) and (text.isprintable() or not text)


def _is_shortcut(one: object) -> bool:
    """Return whether an object is a shortcut of two texts that are not empty."""
    return isinstance(one, Shortcut) and all(str(text).strip() for text in one)


def _are_lines(said: object) -> bool:
    return isinstance(said, list) and all(isinstance(line, str) for line in said)
