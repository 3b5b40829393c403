"""The drawn table: the seats with their chips, the pots, whose turn it is, and the viewer's own hand."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple, get_args

from pokersvc.cards import Hand
from pokersvc.cards.unknown import all_known
from pokersvc.core.drawing import Line, Piece, Room, Tone, width
from pokersvc.games.draw_poker.display.hand_drawn import SIZES, framed, small, without_frames
from pokersvc.games.draw_poker.display.picked_cards import Picked
from pokersvc.games.draw_poker.display.seat_rows import cut, seat_in_words, seat_rows
from pokersvc.games.draw_poker.display.telling import in_digits
from pokersvc.games.draw_poker.display.unusual_rules import not_as_expected
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import counted, whose

_BETWEEN: Final = ("between rounds", "over")
_ROWS_FOR_LARGEST: Final = 30
"""The minimum number of rows for the largest cards; with fewer rows, there is too little room for the rest."""
_MOST_OF_NAME: Final = 24
"""The maximum number of cells for a name within a sentence."""
_GAP: Final = Piece(" · ", Tone.QUIET)


_Together = Literal["none", "quiet", "all"]
_TOGETHER: Final[tuple[_Together, ...]] = get_args(_Together)


class _Plan(NamedTuple):
    """A layout of the table; there are several, which take more or less room."""

    size: int
    """The index of the card size in `SIZES`; beyond its end, cards have no frames."""
    airy: bool
    """Whether empty lines separate the parts."""
    together: _Together
    """Which seats share lines: none, those no longer in the round, or all."""
    brief: bool = False
    """Whether text that repeats what the seats and the cards show is left out above them."""


def drawn(view: DrawPokerView, room: Room, picked: Picked | None = None) -> list[Line]:
    """Return the table, drawn as large as fits the room, with the cards marked that are picked for discarding."""
    for plan in _plans(room):
        parts = _parts(view, room, plan, picked)
        lines = [line for number, part in enumerate(parts) for line in [()] * (plan.airy and number > 0) + part]
        if len(lines) <= room.rows:
            break
    else:  # nothing fits: keep the hand, and as many seats as possible
        head, seats, *rest = parts
        hand = [line for part in rest for line in part]
        lines = [*head, *seats[: max(room.rows - len(head) - len(hand), 0)], *hand][: room.rows]
    return [line if width(line) <= room.columns else _clipped(line, room.columns) for line in lines]


def _plans(room: Room) -> Iterator[_Plan]:
    """Yield the layouts of a table, the one that takes most room first."""
    fitting = [
        number
        for number, size in enumerate(SIZES)
        if size.wide <= room.columns and (number or room.rows >= _ROWS_FOR_LARGEST)
    ]
    for size in fitting:
        for together in _TOGETHER[:-1]:
            yield from (_Plan(size, airy, together) for airy in (True, False))
    for together in _TOGETHER:
        yield from (_Plan(len(SIZES), airy, together) for airy in (True, False))
        yield _Plan(len(SIZES), False, together, brief=True)


def _parts(view: DrawPokerView, room: Room, plan: _Plan, picked: Picked | None) -> list[list[Line]]:
    """Return the parts of the drawing: where the game stands, the seats, and the viewer's hand, if any."""
    together = [
        seat for seat in view.seats if plan.together == "all" or (plan.together == "quiet" and _quiet(seat, view))
    ]
    seats = seat_rows(view, [seat for seat in view.seats if seat not in together], room.columns)
    seats += flowed([seat_in_words(seat, view) for seat in together], room.columns, indent=2)
    parts = [_head(view, room.columns, brief=plan.brief), seats]
    if hand := _own_hand(view, room.columns, plan, picked):
        parts.append(hand)
    if said := not_as_expected(view):
        parts[-1] = [*parts[-1], *flowed([(Piece(said, Tone.QUIET),)], room.columns, indent=2)]
    return parts


def _quiet(seat: SeatView, view: DrawPokerView) -> bool:
    """Return whether a seat can do nothing more in this round and is not the viewer's."""
    if seat.seat in (view.viewer, view.to_act):
        return False
    return seat.standing != "in" or (seat.sitting_out and not seat.cards)


# Where the game stands.


def _head(view: DrawPokerView, columns: int, *, brief: bool) -> list[Line]:
    """Return the round, the pots, the price, and whose turn it is.

    If ``brief``, omit the sum of several pots, and whose turn it is, which a mark beside the seat shows.
    """
    if view.round == 0:
        return [(Piece("Before the first round", Tone.STRONG),)]
    of = f" of {view.rounds}" if view.rounds is not None else ""
    hand = f", hand {view.hand}" if view.table is not None and view.hand != view.round else ""
    stage = "the game is over" if view.stage == "over" else view.stage
    first: Line = (Piece(f"Round {view.round}{of}{hand}", Tone.STRONG), Piece(f": {stage}", Tone.STRONG))
    if view.stage not in _BETWEEN:
        whole = flowed([first, *_money(view, brief=brief)], columns)
        if brief:
            return whole
        return whole if len(whole) == 1 else [*flowed([first], columns), *flowed(_money(view, brief=False), columns)]
    carried: Line = (Piece(f"{in_digits(view.pot, view.table)} carried in the pot", Tone.CHIPS),)
    return flowed([first, *[carried] * bool(view.pot)], columns)


