"""Keys that mean the same at every question, unless the game itself gives them a meaning."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import pokersvc
from pokersvc import core, evidence
from pokersvc.cli.drawing import room
from pokersvc.cli.drawing.layout import packed
from pokersvc.cli.drawing.screen import Screen
from pokersvc.cli.output import LEAST_COLUMNS, USUAL_COLUMNS, columns
from pokersvc.core.drawing import Line, Piece, Shortcut, Tone
from pokersvc.errors import PokersvcError

_HELP: Final = Shortcut("?", "help")
_HANDS: Final = Shortcut("h", "rounds")
_ODDS: Final = Shortcut("o", "odds")
_LOG: Final = Shortcut("l", "log")
_CLEAR: Final = Shortcut("u", "clear")
_QUIT: Final = Shortcut("q", "quit")
BETWEEN: Final = (_HELP, _HANDS, _LOG, _QUIT)
"""The keys that work while nobody has to choose."""
_LONGER: Final = {
    "?": "explain this moment",
    "h": "the rounds so far",
    "o": "odds: what each choice is worth",
    "l": "the log: everything that happened so far",
    "u": "clear what is picked",
    "q": "quit; the game {kept}, and you can come back",
}


class CommonKeys:
    """Handles the keys of one session: shows the information that a pressed key asks for."""

    def __init__(
        self,
        session: "pokersvc.Session",
        screen: Screen,
        kept: str,
        told: Mapping[str, Callable[[str], None]] = MappingProxyType({}),
    ) -> None:
        """Make the keys; ``kept`` says what happens to the game when a person quits, such as "is saved".

        ``told`` has the words, such as ``say``, after which a person types something for the others at the table.
        """
        self._told = told
        self._session, self._screen = session, screen
        self._longer = {key: does.format(kept=kept) for key, does in _LONGER.items()}
        self._words = session.game.words

    def shown(self, choose: "pokersvc.Choose", *, advised: bool) -> list[Shortcut]:
        """Return the keys that work at a choice, for the line below the question."""
        taken = {one.typed for one in self._words.shortcuts(choose.view, choose.legal)}
        keys = [
            _HELP,
            _HANDS,
            *[_ODDS] * (advised and self._words.advises(choose.view, choose.legal)),
            _LOG,
            *[_CLEAR] * self.picks(choose),
            _QUIT,
        ]
        return [one for one in keys if one.typed not in taken]

    def pressed(self, text: str, choose: "pokersvc.Choose | None" = None, *, advised: bool = True) -> bool:
        """Show what a typed key asks for; return False for any other text. ``choose`` is the current choice, if any."""
        verb, _, line = text.strip().partition(" ")
        match text.strip().lower():
            case _ if (tell := self._told.get(verb.lower())) is not None:
                try:
                    tell(line)
                except PokersvcError as refused:
                    self._screen.refuse(str(refused))
            case "?" | "help":
                self._screen.explain(self._moment(choose, advised=advised))
            case "h":
                self._screen.explain([*rounds(self._session)] or ["No round is over yet."])
            case "l":
                self._screen.explain([*log(self._session, short=self._screen.drawn)])
            case "o" if choose is not None:
                self._odds(choose, advised=advised)
            case clear if choose is not None and clear.split()[-1:] == ["u"]:
                self._screen.refuse("Nothing is picked.")
            case _:
                return False
        return True

    def odds(self, text: str, choose: "pokersvc.Choose", *, advised: bool) -> bool:
        """Show the odds if a typed text asks for odds in this game, and return whether it did."""
        taken = {one.typed for one in self._words.shortcuts(choose.view, choose.legal)}
        asked = self._advises and text.strip().lower() in {_ODDS.typed, _ODDS.does} - taken
        if asked:
            self._odds(choose, advised=advised)
        return asked

    @property
    def _advises(self) -> bool:
        return type(self._words).advise is not core.words.Words.advise

    def picks(self, choose: "pokersvc.Choose") -> bool:
        """Return whether a person picks pieces of the drawn table by number for this choice."""
        return self._words.draw_picked("1", choose.view, choose.legal, core.drawing.Room(80, 24)) is not None

    def _odds(self, choose: "pokersvc.Choose", *, advised: bool) -> None:
        if not advised:
            self._screen.refuse(core.words.NOT_ADVISED)
        elif lines := self._words.advise_within(self._width, choose.view, choose.legal):
            taken = {one.typed for one in self._words.shortcuts(choose.view, choose.legal)}
            again = _ODDS.does if _ODDS.typed in taken else _ODDS.typed
            self._screen.explain(lines, best_first=True, heads=self._words.heads_of_advice, again=again)
        else:
            self._screen.refuse("This choice has no odds: only choices with the key `o`, such as the draw, have them.")

    @property
    def _width(self) -> int:
        """The width of advice, in columns."""
        return max(LEAST_COLUMNS, (room.room().columns if self._screen.drawn else columns()) or USUAL_COLUMNS)

    def _moment(self, choose: "pokersvc.Choose | None", *, advised: bool) -> list[str]:
        if choose is None:
            rules = self._words.about(self._session.state.view(self._session.viewer))
            return [*rules, *[""] * bool(rules), *(f"{key.typed}  {self._longer[key.typed]}" for key in BETWEEN)]
        about = self._words.moment(choose.view, choose.legal)
        keys = [*self._words.shortcuts(choose.view, choose.legal), *self.shown(choose, advised=advised)]
        wide = max(len(key.typed) for key in keys)
        listed = [
            f"{key.typed:{wide}}  {self._longer.get(key.typed, key.does) if key in _OURS else key.does}" for key in keys
        ]
        return [*about, *[""] * bool(about), *listed]


_OURS: Final = (_HELP, _HANDS, _ODDS, _LOG, _CLEAR, _QUIT)


def rounds(session: "pokersvc.Session") -> Iterator[str]:
    """Yield the history's lines that were shown so far, with each player's net in each round."""
    words = session.game.words
    for entry in _entries(session):
        yield words.line(entry)
        yield from (f"  {line}" for line in words.details(entry))
        yield from core.drawing.plain(net_lines(session, entry, columns(), "  Net: "))


def _entries(session: "pokersvc.Session") -> "list[pokersvc.Entry]":
    """Return the latest history entry of each number; an entry without a net gets the net of an earlier entry."""
    found: dict[int, pokersvc.Entry] = {}
    for entry in (one.entry for one in session.told() if one.entry is not None):
        before = found.get(entry.number)
        found[entry.number] = entry if before is None else replace(entry, net=entry.net or before.net)
    return [*found.values()]


def log(session: "pokersvc.Session", *, short: bool) -> Iterator[str]:
    """Yield a sentence for every event so far; after an event with a secret seed, also the hash that commits to it."""
    for shown in session.told():
        yield core.tables.table_words.event_words(session.game, shown.event, shown.state, session.all_seats)
        if head := head_of(shown, short=short):
            yield head


def head_of(shown: "pokersvc.Shown", *, short: bool = False) -> str:
    """Return a line with the hash that commits the dealer to an event's secret seed; an empty text for other events.

    If ``short``, it has the form that people compare by voice: a drawn table may be narrower than the full hash.
    """
    if pokersvc.Audience.DEALER not in core.event.secret_fields(type(shown.event)).values():
        return ""
    head = shown.record.hash
    return f"  head {evidence.spoken_head.spoken(head) if short else head.hex()}"


def net_lines(
    session: "pokersvc.Session", entry: "pokersvc.Entry", edge: int | None, before: str = "Net: "
) -> list[Line]:
    """Return each player's net in a history entry, such as ``Net: Ann +5   Bob -5``; nothing if the entry has no net.

    If that is wider than the terminal, a name and its amount stay together.
    """
    return packed(_amounts(_names(session, entry), session.game.words.net(entry)), edge, before)


def total(session: "pokersvc.Session") -> dict[int, int]:
    """Map each seat to its player's net over all rounds; empty if the game has no nets."""
    brought = _brought(session)
    return {number: brought[seat.name] for number, seat in enumerate(session.all_seats, 1)} if brought else {}


