"""The standings of a tournament as a table of plain text."""

from collections.abc import Mapping
from itertools import pairwise

import pokersvc
from pokersvc.cli.output import wrapped
from pokersvc.text import cells, counted, listed


def table(found: "pokersvc.tournament.Standings", *, seed_follows: bool = False) -> list[str]:
    """Return the standings as lines of plain text, the best player first.

    The first line has the seed, unless it follows below.
    """
    planned = found.tournament
    game = planned.game
    best = [found.players[number] for number in found.order]
    by_round = game.round_unit is not None and planned.rounds != 1  # with one round, games and rounds are the same
    columns = [game.unit if by_round or game.round_unit is None else f"{game.unit} a {game.round_unit}", "± 95 %"]
    if by_round:
        columns += [f"a {game.round_unit}", "± 95 %"]
    if planned.measure is not None:
        columns += [planned.measure.name, "± 95 %"]
    luck = ["with luck", "± 95 %"] if planned.aivat else []
    rows = [["", "player", *columns, *luck, *(["rating", "±"] if game.rated else []), "forfeits"]]
    for place, player in enumerate(best, 1):
        cells = [cell for mean in _of_player(player, by_round=by_round) for cell in mean_cells(mean)]
        cells += [] if player.measured is None else thousandths(player.measured)
        cells += [] if player.with_luck is None else mean_cells(player.with_luck)
        rating = [] if player.rating is None else [f"{player.rating.mu:.1f}", f"{player.rating.sigma:.1f}"]
        rows.append([str(place), player.name, *cells, *rating, str(sum(player.forfeits.values()))])
    title = _title(found) + ("" if seed_follows else f", seed {planned.seed}")
    lines = [wrapped(title), "", *aligned(rows, left=(1,))]
    if len(best) > 2:
        lines += _of_pairs(found, "ahead of, in %", [meeting.ahead for meeting in found.meetings.values()])
        if not found.comparisons:
            lines += _differences(found)
    else:
        lines += ["", *_of_two(found)]
    lines += _of_candidates(found)
    if thin := [player.name for player in best if any(mean.thin for mean in _of_player(player, by_round=by_round))]:
        lines += ["", wrapped(f"{_THIN}{', '.join(thin)}")]
    for player in best:
        if player.forfeits:
            codes = ", ".join(f"{count:,} {_FORFEITED[code]}" for code, count in sorted(player.forfeits.items()))
            lines += ["", wrapped(f"{player.name} forfeited choices: {codes}")]
    lines += _doubts(found)
    for player in best:
        if player.changed:
            asked = counted(player.changed, "time")
            lines += ["", wrapped(f"{player.name} gave another policy when asked again: {asked}")]
        if player.differed_in is not None:
            lines += ["", wrapped(_DIFFERED.format(name=player.name, game=f"{player.differed_in:,}"))]
    return lines


def _doubts(found: "pokersvc.tournament.Standings") -> list[str]:
    """Return sentences on reasons why a local best response may be lower than possible."""
    name = found.players[0].name
    return [
        line
        for doubt, sentence in _DOUBTS.items()
        if (count := found.doubts.get(doubt))
        for line in ("", wrapped(sentence.format(name=name, times=counted(count, "time"))))
    ]


_DOUBTS = {
    "contradicted": "What {name} did was contrary to its policy for every hand of the range: {times}",
    "forfeited": "{name} gave no valid policy when asked for a hand of the range: {times}",
}
_THIN = "Too few deals; ± may be too narrow: "
_DIFFERED = (
    "In game {game}, {name} answered otherwise when it was asked about several games at once than when it was asked"
    " about this one; from there on it was asked about one game at a time."
)
_FORFEITED = {"raised": "by failing", "timeout": "by taking too long", "illegal": "by illegal answers"}


def _title(found: "pokersvc.tournament.Standings") -> str:
    planned = found.tournament
    said = f"{counted(planned.deals, 'deal')}, {counted(len(planned.orders), 'seat order')}"
    if len(planned.line_ups) > 1:
        said += f", {len(planned.line_ups):,} line-ups of {planned.seats}"
    after = "" if not planned.opening else f" after {counted(planned.opening, 'random move')}"
    luck = ", luck taken out" if planned.aivat else ""
    return f"{said}: {counted(planned.games, 'game')} of {_what(found)}{after}{_response(planned.lbr)}{luck}"