def _money(view: DrawPokerView, *, brief: bool) -> list[Line]:
    table = view.table
    said: list[Line] = [(Piece("Pot ", Tone.QUIET), Piece(in_digits(view.pot, table), Tone.CHIPS))]
    if brief and len(view.pots) > 1:
        said = []
    if len(view.pots) > 1:
        main, *sides = [in_digits(pot, table) for pot in view.pots]
        said.append((Piece("main pot ", Tone.QUIET), Piece(main, Tone.CHIPS)))
        numbers = [""] if len(sides) == 1 else [f" {number}:" for number in range(1, len(view.pots))]
        said += [
            (Piece(f"side pot{number} ", Tone.QUIET), Piece(side, Tone.CHIPS))
            for number, side in zip(numbers, sides, strict=True)
        ]
    if view.price:
        said.append((Piece("the bet is ", Tone.QUIET), Piece(in_digits(view.price, table), Tone.CHIPS)))
    if view.to_act is not None:
        one = view.seat(view.to_act)
        owed = view.price - one.put
        if owed > 0:
            due = in_digits(min(owed, one.stack) if view.rules.all_in else owed, table)
            said.append((Piece(f"{due} to call", Tone.CHIPS),))
        if brief:
            return said
        turn = whose(cut(one.name, _MOST_OF_NAME), "turn")
        said.append((Piece(f"{turn[0].upper()}{turn[1:]}", Tone.TURN),))
    return said


# The viewer's own hand.


def _own_hand(view: DrawPokerView, columns: int, plan: _Plan, picked: Picked | None) -> list[Line]:
    """Return the viewer's own hand with its rank; nothing if there is none."""
    if not isinstance(view.viewer, int) or view.stage in _BETWEEN:
        return []
    one = view.seat(view.viewer)
    if not one.cards:
        return []
    numbered = view.stage == "draw" and view.to_act == view.viewer and None not in one.cards
    out = () if picked is None else picked.cards
    if plan.size < len(SIZES):
        lines = framed(one.cards, SIZES[plan.size], numbered=numbered, picked=out)
    else:
        lines = without_frames(one.cards, numbered=numbered, picked=out)
    said = whose(cut(one.name, _MOST_OF_NAME), "hand")
    head: list[Line] = [(Piece(f"{said[0].upper()}{said[1:]}", Tone.MINE), *_what_it_is(one))]
    if one.standing == "folded":
        head.append((Piece("folded", Tone.QUIET),))
    if one.discarded and None not in one.discarded:
        thrown = [piece for card in one.discarded for piece in (Piece(" "), small(card))]
        head.append((Piece("discarded", Tone.QUIET), *thrown))
    if numbered and (picked is not None or not plan.brief):
        head.append((_picking(picked),))
    return [*flowed(head, columns), *lines]


def _picking(picked: Picked | None) -> Piece:
    """Return how to discard, in a text that never grows when cards are picked, so that the hand stays in its place."""
    if picked is None:
        return Piece("to discard, type the numbers below", Tone.QUIET)
    count = len(picked.cards)
    if count > picked.most:
        return Piece(f"{count} are too many: at most {picked.most}", Tone.BAD)
    return Piece(f"Enter discards {counted(count, 'card')}", Tone.STRONG)


def _what_it_is(seat: SeatView) -> Line:
    if len(seat.cards) != 5 or not all_known(seat.cards):
        return ()
    return Piece(": ", Tone.MINE), Piece(Hand(seat.cards).describe(), Tone.STRONG)


# Lines.


def flowed(groups: Iterable[Line], columns: int, indent: int = 0) -> list[Line]:
    """Return lines with as many groups of text as fit in each; a group wider than a line is broken between words."""
    before = Piece(" " * indent)
    lines: list[list[Piece]] = []
    for group in groups:
        if lines and width(tuple(lines[-1])) + width((_GAP, *group)) <= columns:
            lines[-1] += [_GAP, *group]
        elif indent + width(group) <= columns:
            lines.append([before, *group])
        else:
            lines += _broken(group, columns, before)
    return [tuple(line) for line in lines]


def _broken(group: Line, columns: int, before: Piece) -> list[list[Piece]]:
    lines = [[before]]
    for word in _words_of(group):
        gap = int(len(lines[-1]) > 1)
        if gap and width(tuple(lines[-1])) + gap + width(tuple(word)) > columns:
            lines.append([before])
            gap = 0
        lines[-1] += [Piece(" ")] * gap + word
    return lines


def _words_of(group: Line) -> list[list[Piece]]:
    """Return the words of a group; a word in several tones consists of one piece for each tone."""
    words: list[list[Piece]] = [[]]
    for text, tone in group:
        first, *others = text.split(" ")
        words[-1] += [Piece(first, tone)] * bool(first)
        words += [[Piece(other, tone)] * bool(other) for other in others]
    return [word for word in words if word]


def _clipped(line: Line, columns: int) -> Line:
    """Return a line cut to the width of the room, for very narrow rooms."""
    pieces: list[Piece] = []
    for text, tone in line:
        pieces.append(Piece(cut(text, columns - width(tuple(pieces))), tone))
    return tuple(pieces)
