"""A report of a game: it shows the log from its point of view, and includes the export that proves it."""

import re
from base64 import b64decode
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import Hand
from pokersvc.cli.replay.report_facts import PotShown, biggest
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from tests.cli.program import CARD, Program

STARS = Path(__file__).parents[2] / "histories/samples/pokerstars.txt"
FOLDED = ("play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")


def page_of(program: Program, *options: object, game: str = "last") -> str:
    """Return the page of a game, and leave its file."""
    (program.home / "game.html").unlink(missing_ok=True)
    said = program.run("report", game, "--html", "game.html", *options)
    assert said.startswith("game.html: game ")
    return (program.home / "game.html").read_text("utf-8")


def export_in(page: str) -> bytes:
    [data] = re.findall(r'href="data:application/octet-stream;base64,([^"]*)"', page)
    return b64decode(data, validate=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home with a game of four that went on to its end."""
    program = Program(tmp_path_factory.mktemp("whole"))
    program.run("play", "--auto", "--players", "4", "--seed", "demo", "--rounds", "12")
    return program


def test_the_page_has_the_result_and_what_each_won_and_lost(whole: Program) -> None:
    page, [game] = page_of(whole), whole.json("games")
    assert f'<p class="result">{game["result"]}</p>' in page
    legend = dict(re.findall(r"</svg>(\w+) <b>([-+\d,]+)</b>", page))
    assert {name: int(net.replace(",", "")) for name, net in legend.items()} == {
        seat["name"]: seat["score"] - 1000 for seat in game["seats"]
    }
    curves = re.findall(r'<polyline points="([^"]*)" class="hue\d"', page)
    assert [len(points.split()) for points in curves] == [game["rounds"] + 1] * 4
    heights = [float(points.split(",")[-1]) for points in curves]
    scores = [seat["score"] for seat in game["seats"]]
    assert sorted(range(4), key=lambda seat: heights[seat]) == sorted(range(4), key=lambda seat: -scores[seat])


def test_the_three_biggest_pots_are_there_with_their_hands(whole: Program) -> None:
    page = page_of(whole)
    rounds = whole.json("history", "last")["history"]
    won = {one["line"]: sum(hand["won"] for hand in one["hands"]) for one in rounds}
    told = re.findall(r"<h3>(.*?)</h3>", page)
    assert [won[unescape(line)] for line in told] == sorted(won.values(), reverse=True)[:3]
    for article in re.findall(r"<article>.*?</article>", page, re.DOTALL):
        [one] = [one for one in rounds if f"<h3>{one['line']}</h3>" in article]
        shown = [hand for hand in one["hands"] if hand["cards"] is not None]
        assert len(re.findall(r'class="card ', article)) == 5 * len(shown)
        assert article.count("not shown") == len(one["hands"]) - len(shown)


def test_hands_are_sorted_and_named_as_at_the_table_with_letters_beside_the_symbols(whole: Program) -> None:
    page = re.sub("<small>|</small>", "", page_of(whole))
    drawn = re.findall(r'<span class="called">(.*?)</span></span> <span class="hand">(.*?)</span></span>', page)
    assert drawn
    for called, cards in drawn:
        shown = re.findall(r">(10|[2-9JQKA])[♣♦♥♠]([CDHS])<", f"{cards}<")
        hand = Hand.parse(" ".join(map("".join, shown)))
        assert called == hand.describe()
        assert in_reading_order(hand.cards) == hand.cards


def test_what_a_pot_brought_stands_beside_what_was_won(program: Program) -> None:
    program.run(*FOLDED, typed="fold\nleave\n")
    put = Counter[str]()
    names = {number: seat["name"] for number, seat in enumerate(program.json("games")[0]["seats"], 1)}
    for event in program.facts():
        if event["type"] in ("BlindPosted", "Bet", "Called", "Raised"):
            put[names[event["payload"]["seat"]]] -= event["payload"]["amount"]
        if event["type"] == "UncalledBetReturned":
            put[names[event["payload"]["seat"]]] += event["payload"]["amount"]
    [won] = [hand for hand in program.json("history", "last")["history"][0]["hands"] if hand["won"]]
    put[won["name"]] += won["won"]
    said = dict(re.findall(r'class="name">(\w+).*?<span class="net">net ([-+]\d+)</span>', page_of(program)))
    assert {name: int(net) for name, net in said.items()} == dict(put)
    assert put[won["name"]] not in (0, won["won"])


def test_the_page_brings_the_export_that_it_was_checked_by(whole: Program) -> None:
    page = page_of(whole)
    (whole.home / "saved.jsonl").write_bytes(export_in(page))
    [head] = re.findall(r'<p class="head"><code>(\w{64})</code>', page)
    assert f"head {head}" in whole.run("verify", "saved.jsonl", "--head", head)
    assert f"pokersvc verify {whole.json('games')[0]['game'][:8]}.jsonl" in page


def test_the_page_asks_nobody_for_anything(whole: Program) -> None:
    page = page_of(whole)
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|<script|<link|<img|@import|url\(", page)


@pytest.mark.parametrize(
    ("as_", "sees"), [((), set()), (("--as", "Ann"), {"Ann"}), (("--as", "auditor"), {"Ann", "Bob"})]
)
def test_a_page_has_no_hand_that_its_point_of_view_may_not_see(
    program: Program, as_: tuple[str, ...], sees: set[str]
) -> None:
    program.run(*FOLDED, typed="fold\nleave\n")
    page = page_of(program, *as_)
    hands = dict(re.findall(r'<span class="name">(\w+).*?</span> <span class="(hand|never)">', page))
    assert {name for name, shown in hands.items() if shown == "hand"} == sees
    program.run("export", "last", *as_, "-o", "game.jsonl")
    assert export_in(page) == (program.home / "game.jsonl").read_bytes(), "nor does the export in it"
    mode = (program.home / "game.html").stat().st_mode & 0o077
    assert (mode == 0) == bool(sees), "a page with secrets is for its owner"


def test_a_game_that_is_on_shows_hidden_hands_only_by_force(program: Program) -> None:
    program.run(*FOLDED, typed="fold\nquit\n")
    assert "is not over" in program.refused("report", "last", "--html", "game.html", "--as", "Ann")
    assert not (program.home / "game.html").exists()
    page = page_of(program)
    assert "Unfinished after 1 round" in page
    assert not CARD.search(re.sub(r"base64,[^\"]*", "", page))
    assert 'class="hand"' in page_of(program, "--as", "Ann", "--force")


def test_before_the_first_round_is_over_there_is_no_curve_and_no_pot(program: Program) -> None:
    program.run(*FOLDED, typed="quit\n")
    page = page_of(program)
    assert "<polyline" not in page
    assert "biggest" not in page


@pytest.mark.slow
def test_a_game_without_chips_is_told_round_by_round(program: Program) -> None:
    program.run("play", "--game", "kalah", "--holes", "2", "--beans", "1", "--auto")
    page = page_of(program)
    lines = [one["line"] for one in program.json("history", "last")["history"]]
    assert all(f"<li>{line}</li>" in unescape(page) for line in lines)
    assert "<polyline" not in page


def test_each_swap_of_a_market_has_a_line_of_its_own(program: Program) -> None:
    program.run("play", "--game", "market", "--players", "3", "--rounds", "2", "--auto", "--seed", "x1")
    page = unescape(page_of(program))
    lines = [line for one in program.json("history", "last")["history"] for line in one["line"].split("\n")]
    assert len(lines) > len(program.json("history", "last")["history"]), "a round of several swaps"
    assert re.findall(r"<li>((?:Round|Ranking).*)</li>", page) == lines


def test_a_hand_that_was_kept_with_findings_is_told_as_such_in_its_currency(program: Program) -> None:
    told, *_ = STARS.read_text("utf-8").split("\n\n\n")
    (program.home / "wrong.txt").write_text(told.replace("Total pot $0.20", "Total pot $0.30"))
    assert program.ended("import", "wrong.txt", "--keep").code == 3
    page = page_of(program)
    assert ", hand 57273888010 of PokerStars, which was kept with 1 finding, as everyone may see it</p>" in page
    assert "<b>won $0.20</b>" in page
    assert "<polyline" not in page


def test_a_name_is_no_markup(program: Program) -> None:
    program.run("play", "--auto", "--player", "<b>&x\"'=minimum", "--player", "B=minimum", "--rounds", "1")
    page = page_of(program)
    assert "<b>&x" not in page
    assert "&lt;b&gt;&amp;x&quot;&#x27;" in page


def test_no_page_is_made_of_a_game_that_does_not_pass(program: Program) -> None:
    program.run("play", "--auto", "--rounds", "1")
    program.sql(
        "DROP TRIGGER events_refuse_update",
        "UPDATE events SET payload = replace(payload, '5', '6') WHERE seq = 3",
    )
    program.refused("report", "last", "--html", "game.html")
    assert not (program.home / "game.html").exists()


def test_a_file_is_never_overwritten(program: Program, whole: Program) -> None:
    mine = program.home / "mine.html"
    mine.write_text("mine")
    assert "mine.html" in whole.refused("report", "last", "--html", mine)
    assert mine.read_text() == "mine"


def test_a_report_needs_a_file(whole: Program) -> None:
    assert "--html" in whole.refused("report", "last", code=2)


@given(st.lists(st.integers(0, 5), max_size=9))
def test_of_equal_pots_the_earlier_are_told(won: list[int]) -> None:
    told = biggest([PotShown(number, "", amount, ()) for number, amount in enumerate(won, 1)])
    assert [(pot.won, pot.round) for pot in told] == sorted(
        ((amount, number) for number, amount in enumerate(won, 1)), key=lambda pot: (-pot[0], pot[1])
    )[:3]
