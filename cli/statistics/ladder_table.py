"""The ranking of a ladder as a table of plain text."""

import shlex

import pokersvc
from pokersvc.cli.output import wrapped
from pokersvc.cli.statistics.standings import aligned, mean_cells, thousandths
from pokersvc.core.bots.custom_players import own_file
from pokersvc.text import counted


def table(ranking: "pokersvc.tournament.ladder.Ranking") -> list[str]:
    """Return a ranking as lines of plain text, the best bot first."""
    ladder = ranking.ladder
    lines = [wrapped(f"{ladder.name}: {_title(ranking)}"), ""]
    if ranking.ranked:
        lines += [*_rows(ranking), wrapped(_TOGETHER), ""]
        if thin := [one.member.name for one in ranking.ranked if one.mean.thin or one.rating.thin]:
            lines += [wrapped(f"Too few deals; ± may be too narrow: {', '.join(thin)}"), ""]
    if ranking.unranked:
        names = ", ".join(member.name for member in ranking.unranked)
        lines += [wrapped(f"Not ranked yet, as they have not met all others on as many deals: {names}"), ""]
    if ranking.missing_games:
        lines += [wrapped(f"{counted(ranking.missing_games, 'game')} to play: pokersvc ladder run"), ""]
    if ranking.ranked:
        lines += [wrapped(f"Play against one: {_command(ranking)}", "  "), ""]
    return lines


_TOGETHER = "The intervals of a column hold all together; `better from` follows Holm's procedure among all pairs."


def _title(ranking: "pokersvc.tournament.ladder.Ranking") -> str:
    ladder, bots = ranking.ladder, len(ranking.ranked)
    games = ranking.deals * ladder.games_per_deal * bots * (bots - 1) // 2
    seats = "" if ladder.seats == 2 else f", two by two at {counted(ladder.seats, 'seat')}"
    after = "" if not ladder.opening else f" after {counted(ladder.opening, 'random move')}"
    played = f"{counted(bots, 'bot')}, {counted(ranking.deals, 'deal')}{seats}: {counted(games, 'game')}"
    return f"{played} of {ladder.title}{after}"


def _rows(ranking: "pokersvc.tournament.ladder.Ranking") -> list[str]:
    ladder = ranking.ladder
    measure = ladder.measure
    unit = f"{ladder.game.unit} a game" if measure is None else measure.name
    by_name = all(one.member.name == one.member.kind for one in ranking.ranked)
    kind = [] if by_name else ["plays"]
    gained, rated = [unit, "± 95 %"], ["rating", "± 95 %"]
    columns = [*rated, *gained] if ladder.game.rated else [*gained, *rated]
    rows = [["", "bot", *kind, *columns, "points", "better from", "forfeits"]]
    for place, one in enumerate(ranking.ranked, 1):
        gains = mean_cells(one.mean) if one.measured is None else thousandths(one.measured)
        rating = thousandths(one.rating)
        rows.append(
            [
                str(place),
                one.member.name,
                *([] if by_name else [_kind(one.member.kind)]),
                *([*rating, *gains] if ladder.game.rated else [*gains, *rating]),
                f"{100 * one.points:.1f} %",
                "-" if one.better_from is None else str(one.better_from),
                f"{sum(one.forfeits.values()):,}",
            ]
        )
    return aligned(rows, left=(1,) if by_name else (1, 2))


def _kind(kind: str) -> str:
    """Return a bot's kind; for a file, leave out its folders."""
    file = own_file(kind)
    return kind if file is None else f"{file.file.rpartition('/')[2]}:{file.name}"


def _command(ranking: "pokersvc.tournament.ladder.Ranking") -> str:
    """Return the command that starts a game against the best bot by the rules of the ladder."""
    ladder, best = ranking.ladder, ranking.ranked[0].member
    options = [
        word
        for option, value in ladder.options.items()
        for one in (value if isinstance(value, list) else [value])
        for word in ([f"--{option.replace('_', '-')}"] if one is True else [f"--{option.replace('_', '-')}", str(one)])
    ]
    against = ["--player", "You=human", "--player", f"{best.name.partition('/')[0]}={best.kind}"]
    return shlex.join(["pokersvc", "play", "--game", ladder.kind, *options, *against])