def _response(terms: "pokersvc.core.bots.ranges.RangeTerms | None") -> str:
    """Return, for the title, the settings by which a player is answered by local best response."""
    if terms is None:
        return ""
    when = "the last round" if terms.late else "every round"
    sizes = listed([f"{size:g}" for size in terms.sizes])
    return f", local best response (bets of {sizes} pots in {when}, {counted(terms.samples, 'hand')})"


def _what(found: "pokersvc.tournament.Standings") -> str:
    planned = found.tournament
    return planned.game.words.title(planned.game.facts(planned.game.start(planned.setup(planned.sitting(0)))))


def _of_pairs(
    found: "pokersvc.tournament.Standings", title: str, parts: "list[float] | list[float | None]", digits: int = 1
) -> list[str]:
    """Return a cross table as lines, in the order of the standings; ``parts`` are in the order of the meetings."""
    by_pair = dict(zip(found.meetings, parts, strict=True))

    def cell(one: int, other: int) -> str:
        part = by_pair.get((one, other))
        return "-" if part is None else f"{100 * part:.{digits}f}"

    header = ["", title, *(str(place) for place in range(1, len(found.order) + 1))]
    rows = [
        [str(place), found.players[one].name, *(cell(one, other) for other in found.order)]
        for place, one in enumerate(found.order, 1)
    ]
    return ["", *aligned([header, *rows], left=(1,))]


def _differences(found: "pokersvc.tournament.Standings") -> list[str]:
    """Return lines with the difference of each pair of players, the better first, and whether it is decided.

    With many players, only neighbours in the order are listed, each with the first place from which on everybody is
    decidedly worse than the better of the two.
    """
    planned, order = found.tournament, found.order
    pairs = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]
    met = [(pair, found.meetings[pair]) for pair in pairs if pair in found.meetings]
    header = ["difference", planned.game.unit, "± 95 %"]
    header += [] if planned.measure is None else [planned.measure.name, "± 95 %"]
    long = len(order) > _MOST_IN_PAIRS
    shown = [(pair, meeting) for pair, meeting in met if pair in set(pairwise(order))] if long else met
    rows = [[*header, "", *(["better from"] if long else [])]]
    for (one, other), meeting in shown:
        told = mean_cells(meeting.difference._replace(error=meeting.together))
        if meeting.measured is not None:
            told += thousandths(meeting.measured._replace(error=meeting.measured_together))
        names = f"{found.players[one].name} less {found.players[other].name}"
        from_place = [_better_from(found, one)] if long else []
        rows.append([names, *told, _decision(meeting.difference, decided=meeting.decided), *from_place])
    lines = ["", *aligned(rows, left=(0, len(header))), wrapped(_TOGETHER)]
    if long:
        decided = sum(meeting.decided for _, meeting in met)
        lines.append(wrapped(_OF_MANY.format(pairs=f"{len(met):,}", decided=f"{decided:,}")))
    powers = [meeting.power for meeting in found.meetings.values()]
    if planned.least is None or all(power is None for power in powers):
        return [*lines, *_power(found, powers)]
    return [*lines, *_of_pairs(found, f"finds {planned.least:g} {planned.least_unit}, in %", powers, digits=0)]


_MOST_IN_PAIRS = 6
"""The most players of whom all pairs are listed, at most 15 pairs."""
_OF_MANY = (
    "Of all {pairs} pairs, {decided} are decided. Only neighbours in the standings are listed; from the place in the"
    " last column on, it is decided that the first of the two is better than everybody. --json has all pairs."
)


def _better_from(found: "pokersvc.tournament.Standings", one: int) -> str:
    """Return the first place from which on everybody is decidedly worse than a player; "-" if there is none."""
    place = len(found.order)
    while (other := found.order[place - 1]) != one:
        meeting = found.meetings.get((one, other))
        if meeting is not None and (not meeting.decided or meeting.difference.value < 0):
            break
        place -= 1
    return "-" if place == len(found.order) else str(place + 1)


def _decision(difference: "pokersvc.tournament.Mean", *, decided: bool) -> str:
    """Return a word for whether a difference is decided, if it is one of many."""
    return "too few deals" if difference.thin else "decided" if decided else "undecided"


def _of_candidates(found: "pokersvc.tournament.Standings") -> list[str]:
    """Return lines with the comparisons of the first candidate for a seat with the other candidates."""
    if not found.comparisons:
        return []
    first = found.players[found.tournament.others].name
    measure = found.tournament.measure
    told_too = [] if measure is None or found.comparisons[0].measured is None else [measure.name, "± 95 %"]
    header = [f"{first}, in the same seat, less", found.tournament.game.unit, "± 95 %", *told_too, ""]
    rows = [
        [
            found.players[one.other].name,
            *mean_cells(one.difference),
            *([] if one.measured is None else thousandths(one.measured)),
            _decision(one.difference, decided=one.decided),
        ]
        for one in found.comparisons
    ]
    return [
        "",
        *aligned([header, *rows], left=(0, len(header) - 1)),
        wrapped(_TOGETHER),
        *_power(found, [one.power for one in found.comparisons]),
    ]


