"""The drawing of the market: all hands by rank, the offered cards marked, and the result of an offer."""

from collections.abc import Iterator
from typing import Final

from pokersvc.cards import Card, Hand
from pokersvc.core.drawing import Line, Piece, Room, Tone, clipped_apart, fitted, flowed, width
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.typed_swaps import Picked
from pokersvc.games.poker_market.view import PokerMarketView
from pokersvc.games.poker_market.view_summary import place_in, row_note, swapped
from pokersvc.text import YOU, cells, counted, does, ordinal, padded, whose

SUITS: Final = (Tone.GREEN, Tone.BLUE, Tone.RED, Tone.BLACK)
"""The tones of clubs, diamonds, hearts and spades."""
CARD: Final = 4
"""The width of a card such as ``10♦D``, in cells."""
BESIDE_NAME: Final = 37
"""The cells that a row takes besides the name and the description of the hand."""
MOST_OF_NAME: Final = 40
LEAST_OF_NAME: Final = 4
LEAST_ROWS: Final = 2
"""The minimum number of hands drawn; if there are too few rows, the result of an offer is left out first."""


def drawn(view: PokerMarketView, room: Room, picked: Picked | None = None) -> list[Line]:
    """Return the hands in the richest drawing that fits the room; with too few rows, only the hands that matter most.

    The ``picked`` cards of a swap that is being typed are marked like an offer's, and its result is shown too.
    """
    return fitted(_drawings(_Drawn(view, picked), room), room)


def card(of: Card) -> Piece:
    """Return a card in the tone of its suit, with the letter to type for the suit after the symbol.

    >>> card(Card("10d"))
    Piece(text='10♦D', tone=<Tone.BLUE: 'blue'>)
    """
    return Piece(f"{of.symbol}{of.text[-1]}", SUITS[of.suit])


def _drawings(table: "_Drawn", room: Room) -> Iterator[list[Line]]:
    heading = table.heading(room.columns)
    if not table.view.best_first:
        yield heading
        return
    offers = table.offer(room.columns)
    rows, titles = table.rows(room.columns), table.titles()
    for above, below in (([*heading, titles], offers[0]), *((heading, offer) for offer in offers)):
        yield [*above, *rows, *below]
    for offer in offers:
        if (left := room.rows - len(heading) - len(offer)) >= LEAST_ROWS:
            yield [*heading, *table.rows_that_matter(room.columns, left), *offer]
    yield [*heading[: room.rows - 1], *table.rows_that_matter(room.columns, 1)]


