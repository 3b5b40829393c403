"""Statistics as lines for people, and as JSON and CSV for programs."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pokersvc.cli.output import stream_json, wrapped
from pokersvc.core.counting import Figures, SeatCount, total
from pokersvc.errors import printable
from pokersvc.games.draw_poker.house.cash_table import Currency
from pokersvc.histories.statistics.rates import CONFIDENCE, Rates, ordered, rates
from pokersvc.service.read_models.statistics import ListedHand, Statistics
from pokersvc.service.read_models.tallies import CountedHand
from pokersvc.text import cells, counted, padded

if TYPE_CHECKING:
    from pokersvc.histories.statistics.discards import GivenAwaySum

Named: TypeAlias = dict[str, object]
"""A row of output for programs: name → value."""


class Row(NamedTuple):
    """A row of the statistics."""

    player: str
    site: str
    """The other site where the hands were played; empty for hands played here."""
    value: str
    """The value of the dimension by which hands are added up; empty for all hands."""
    currency: str
    exponent: int
    figures: Figures

    @property
    def rates(self) -> Rates:
        """The rates of the figures."""
        return rates(self.figures)


def rows_of(found: Statistics, by: str, names: Sequence[str]) -> list[Row]:
    """Return the rows of each player, in the order of their values; players are in the order of ``names``.

    Players are sorted by their number of hands, most first, if ``names`` is empty; opponents always are.
    """
    by_player: dict[tuple[str, str, str, int], dict[str, Figures]] = {}
    for key, figures in found.sums.items():
        by_player.setdefault((key.player, key.site, key.currency, key.exponent), {})[key.value] = figures
    hands_of = {key: total(values.values()).dealt for key, values in by_player.items()}
    asked = {name: number for number, name in enumerate(names)}
    order = sorted(by_player, key=lambda key: (asked.get(key[0], 0), -hands_of[key], key))
    return [
        Row(player, site, value, currency, exponent, by_player[player, site, currency, exponent][value])
        for player, site, currency, exponent in order
        for value in _values(by, by_player[player, site, currency, exponent])
    ]


def _values(by: str, figures: dict[str, Figures]) -> list[str]:
    return (
        sorted(figures, key=lambda value: (-figures[value].dealt, value)) if by == "opponent" else ordered(by, figures)
    )


# For people.

_HEADINGS = ("hands", "net", "bb/100", "VPIP", "PFR", "AF", "AFq", "WTSD", "W$SD")
_EXPLAINED = (
    "VPIP: put chips in by choice. PFR: raised before the draw.",
    "AF: bets and raises after the draw for each call.",
    "AFq: bets and raises, of all actions after the draw.",
    "WTSD: showdowns, of hands that saw the draw. W$SD: won.",
    "VPIP, PFR, AFq, WTSD and W$SD are in percent.",
)
_WON = 3
"""The number of headings about winnings, which come first; the other headings are about actions."""
_DRAWS = ("draws", "0", "1", "2", "3", "4", "5")


def with_discards(
    rows: Sequence[Row], given_away: "Sequence[GivenAwaySum] | None"
) -> "Iterator[tuple[Row, GivenAwaySum | None]]":
    """Yield each row with the total that its discards gave away, or with None if that figure was not requested."""
    yield from zip(rows, given_away if given_away is not None else [None] * len(rows), strict=True)


def table(
    rows: Sequence[Row],
    given_away: "Sequence[GivenAwaySum] | None" = None,
    width: int | None = None,
    by: str = "all",
) -> list[str]:
    """Return the lines to print: the tables of statistics, and notes about their units.

    Tables keep to the ``width``, if any: actions stand below winnings if there is no room beside them.
    """
    names = names_of(rows, by)
    figures = [(name, *_figures(row)) for name, row in zip(names, rows, strict=True)]
    lines = columns(("", *_HEADINGS), figures)
    if width is not None and max(map(cells, lines)) > width:
        won = columns(("", *_HEADINGS[:_WON]), [line[: _WON + 1] for line in figures], width)
        did = columns(("", *_HEADINGS[_WON:]), [(line[0], *line[_WON + 1 :]) for line in figures], width)
        lines = [*won, "", *did]
    if (whose := whose_of(rows, by)) is not None:
        lines = [wrapped(f"{whose}, {BY[by]}:"), *lines]
    sure = f", with {CONFIDENCE:.0%} confidence" if any(row.rates.within is not None for row in rows) else ""
    lines += ["", wrapped(f"bb/100 is big blinds, also in a fixed limit{sure}.")]
    lines += map(wrapped, _EXPLAINED)
    draws = [(name, *_drew(row)) for name, row in zip(names, rows, strict=True) if row.rates.drew is not None]
    if draws:
        lines += ["", wrapped("Cards drawn, in percent of the draws:"), *columns(("", *_DRAWS), draws, width)]
    raked = [(name, amount(row.figures.rake, row)) for name, row in zip(names, rows, strict=True) if row.figures.rake]
    if raked:
        lines += ["", *columns(("", "rake paid"), raked, width)]
    if given_away is not None:
        lines += ["", *_given_away(names, given_away, width)]
    return lines


_GIVEN_AWAY = ("judged", "best", "points", "worst")


def _given_away(names: Sequence[str], found: "Sequence[GivenAwaySum]", width: int | None) -> list[str]:
    known = [(name, *_away(away)) for name, away in zip(names, found, strict=True) if away.judged]
    if not known:
        return [wrapped("No discard has only known cards, so none was judged.")]
    return [
        wrapped("What a discard gave away, in points of the chance to win;"),
        wrapped("best: the share of the discards, in percent, that gave nothing away."),
        *columns(("", *_GIVEN_AWAY), known, width),
    ]


def _away(found: "GivenAwaySum") -> tuple[str, ...]:
    return (f"{found.judged:,}", percent(found.best / found.judged), f"{found.per_discard:.2f}", f"{found.worst:.2f}")


BY: Final = {
    "position": "by position",
    "opponents": "by number of opponents",
    "house": "by house",
    "opponent": "by opponent",
    "kind": "by kind of opponents",
    "day": "by day",
}
"""Dimension by which hands may be split → its words in headings."""


def names_of(rows: Sequence[Row], by: str = "all") -> list[str]:
    """Return a name for each row: the player, if there are several, and the row's value, such as an opponent."""
    several = whose_of(rows, by) is None
    whose = _whose(rows)
    return [
        printable(", ".join(filter(None, [who if several else "", _value(row, by) if several else row.value])))
        for row, who in zip(rows, whose, strict=True)
    ]