_TOGETHER = "The intervals hold all together; what is decided follows Holm's procedure."


def _of_two(found: "pokersvc.tournament.Standings") -> list[str]:
    one, other = found.order
    meeting = found.meetings[one, other]
    more, error = mean_cells(meeting.difference)
    names = found.players[one].name, found.players[other].name
    unit, measure = found.tournament.game.unit, found.tournament.measure
    said = f"by {more} {unit} on average (± {error})"
    if measure is not None and meeting.measured is not None:
        more, error = thousandths(meeting.measured)
        said += f", or {more} {measure.name} (± {error})"
    return [
        wrapped(f"{names[0]} ended ahead of {names[1]} in {100 * meeting.ahead:.1f} % of their games, {said}"),
        *_power(found, [meeting.power]),
    ]


def _power(found: "pokersvc.tournament.Standings", powers: "list[float | None]") -> list[str]:
    """Return a sentence on the tournament's power, if it was planned to find a least difference."""
    planned = found.tournament
    if planned.least is None:
        return []
    known = [power for power in powers if power is not None]
    won = planned.seats == 2 and not found.comparisons
    least = f"{'a win' if won else 'a difference'} of {planned.least:g} {planned.least_unit}"
    deals = counted(planned.deals, "deal")
    if not known:
        return [wrapped(f"Too few deals to say how often {deals} decide {least}.")]
    return [wrapped(f"{deals} decide {least} {100 * min(known):.0f} times in 100.")]


def _of_player(player: "pokersvc.tournament.Standing", *, by_round: bool) -> "list[pokersvc.tournament.Mean]":
    return [player.mean, player.per_round] if by_round and player.per_round is not None else [player.mean]


def mean_cells(mean: "pokersvc.tournament.Mean") -> list[str]:
    """Return a mean and its error as texts, with as many digits as the error justifies.

    >>> from pokersvc.tournament.standings import Mean
    >>> mean_cells(Mean(12.3456, 0.0123)), mean_cells(Mean(-7.0, None)), mean_cells(Mean(1234.5, 67.8))
    (['12.346', '0.012'], ['-7.00', '-'], ['1234.5', '67.8'])
    """
    if mean.error is None:
        return [f"{mean.value:.2f}", "-"]
    digits = 1 if mean.error >= 10 else 2 if mean.error >= 0.1 else 3
    return [f"{mean.value:.{digits}f}", f"{mean.error:.{digits}f}"]


def thousandths(mean: "pokersvc.tournament.Mean") -> list[str]:
    """Return a mean and its error in thousandths, as texts without decimals.

    >>> from pokersvc.tournament.standings import Mean
    >>> thousandths(Mean(1234.56, 67.8)), thousandths(Mean(-7.0, None))
    (['1235', '68'], ['-7', '-'])
    """
    return [f"{mean.value:.0f}", "-" if mean.error is None else f"{mean.error:.0f}"]


def aligned(rows: list[list[str]], *, left: tuple[int, ...]) -> list[str]:
    """Return rows as lines, aligned by columns of a terminal: a Chinese character, for example, takes two.

    >>> aligned([["", "player", "won"], ["1", "玩家", "5"]], left=(1,))
    ['  player won', '1 玩家     5']
    """
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]

    def padded(column: int, cell: str) -> str:
        padding = " " * (widths[column] - cells(cell))
        return cell + padding if column in left else padding + cell

    return [" ".join(padded(column, cell) for column, cell in enumerate(row)).rstrip() for row in rows]


def advice(tournament: "pokersvc.tournament.Tournament", spent: "Mapping[str, pokersvc.players.Spent]") -> list[str]:
    """Return a sentence for each player that in most choices mainly prepares: its file could do that once."""
    return [
        wrapped(
            f"Most of each choice of {seat.name} ({1000 * took.seconds / took.preparing:,.0f} ms) goes into imports and"
            " making its object; do what takes time at the top of the file, which is loaded once."
        )
        for seat in tournament.players
        if (took := spent.get(seat.kind)) is not None and 2 * took.preparing > took.choices
    ]
