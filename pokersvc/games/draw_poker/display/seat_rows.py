"""The drawn seats of a table, one per line; seats that are no longer in the round may share lines."""

from collections.abc import Sequence
from typing import Final

from pokersvc.cards import Hand
from pokersvc.cards.unknown import all_known, known_among
from pokersvc.core.drawing import Line, Piece, Tone, width
from pokersvc.core.seats import OPEN
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.display.cash_words import is_broke
from pokersvc.games.draw_poker.display.hand_drawn import in_line
from pokersvc.games.draw_poker.display.telling import dollars, in_digits
from pokersvc.games.draw_poker.display.tournament_words import say_standing
from pokersvc.games.draw_poker.net_results import brought, newcomers
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import cells, padded

_LEAST_OF_NAME: Final = 6
_SHORT_NAME: Final = 14
"""The minimum width in cells of a shortened name with its number, which leaves room for the seat's state."""
_WIDE: Final = 96
"""The minimum number of columns for the button and the blinds to be written out."""
_BRIEF: Final = {
    "button": "D",
    "small blind": "SB",
    "big blind": "BB",
    "extra blind": "extra",
    "dead money": "dead",
    "straddle": "straddle",
}


def cut(text: str, most: int) -> str:
    """Return a text cut to at most ``most`` cells; if it is too long, it ends in ``…``.

    >>> cut("Ann", 3), cut("Annabel", 3), cut("安娜", 3)
    ('Ann', 'An…', '安…')
    """
    if cells(text) <= most:
        return text
    while text and cells(text) > most - 1:
        text = text[:-1]
    return text + "…" * (most > 0)


def seat_rows(view: DrawPokerView, seats: Sequence[SeatView], columns: int) -> list[Line]:
    """Return these seats, one per line, aligned in columns."""
    if not seats:
        return []
    parts = [_parts(seat, view, brief=columns < _WIDE) for seat in seats]
    moved = [_moved(seat, view) for seat in seats]
    labels, posts, stacks = (max(cells(part[at]) for part in parts) for at in range(3))
    amounts = max(cells(amount) for _, amount, _ in moved)
    puts = amounts + max(cells(what) for what, _, _ in moved)
    others = 2 + posts + (posts > 0) + 2 + stacks + (2 + puts if puts else 0)
    stands = max(2 + width(group) for seat in seats for group in (*_standing(seat, view)[:1], ()))
    room = max(columns - others - stands, min(_SHORT_NAME, columns - others))
    label = max(min(labels, room), _LEAST_OF_NAME)
    lines = []
    for seat, (name, post, stack), (what, amount, tone) in zip(seats, parts, moved, strict=True):
        row = [
            Piece("▶ " if seat.seat == view.to_act else "  ", Tone.TURN),
            Piece(padded(cut(name, label), label), _tone_of(seat, view)),
        ]
        if posts:
            row += [Piece(" "), Piece(padded(post, posts), Tone.STRONG)]
        row += [
            Piece("  "),
            Piece(" " * (stacks - cells(stack)) + stack, Tone.QUIET if _is_out(seat, view) else Tone.PLAIN),
        ]
        if puts:
            row += [Piece("  "), Piece(padded(f"{what}{' ' * (amounts - cells(amount))}{amount}", puts), tone)]
        lines.append(_fitting(row, _standing(seat, view) + _hand(seat, view), columns))
    return lines


def say_number(seat: SeatView, view: DrawPokerView) -> str:
    """Return the number of a seat's place, padded to the width of the widest one."""
    return str(seat.number).rjust(max(len(str(one.number)) for one in view.seats))


def seat_in_words(seat: SeatView, view: DrawPokerView) -> Line:
    """Return a seat in a few words, for a line that it shares with others."""
    name, post, stack = _parts(seat, view, brief=True)
    what, amount, _ = _moved(seat, view)
    marked = "▶ " if seat.seat == view.to_act else ""
    tone = _tone_of(seat, view)
    said = " ".join(filter(None, [cut(name.lstrip(), 24), post, stack, f"{what}{amount}"]))
    return Piece(f"{marked}{said}", tone), *(piece for group in _standing(seat, view) for piece in (Piece(" "), *group))


