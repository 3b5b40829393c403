"""Reads the lines of a hand: the names at the table are known, and every line must be a known sentence."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, NamedTuple, NoReturn, TypeAlias

from pokersvc.errors import InvalidValue
from pokersvc.histories.amounts import amount_of
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import MOST
from pokersvc.histories.dialects.seat_list import check_players
from pokersvc.histories.dialects.sentences import SeenLine, Sentence, TextPart
from pokersvc.histories.hand import Currency, HistoryPlayer, UnreadableHand
from pokersvc.histories.statements import Mucked, NotShown, Showed, Statement, Won

_OF_THE_SHOWDOWN: Final = (Showed, Mucked, NotShown, Won)
"""Statements about the end of a hand, with or without a showdown; no line may begin a showdown after them."""

Line: TypeAlias = tuple[int, str]

_LONGEST_LINE: Final = 1_000  # characters; a pattern's time may grow with the square of the length


class Grammar(NamedTuple):
    """The sentences of a dialect."""

    writes: str
    """The site that writes these sentences, for errors."""
    parts: Mapping[str, TextPart]
    """Line → the part of the hand that it begins."""
    about: Mapping[str, tuple[Sentence, ...]]
    """First word after a name → the sentences that may follow the name."""
    before: tuple[tuple[re.Pattern[str], tuple[Sentence, ...]], ...] = ()
    """Pairs of a pattern for text before a name (a group ``number`` is the seat) and the sentences after the name."""
    whole: tuple[Sentence, ...] = ()
    """Sentences that take a whole line; a group ``name`` must be a player at the table, a group ``anyone`` need not."""
    chat: re.Pattern[str] | None = None
    """Matches what follows a player's name in a line of chat."""
    noise: tuple[re.Pattern[str], ...] = ()
    """Patterns that match whole lines which change nothing in the hand and claim nothing about it."""


