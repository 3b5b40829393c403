"""The page of a report: HTML and SVG in one text, without scripts and without requests."""

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Final

import pokersvc
from pokersvc.cards import Hand
from pokersvc.cli.replay.report_facts import HandShown, PotShown, ReportFacts, Winnings
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.text import counted, listed

STYLE: Final = Path(__file__).with_name("report.css")
WIDTH, HEIGHT = 600, 240
"""The size of the drawing of the curves, in SVG units; on the screen it is scaled to the page's width."""
_HUES: Final = 5
"""The number of colours for curves; with more players than colours, lines are also dashed."""
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
_CARDS: Final = 5
"""The number of cards in a full hand: only such a hand has a name, such as a pair."""


def page(facts: ReportFacts, verified: "pokersvc.Verified", export: bytes) -> str:
    """Return the page of a game as HTML, with the checked export in it."""
    started = escape(facts.summary.started_at[:16].replace("T", " "))
    game = f"game {escape(facts.summary.game_id)}" + (f", {escape(facts.origin)}" if facts.origin else "")
    return page_of(
        facts.summary.title,
        f"{started} UTC, {game}, {_seen_by(facts)}",
        [_result(facts), curve(facts.winnings), pots(facts.winnings), _lines(facts.lines), _check(verified, export)],
    )


def page_of(title: str, about: str, parts: list[str]) -> str:
    """Return a page made of its sections as HTML; ``about`` and ``parts`` are HTML too."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>
{STYLE.read_text("utf-8")}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p>{about}</p>
</header>
<main>
{"".join(filter(None, parts))}</main>
</body>
</html>
"""


def _seen_by(facts: ReportFacts) -> str:
    if facts.viewer == pokersvc.EVERYONE:
        return "as everyone may see it"
    if facts.viewer == pokersvc.AUDITOR:
        return "with every hand, as an auditor sees it"
    return f"as {escape(facts.summary.seats[int(facts.viewer) - 1].name)} saw it"


def section(title: str, content: str) -> str:
    """Return a section of the page as HTML."""
    return f"<section>\n<h2>{title}</h2>\n{content}</section>\n"


def _result(facts: ReportFacts) -> str:
    summary = facts.summary
    said = summary.result or f"Unfinished after {counted(summary.rounds, 'round')}"
    standings = "".join(f"<li>{escape(line)}</li>\n" for line in facts.standings)
    return section(
        "Result", f'<p class="result">{escape(said)}</p>\n' + (f"<ol>\n{standings}</ol>\n" if standings else "")
    )


def curve(facts: Winnings) -> str:
    """Return the section with the curves of each player's running net, and the highest, lowest and last amounts."""
    nets = facts.nets
    if not nets or len(next(iter(nets.values()))) < 2:
        return ""
    low = min(0, *map(min, nets.values()))
    high = max(0, *map(max, nets.values())) or int(not low)
    rounds = len(next(iter(nets.values()))) - 1

    def place(number: int, at: int) -> str:
        return f"{WIDTH * number / rounds:.1f},{HEIGHT * (high - at) / (high - low):.1f}"

    lines, legend = [], []
    for number, (name, net) in enumerate(nets.items()):
        style = f'class="hue{number % _HUES}{" dashed" if number >= _HUES else ""}"'
        points = " ".join(place(*at) for at in enumerate(net))
        lines.append(f'<polyline points="{points}" {style}/>\n')
        legend.append(
            f'<li><svg viewBox="0 0 24 8" aria-hidden="true"><path {style} d="M0 4H24"/></svg>'
            f"{escape(name)} <b>{facts.amount(net[-1], signed=True)}</b></li>\n"
        )
    ends = listed([f"{name} {facts.amount(net[-1], signed=True)}" for name, net in nets.items()])
    after, zero = counted(rounds, facts.units), place(0, 0).partition(",")[2]
    drawn = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img"'
        f' aria-label="After {after}: {escape(ends)}">\n'
        f'<path class="zero" d="M0 {zero}H{WIDTH}"/>\n{"".join(lines)}</svg>'
    )
    top, bottom = facts.amount(high, signed=True), facts.amount(low)
    return section(
        "Won and lost",
        f'<div class="curve"><span>{top}</span>\n{drawn}\n<span>{bottom}</span></div>\n'
        f"<p>Won or lost after each of {after}; the thin line is 0.</p>\n"
        f'<ul class="legend">\n{"".join(legend)}</ul>\n',
    )


def pots(facts: Winnings) -> str:
    """Return the biggest pots, with their hands drawn."""
    if not facts.pots:
        return ""
    title = "The biggest pots" if len(facts.pots) > 1 else "The biggest pot"
    return section(title, "".join(_pot(facts, pot) for pot in facts.pots))


def _pot(facts: Winnings, pot: PotShown) -> str:
    rows = "".join(f"<li>{_hand(facts, hand)}</li>\n" for hand in sorted(pot.hands, key=lambda hand: -hand.won))
    return f"<article>\n<h3>{escape(pot.line)}</h3>\n<ul>\n{rows}</ul>\n</article>\n"


def _hand(facts: Winnings, hand: HandShown) -> str:
    won = f" <b>won {facts.amount(hand.won)}</b>" if hand.won else ""
    net = "" if hand.net is None else f' <span class="net">net {facts.amount(hand.net, signed=True)}</span>'
    called = (
        f' <span class="called">{Hand(hand.cards).describe()}</span>'
        if hand.cards is not None and len(hand.cards) == _CARDS
        else ""
    )
    name = f'<span class="name">{escape(hand.name)}{won}{net}{called}</span>'
    if hand.cards is None:
        return f'{name} <span class="never">not shown</span>'
    cards = "".join(map(_card, in_reading_order(hand.cards)))
    return f'{name} <span class="hand">{cards}</span>'


def _card(card: "pokersvc.Card") -> str:
    """Return a card as HTML, including its suit's letter, because some people cannot tell colours or symbols apart."""
    return f'<span class="card {_SUITS[card.suit]}">{card.symbol}<small>{card.text[-1]}</small></span>'


def _lines(lines: list[str]) -> str:
    if not lines:
        return ""
    return section("Round by round", "<ul>\n" + "".join(f"<li>{escape(line)}</li>\n" for line in lines) + "</ul>\n")


def _check(verified: "pokersvc.Verified", export: bytes) -> str:
    made = verified.export
    name = escape(f"{made.game_id[:8]}.jsonl")
    data = b64encode(export).decode()
    hidden = verified.secrets - verified.shown
    left = "" if not hidden else (
        f" {counted(hidden, 'secret')}, such as hands and decks that this point of view may not see, are in it as"
        " digests alone, so what follows from them was not checked."
    )  # fmt: skip
    return section(
        "Checked",
        f"<p>The log of this game has {counted(made.count, 'event')}, each chained to the one before it by its hash."
        f" pokersvc {pokersvc.__version__} checked this copy of it when the page was made: the chain is intact, and as"
        f" far as the copy shows it, every event follows the rules and all the money is accounted for.{left}</p>\n"
        f"<p>A page can claim anything, so check it yourself:"
        f' <a download="{name}" href="data:application/octet-stream;base64,{data}">save the log</a>, then run'
        f" <code>pokersvc verify {name}</code>. It must end with this head. Whoever noted a head during the game can"
        " compare that too (<code>--head</code>).</p>\n"
        f'<p class="head"><code>{made.head.hex()}</code></p>\n'
        "<p>A log alone cannot prove that it was not made up as a whole.</p>\n",
    )