def whose_of(rows: Sequence[Row], by: str) -> str | None:
    """Return the player's name if all split rows are about one player and need not name them; None otherwise."""
    whose = set(_whose(rows))
    return printable(*whose) if len(whose) == 1 and by != "all" else None


def _whose(rows: Sequence[Row]) -> list[str]:
    """Return each row's player, with the currency if the player's rows at that site have several currencies."""
    monies: dict[tuple[str, str], dict[tuple[str, int], None]] = {}
    for row in rows:
        monies.setdefault((row.player, row.site), {})[row.currency, row.exponent] = None
    return [f"{who(row.player, row.site)}{_money(row, [*monies[row.player, row.site]])}" for row in rows]


def _money(row: Row, among: Sequence[tuple[str, int]]) -> str:
    if len(among) == 1:
        return ""
    alike = [exponent for currency, exponent in among if currency == row.currency]
    return f" ({row.currency or 'chips'}{f' to {row.exponent} decimals' if len(alike) > 1 else ''})"


def _value(row: Row, by: str) -> str:
    """Return a row's value in words that are clear beside a player's name."""
    if by == "opponents" and row.value.isdecimal():
        return counted(int(row.value), "opponent")
    return f"against {row.value}" if by in ("opponent", "kind") else row.value


def who(player: str, site: str) -> str:
    """Return a player's name, with the site if the hands were played elsewhere."""
    return f"{player} at {site}" if site else player


def _figures(row: Row) -> tuple[str, ...]:
    found = row.rates
    won = "-" if found.won_per_100 is None else f"{found.won_per_100:+,.1f}"
    won += "" if found.within is None else f" ± {found.within:,.1f}"
    factor = "-" if found.aggression_factor is None else f"{found.aggression_factor:.1f}"
    shares = map(percent, (found.vpip, found.pfr, found.aggression_frequency, found.wtsd, found.wsd))
    vpip, pfr, frequency, wtsd, wsd = shares
    net = amount(row.figures.net, row, signed=True)
    return (f"{row.figures.dealt:,}", net, won, vpip, pfr, factor, frequency, wtsd, wsd)


def _drew(row: Row) -> tuple[str, ...]:
    assert row.rates.drew is not None
    return (f"{sum(row.figures.draws):,}", *map(percent, row.rates.drew))


def percent(share: float | None) -> str:
    """Return a share in percent, without the sign; a dash for None."""
    return "-" if share is None else f"{100 * share:.0f}"