def _fitting(row: list[Piece], more: list[Line], columns: int) -> Line:
    """Return a row extended by as many of the groups in ``more`` as fit, in order."""
    for group in more:
        if width(tuple(row)) + 2 + width(group) > columns:
            break
        row += [Piece("  "), *group]
    return tuple(row)


def _parts(seat: SeatView, view: DrawPokerView, *, brief: bool) -> tuple[str, str, str]:
    """Return three texts on a seat: its name, its button and posts, and its stack."""
    number = "" if view.table is None else f"{say_number(seat, view)} "
    posts = ["button"] * (view.button_at == seat.number)
    posts += _posted(view, seat.seat)
    post = " ".join(_BRIEF[one] for one in posts) if brief else ", ".join(posts)
    return f"{number}{seat.name}", post, dollars(seat.stack, view.table)


def _moved(seat: SeatView, view: DrawPokerView) -> tuple[str, str, Tone]:
    """Return the label, amount and tone of a seat's chips put in or, after a round, of its net result."""
    if view.stage not in ("between rounds", "over"):
        return ("put in ", in_digits(seat.put, view.table), Tone.CHIPS) if seat.put else ("", "", Tone.CHIPS)
    net = _net(seat, view)
    sign, tone = ("+", Tone.GOOD) if net > 0 else ("-", Tone.BAD)
    return ("", f"{sign}{in_digits(abs(net), view.table)}", tone) if net else ("", "", tone)


def _posted(view: DrawPokerView, seat: int) -> list[str]:
    """Return the blinds and the other posts of a seat in this round."""
    if view.stage in ("between rounds", "over"):
        return []
    happened = [event for event in view.record.round if isinstance(event, events.BlindPosted | events.Posted)]
    return [
        f"{event.blind} blind" if isinstance(event, events.BlindPosted) else _POSTED[event.kind]
        for event in happened
        if event.seat == seat
    ]


_POSTED: Final = {"extra": "extra blind", "dead": "dead money", "straddle": "straddle"}


def _tone_of(seat: SeatView, view: DrawPokerView) -> Tone:
    if seat.seat == view.to_act:
        return Tone.TURN
    if seat.seat == view.viewer:
        return Tone.MINE
    return Tone.QUIET if _is_out(seat, view) else Tone.PLAIN


def _is_out(seat: SeatView, view: DrawPokerView) -> bool:
    return seat.standing != "in" or is_broke(view, seat) or (seat.sitting_out and not seat.cards)


def _word(seat: SeatView, view: DrawPokerView) -> str:
    """Return the reason why a seat is not in the round, in a word or two."""
    if seat.kind == OPEN:
        return "open"
    if is_broke(view, seat):
        return "no chips"
    return "sits out" if seat.sitting_out and seat.standing == "in" else say_standing(seat, seat.standing)


def _standing(seat: SeatView, view: DrawPokerView) -> list[Line]:
    """Return the status of a seat beside its chips, in groups."""
    said: list[Line] = []
    if seat.all_in:
        said.append((Piece("all in", Tone.STRONG),))
    if _is_out(seat, view) or seat.sitting_out or seat.place:
        said.append((Piece(_word(seat, view), Tone.QUIET),))
    if seat.drew is not None and seat.standing == "in":
        said.append((Piece(f"drew {seat.drew}" if seat.drew else "stood pat", Tone.PLAIN),))
    return said


def _net(seat: SeatView, view: DrawPokerView) -> int:
    """Return the net result of the last round for the present holder of a seat."""
    happened = view.record.round
    return 0 if seat.seat in newcomers(happened) else dict(brought(happened)).get(seat.seat, 0)


def _hand(seat: SeatView, view: DrawPokerView) -> list[Line]:
    """Return a seat's cards and their rank; only backs if they are hidden, and nothing once they are folded."""
    over = view.stage in ("between rounds", "over")
    if not seat.cards or (seat.seat == view.viewer and not over):
        return []
    if None in seat.cards and (over or seat.standing != "in"):
        return []
    if not known_among(seat.cards) and None not in seat.cards:
        return [(Piece("??", Tone.QUIET),)]
    said = [in_line(seat.cards)]
    if len(seat.cards) == 5 and all_known(seat.cards):
        said.append((Piece(Hand(seat.cards).describe(), Tone.QUIET),))
    return said