class _Drawn:
    """A market to be drawn for a viewer."""

    def __init__(self, view: PokerMarketView, picked: Picked | None) -> None:
        self.view = view
        self.swap = view.proposal
        out = [seat.seat for seat in view.seats if seat.seat not in view.order]
        self.ranked = [*view.best_first, *out]
        self.marked: dict[int, Card] = {}
        self._names = dict.fromkeys(self.ranked, "")
        self._longest = 0
        if picked is not None and view.to_act is not None:
            self.swap = picked.swap
            self.marked = {view.to_act: picked.gives}
        if (asked := self.swap) is not None:
            self.marked = {asked.seat: asked.gives, asked.partner: asked.gets}

    def heading(self, columns: int) -> list[Line]:
        """Return the round and whose turn it is."""
        view = self.view
        dot = Piece(" · ", Tone.QUIET)
        said = [Piece(f"Market {view.market} of {view.rules.markets}", Tone.QUIET), dot] * (view.rules.markets > 1)
        if not view.market:
            said = [Piece("Before the deal", Tone.STRONG)]
        elif view.stage == "over":
            said.append(Piece(f"The game is over after {counted(view.round, 'round')}", Tone.STRONG))
        elif view.best_first:
            said.append(Piece(f"Round {view.round_in_market} of {view.rules.rounds}", Tone.STRONG))
        if view.to_act is not None:
            what = "turn" if view.proposal is None else "answer"
            turn = whose(view.seat(view.to_act).name, what)
            said += [dot, Piece(f"{turn[0].upper()}{turn[1:]}", Tone.TURN)]
            which = Piece(f" (turn {view.turn + 1} of {len(view.order)})", Tone.QUIET)
            said += [which] if width((*said, which)) <= columns else []
        return flowed(tuple(said), columns)

    def titles(self) -> Line:
        """Return the titles of the columns, with the numbers to type for the cards."""
        numbers = "".join(f"  {number}  " for number in range(1, 6))
        return Piece(" rank seat ".ljust(11 + self._longest), Tone.QUIET), Piece(numbers.rstrip(), Tone.QUIET)

    def rows(self, columns: int) -> list[Line]:
        """Return a row for each seat, the best hand first; descriptions of hands are shortened before names are."""
        most = min(columns - BESIDE_NAME - max(width((self._category(seat),)) for seat in self.ranked), MOST_OF_NAME)
        names = clipped_apart([self.view.seat(seat).name for seat in self.ranked], max(most, LEAST_OF_NAME))
        self._names = dict(zip(self.ranked, names, strict=True))
        self._longest = max(map(cells, names))
        return [self._row(seat, columns) for seat in self.ranked]

    def rows_that_matter(self, columns: int, most: int) -> list[Line]:
        """Return at most ``most`` lines: rows of the viewer, the offer and the best hands, then the number left out."""
        view = self.view
        wanted = [view.viewer, *self.marked, view.to_act, *self.ranked]
        chosen = list(dict.fromkeys(seat for seat in wanted if seat in self.ranked))[: max(most - 1, 1)]
        lines = [self._row(seat, columns) for seat in self.ranked if seat in chosen]
        left_out = len(self.ranked) - len(lines)
        return [*lines, (Piece(f"  and {counted(left_out, 'more hand')}", Tone.QUIET),)][:most]

    def _row(self, number: int, columns: int) -> Line:
        """Return a seat's row, with as much of the hand's description and of what the seat has done as fits."""
        view, seat = self.view, self.view.seat(number)
        row = [*self._begun(number)]
        for called in (self._called(number), self._category(number)):
            if width((*row, called)) <= columns:
                row.append(called)
                break
        notes = [row_note(view, number), *[counted(seat.points, "point")] * (view.rules.markets > 1)]
        for count in (2, 1):
            said = Piece(f"  ({', '.join(filter(None, notes[:count]))})", Tone.QUIET)
            if any(notes[:count]) and width((*row, said)) <= columns:
                row.append(said)
                break
        return tuple(row)

    def _tone(self, number: int) -> Tone:
        return Tone.MINE if self.view.viewer == number else Tone.PLAIN

    def _begun(self, number: int) -> Line:
        """Return the part of a row that is always shown: place, seat, name and cards."""
        view = self.view
        acts = view.to_act == number
        place = ordinal(view.best_first.index(number) + 1) if number in view.order else "out"
        return (
            Piece("▸" if acts else " ", Tone.TURN), Piece(f"{place:>4} ", self._tone(number)),
            Piece(f"{number:>3} ", Tone.QUIET),
            Piece(padded(self._names[number], self._longest), Tone.TURN if acts else self._tone(number)), Piece(" "),
            *self._cards(number),
        )  # fmt: skip

    def _called(self, number: int) -> Piece:
        return Piece(f" {Hand(self.view.seat(number).cards).describe()}", self._tone(number))

    def _category(self, number: int) -> Piece:
        return Piece(f" {Hand(self.view.seat(number).cards).category.label}", self._tone(number))

    def _cards(self, number: int) -> Iterator[Piece]:
        """Yield the cards of a seat, the card that is offered or asked for in brackets."""
        marked, room = self.marked.get(number), 0
        for of in self.view.seat(number).cards:
            shown = card(of)
            if of == marked:
                yield from (Piece(" " * room + "[", Tone.STRONG), shown, Piece("]", Tone.STRONG))
                room = CARD - cells(shown.text) - 1
            else:
                yield from (Piece(" " * (room + 1)), shown)
                room = CARD - cells(shown.text)
        yield Piece(" " * (room + 1))

    # The offer.

    def offer(self, columns: int) -> list[list[Line]]:
        """Return drawings of the offer, the fullest first: with results for both hands, for one hand, and for none."""
        asked, view = self.swap, self.view
        if asked is None:
            return [[]]
        giver, taker = view.seat(asked.seat), view.seat(asked.partner)
        offers = "Enter offers" if view.proposal is None else does(giver.name, "offers")
        said = (
            Piece(offers, Tone.STRONG), Piece(" "), card(asked.gives),
            Piece(f" for {whose(taker.name, '')}"), card(asked.gets),
            Piece(f" (card {taker.cards.index(asked.gets) + 1})", Tone.QUIET), Piece("."),
        )  # fmt: skip
        first = asked.seat if view.viewer == asked.seat else asked.partner
        second = asked.partner if first == asked.seat else asked.seat
        lines = flowed(said, columns)
        mine, its = (flowed(self._becomes(seat, asked), columns) for seat in (first, second))
        return [[*lines, *mine, *its], [*lines, *mine], lines]

    def _becomes(self, seat: int, asked: Propose) -> Line:
        view = self.view
        after, now = place_in(view, seat, asked), place_in(view, seat)
        tone = Tone.GOOD if after < now else Tone.BAD if after > now else Tone.PLAIN
        name = view.seat(seat).name
        return (
            Piece(f"Then {'you' if name == YOU else name}: ", Tone.MINE if view.viewer == seat else Tone.PLAIN),
            Piece(Hand(swapped(view, asked)[seat]).describe(), Tone.STRONG), Piece(", "),
            Piece(f"{ordinal(after)} (now {ordinal(now)})" if after != now else f"{ordinal(after)} as now", tone),
        )  # fmt: skip