def amount(units: int, row: Row, *, signed: bool = False) -> str:
    """Return an amount in its currency."""
    plus = "+" if signed and units > 0 else ""
    currency = Currency(code=row.currency, exponent=row.exponent)
    return plus + (currency.say(units) if row.currency else f"{units:,}")


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return a table, its first column aligned left, the others right.

    A name that does not fit the ``width`` stands on a line of its own, above its numbers.
    """
    first, *widths = [max(map(cells, column)) for column in zip(headings, *rows, strict=True)]
    if width is not None and first + sum(widths) + 2 * len(widths) > width:
        room = max(0, width - sum(widths) - 2 * len(widths))
        first = max((cells(name) for name, *_ in rows if cells(name) <= room), default=2)
    lines = []
    for name, *others in (headings, *rows):
        aligned = [" " * (wide - cells(text)) + text for text, wide in zip(others, widths, strict=True)]
        if cells(name) > first:
            lines.append(name)
        beside = name if cells(name) <= first else ""
        lines.append("  ".join([padded(beside, first), *aligned]).rstrip())
    return lines


# For programs.


def flat(row: Row, by: str, away: "GivenAwaySum | None" = None) -> Named:
    """Return a row for CSV, with both counts and rates."""
    figures = _counts(row.figures)
    found = row.rates._asdict()
    found.pop("drew")
    return {
        **_which(row, by),
        **figures,
        **{f"rate_{name}" if name in figures else name: value for name, value in found.items()},
        **({} if away is None else {f"discards_{name}": value for name, value in _away_named(away).items()}),
    }


def as_json(row: Row, by: str, away: "GivenAwaySum | None" = None) -> Named:
    """Return a row for JSON."""
    counts = {name: count for name, count in _counts(row.figures).items() if not name.startswith("drew_")}
    shown = {**_which(row, by), **counts, "drew": list(row.figures.draws), "rates": row.rates._asdict()}
    return shown if away is None else {**shown, "discards": _away_named(away)}


def _away_named(away: "GivenAwaySum") -> Named:
    return {**away._asdict(), "per_discard": away.per_discard}


def _which(row: Row, by: str) -> Named:
    of, money = {"player": row.player, "site": row.site}, {"currency": row.currency, "exponent": row.exponent}
    return {**of, "by": by, "value": row.value, **money}


def print_csv(rows: Sequence[Named]) -> None:
    """Print rows as CSV with a header; nothing if there are none."""
    if rows:
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# The hands behind a number.


def list_hands(found: Iterable[ListedHand], *, as_json: bool, as_csv: bool) -> None:
    """Print the counted hands one by one, as they are found."""
    if as_json:
        stream_json(map(_hand_json, found))
    elif as_csv:
        print_csv([{**_hand_json(hand), "opponents": _names(hand.seat.opponents)} for hand in found])
    else:
        for hand in found:
            print(wrapped(_hand_line(hand), " " * 10))


def named(played: CountedHand, seat: SeatCount) -> Named:
    """Return the fields that identify a player's hand."""
    return {
        "game": played.game_id,
        "round": played.hand.round,
        "day": played.day,
        "house": played.hand.house,
        "player": seat.player,
        "site": played.hand.site,
    }


def _names(names: Sequence[str]) -> str:
    """Return names as one field, in JSON: a name may contain spaces, commas or any other separator."""
    return json.dumps(names, ensure_ascii=False)


def _hand_json(hand: ListedHand) -> Named:
    played, seat = hand.played, hand.seat
    return {
        **named(played, seat),
        "value": hand.value,
        "position": seat.position,
        "opponents": list(seat.opponents),
        "currency": played.hand.currency,
        "exponent": played.hand.exponent,
        **_counts(seat.figures),
    }


def _counts(figures: Figures) -> dict[str, int]:
    """Return counts by name, without the sums of squares, which only serve to compute confidence intervals."""
    counts = {"hands" if name == "dealt" else name: count for name, count in figures._asdict().items()}
    return {name: count for name, count in counts.items() if not name.startswith("square_")}


def _hand_line(hand: ListedHand) -> str:
    played, seat = hand.played, hand.seat
    row = Row(seat.player, played.hand.site, hand.value, played.hand.currency, played.hand.exponent, seat.figures)
    net = amount(seat.figures.net, row, signed=True)
    did = ", ".join(_did(seat.figures))
    chips = " chips" if played.hand.site and not row.currency else ""
    where = f"{played.game_id[:8]}  round {played.hand.round:>4}  {played.day}"
    return printable(f"{where}  {who(seat.player, row.site)}  {seat.position}  {net}{chips}  {did}").rstrip()


def _did(figures: Figures) -> Iterator[str]:
    words = {"walks": "walk", "vpip": "VPIP", "pfr": "PFR", "saw_draw": "saw the draw", "showdowns": "showdown"}
    yield from (word for name, word in words.items() if getattr(figures, name))
    yield from (f"drew {count}" for count, times in enumerate(figures.draws) if times)
    if figures.won:
        yield "won"