def _brought(session: "pokersvc.Session") -> Counter[str]:
    """Map each player's name to their net over all rounds, also for players who have left."""
    found: Counter[str] = Counter()
    for entry in _entries(session):
        names = _names(session, entry)
        for seat, net in session.game.words.net(entry):
            found[names[seat - 1]] += net
    return found


def _names(session: "pokersvc.Session", entry: "pokersvc.Entry") -> tuple[str, ...]:
    """Return the names of the players at the seats in a round."""
    return entry.names or tuple([seat.name for seat in session.all_seats])


def total_lines(session: "pokersvc.Session") -> list[str]:
    """Return lines with each player's net over all rounds; none if the game has no nets."""
    brought = _brought(session)
    if not brought:
        return []
    seated = dict.fromkeys(seat.name for seat in core.seats.taken(session.all_seats))
    names = tuple(dict.fromkeys([*seated, *brought]))
    nets = [(number, brought[name]) for number, name in enumerate(names, 1)]
    return core.drawing.plain(packed(_amounts(names, nets), columns(), "Net: "))


def _amounts(names: tuple[str, ...], nets: Iterable[tuple[int, int]]) -> list[Line]:
    return [(Piece(f"{names[seat - 1]} "), amount(net)) for seat, net in nets]


def amount(net: int) -> Piece:
    """Return a net amount with its sign, in the tone for a win or a loss."""
    return Piece(f"{net:+,}" if net else "0", Tone.GOOD if net > 0 else Tone.BAD if net else Tone.QUIET)