class Lines:
    """The lines of a block that are not blank, each with its number and without trailing spaces."""

    def __init__(self, block: Block) -> None:
        if len(block.text) > MOST:
            raise UnreadableHand(block.first_line, f"The hand at line {block.first_line} is too long to be one.")
        texts = enumerate(block.text.split("\n"), block.first_line)
        self._lines = [(number, kept) for number, text in texts if (kept := text.rstrip(" \t\r"))]
        self._at = 0
        for number, text in self._lines:
            if len(text) > _LONGEST_LINE:
                raise UnreadableHand(number, f"Line {number} is too long for a hand of cards: {quoted(text)}.")
        self.last = self._lines[-1][0] if self._lines else block.first_line

    def gaps(self, least: int) -> tuple[tuple[int, str], ...]:
        """Return a warning for the first place where ``least`` or more blank lines interrupt the hand, if any."""
        (first, _), (last, _) = self._lines[0], self._lines[-1]
        if last - first + 1 - len(self._lines) < least:
            return ()
        found = [one for (one, _), (other, _) in pairwise(self._lines) if other - one > least]
        if not found:
            return ()
        often = f"s, {len(found)} times; here first" if len(found) > 1 else ""
        said = f"The hand continues after {'' if often else 'a ' if least == 1 else ''}blank line{often}."
        return ((found[0] + 1, said),)

    def next_if(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of the next line and move past it; None if it does not match."""
        found = pattern.fullmatch(self._lines[self._at][1]) if self._at < len(self._lines) else None
        self._at += found is not None
        return found

    def next(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """Return the match of the next line; if it does not match, raise `UnreadableHand`, saying what is missing."""
        found = self.next_if(pattern)
        if found is None:
            if self._at == len(self._lines):
                raise UnreadableHand(self.last, f"The hand is cut off after line {self.last}: {what} is missing.")
            number, text = self._lines[self._at]
            raise UnreadableHand(number, f"Line {number} does not say {what}: {quoted(text)}.")
        return found

    @property
    def all(self) -> list[Line]:
        """All lines, each with its number."""
        return self._lines

    @property
    def number(self) -> int:
        """The number of the line that was read last."""
        return self._lines[max(self._at - 1, 0)][0]

    def rest(self) -> Iterator[Line]:
        """Yield the lines that have not been read."""
        yield from self._lines[self._at :]


@contextmanager
def at(number: int) -> Iterator[None]:
    """Turn an `InvalidValue`, such as a wrong amount, into an `UnreadableHand` that names the line."""
    try:
        yield
    except InvalidValue as error:
        raise UnreadableHand(number, f"Line {number}: {error}") from error


def refuse_other_game(number: int, game: str) -> NoReturn:
    """Raise `UnreadableHand` for a hand of a game other than five-card draw."""
    raise UnreadableHand(number, f"Line {number} begins a hand of {quoted(game)}: only five-card draw is read.")


class Seats:
    """The players at a table, and their names, longest first, because one name may begin with another."""

    def __init__(self, players: tuple[HistoryPlayer, ...]) -> None:
        self.players = players
        self.names = tuple(sorted((player.name for player in players), key=len, reverse=True))
        self.number_of = {player.name: player.number for player in players}
        self._by_number = {player.number: player.name for player in players}

    def names_at(self, number: int) -> tuple[str, ...]:
        """Return all names at the table, with the name of the player at this seat number first."""
        name = self._by_number.get(number)
        return self.names if name is None else (name, *self.names)


def seats_of(lines: Lines, pattern: re.Pattern[str], currency: Currency, *, tournament: bool) -> Seats:
    """Read the lines of the seats, at least two; ``pattern`` has the groups ``number``, ``name`` and ``stack``.

    It may also have ``away`` or ``out``. A player who is out is not dealt in. One who is away is dealt in only in a
    tournament, where absent players post and fold.
    """
    players: list[HistoryPlayer] = []
    while (found := lines.next_if(pattern)) or len(players) < 2:
        seat = found or lines.next(pattern, "who has the next seat and what stack")
        with at(lines.number):
            stack = amount_of(seat["stack"], currency)
        number, marks = int(seat["number"]), seat.groupdict()
        out = marks.get("out") is not None or (marks.get("away") is not None and not tournament)
        players.append(HistoryPlayer(line=lines.number, name=seat["name"], number=number, stack=stack, sitting_out=out))
    check_players(lines.number, players)
    return Seats(tuple(players))


class _Fits(NamedTuple):
    """The match of a line with a sentence, and the player whom it names."""

    sentence: Sentence
    found: re.Match[str]
    name: str = ""
    number: int | None = None


def statements(lines: Iterable[Line], grammar: Grammar, seats: Seats, currency: Currency) -> tuple[Statement, ...]:
    """Return the statements of the lines after the seats, to the end of the summary."""
    told: list[Statement] = []
    part = TextPart.POSTS
    number = seats.players[-1].line
    for number, text in lines:
        if (begins := grammar.parts.get(text)) is not None:
            late = begins is TextPart.SHOWDOWN and any(isinstance(one, _OF_THE_SHOWDOWN) for one in told)
            if begins.value <= part.value or late:
                raise UnreadableHand(number, f"Line {number} is out of place: {quoted(text)}.")
            part = begins
            continue
        fits = _fitting(text, part.value, grammar, seats)
        if fits is not None:
            if not fits.sentence.parts & part.value:
                raise UnreadableHand(number, f"Line {number} is out of place: {quoted(text)}.")
            try:
                tells = fits.sentence.tell(
                    SeenLine(number, fits.name, fits.found, currency, told, fits.number, seats.names)
                )
            except InvalidValue as error:
                raise UnreadableHand(number, f"Line {number}: {error}") from error
            told.extend(tells if isinstance(tells, tuple) else (tells,))
        elif part is TextPart.SUMMARY or not _is_noise(text, grammar, seats):
            raise UnreadableHand(number, f"Line {number} is not a line that {grammar.writes} writes: {quoted(text)}.")
    if part is not TextPart.SUMMARY:
        raise UnreadableHand(number, f"The hand is cut off after line {number}: its summary is missing.")
    return tuple(told)


def _fitting(text: str, part: int, grammar: Grammar, seats: Seats) -> _Fits | None:
    """Return a sentence that a line matches, preferably one that may stand in this part of the hand."""
    misplaced = None
    for fits in _about_somebody(text, grammar, seats):
        if fits.sentence.parts & part:
            return fits
        misplaced = misplaced or fits
    if misplaced is None and not _is_chat(text, grammar, seats):
        for fits in _whole(text, grammar, seats):
            if fits.sentence.parts & part:
                return fits
            misplaced = misplaced or fits
    return misplaced


def _about_somebody(text: str, grammar: Grammar, seats: Seats) -> Iterator[_Fits]:
    """Yield the sentences about a player at the table that a line matches, those with the longest name first."""
    for name in seats.names:
        if text.startswith(name):
            word = text[len(name) :].split(" ", 2)[1:2]
            for sentence in grammar.about.get(word[0], ()) if word else ():
                if found := sentence.pattern.fullmatch(text, len(name)):
                    yield _Fits(sentence, found, name)
    for before, sentences in grammar.before:
        if begun := before.match(text):
            number = int(begun["number"]) if "number" in before.groupindex else None
            for name in seats.names if number is None else seats.names_at(number):
                if text.startswith(name, begun.end()):
                    for sentence in sentences:
                        if found := sentence.pattern.fullmatch(text, begun.end() + len(name)):
                            yield _Fits(sentence, found, name, number)


def _whole(text: str, grammar: Grammar, seats: Seats) -> Iterator[_Fits]:
    """Yield the sentences that match a whole line: those without a name, and those with a name later in the line."""
    for sentence in grammar.whole:
        if found := sentence.pattern.fullmatch(text):
            groups = found.groupdict()
            if "name" not in groups or groups["name"] in seats.names:
                yield _Fits(sentence, found, groups.get("name") or groups.get("anyone") or "")


def _is_noise(text: str, grammar: Grammar, seats: Seats) -> bool:
    return _is_chat(text, grammar, seats) or any(pattern.fullmatch(text) for pattern in grammar.noise)


def _is_chat(text: str, grammar: Grammar, seats: Seats) -> bool:
    chat = grammar.chat
    return chat is not None and any(
        text.startswith(name) and chat.fullmatch(text, len(name)) is not None for name in seats.names
    )


def quoted(text: str) -> str:
    """Return a text in quotation marks for an error message, shortened to fit on a line."""
    return repr(text if len(text) <= 80 else f"{text[:80]}…")
