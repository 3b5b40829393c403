"""The drawn market, the commands that it accepts, and the answers to them."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import Forfeit, ForgoRound
from pokersvc.core.drawing import Room, Tone, plain
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, Outcome
from pokersvc.games.poker_market import POKER_MARKET
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from pokersvc.games.poker_market.view_summary import row_note
from tests.games.drawings import ROOMS, check_drawn, checked

from .scenario import Scenario, dealt, propose

WORDS = POKER_MARKET.words
DRAWN = Path(__file__).parent / "drawn"


def table(players: int, choices: int, *, name: str = "You", markets: int = 1, seed: str = "drawn") -> Scenario:
    """Return a market in which some choices were made, drawn from a seed; ``name`` sits at seat 1."""
    seats = tuple(Seat("human", name if number == 1 else f"Player{number}") for number in range(1, players + 1))
    setup = Setup(seats, EntropySource.from_text(seed), 2, {"markets": markets})
    market, random = Scenario(POKER_MARKET.new(POKER_MARKET.start(setup))), Random(seed)
    market.deal()
    for _ in range(choices):
        if (seat := market.state.to_act) is None:
            break
        market.act(any_choice(market, seat, random))
    return market


def any_choice(market: Scenario, seat: int, random: Random) -> Any:
    legal = market.state.legal(seat)
    if legal.answer is not None:
        return random.choice((Accept, Decline))(seat)
    partner, cards = random.choice(legal.gets)
    return random.choice((Pass(seat), *[Propose(seat, random.choice(legal.gives), partner, random.choice(cards))] * 2))


TABLES = {
    "two": lambda: table(2, 0),
    "offer-to-you": lambda: offered(4),
    "four-later": lambda: table(4, 7),
    "ten": lambda: table(10, 12, markets=3),
    "ten-offer": lambda: offered(10),
    "over": lambda: table(3, 99),
}


def offered(players: int) -> Scenario:
    """Return a market in which seat 2 has proposed a swap to seat 1."""
    market = table(players, 0)
    market.act(Pass(1), Propose(2, market.state.hands[2][1], 1, market.state.hands[1][3]))
    return market


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("name", TABLES)
def test_the_market_is_drawn_as_in_its_file(name: str, room: Room) -> None:
    check_drawn(DRAWN, name, WORDS, TABLES[name]().state.view(1), room)


@settings(max_examples=30, deadline=None)
@given(
    players=st.integers(2, 10),
    choices=st.integers(0, 60),
    markets=st.integers(1, 3),
    seed=st.integers(0, 999),
    columns=st.integers(20, 200),
    rows=st.integers(1, 60),
    name=st.sampled_from(["Ann", "You", "安" * 20, "Lord of The Cards"]),
    forgone=st.booleans(),
)
def test_any_market_fits_any_room_and_all_that_may_be_typed_is_understood(
    players: int, choices: int, markets: int, seed: int, columns: int, rows: int, name: str, forgone: bool
) -> None:
    market, room = table(players, choices, name=name, markets=markets, seed=f"{seed}"), Room(columns, rows)
    if forgone and market.state.to_act is not None:
        market.act(ForgoRound(max(market.state.order)))
    for viewer in (EVERYONE, 1, players):
        checked(WORDS.draw(market.state.view(viewer), room), room)
        if columns >= 60 and rows >= players + 2:
            drawn = "\n".join(plain(WORDS.draw(market.state.view(viewer), room)))
            held = {card for seat in market.view.seats for card in seat.cards}
            assert {card for card in held if f"{card.symbol}{card.text[-1]}" in drawn} == held
    if (seat := market.state.to_act) is None:
        return
    view, legal = market.state.view(seat), market.state.legal(seat)
    assert WORDS.moment(view, legal)
    assert WORDS.advise(view, legal)
    completions = WORDS.completions(view, legal)
    for typed in [short.typed for short in WORDS.shortcuts(view, legal)] + completions:
        market.state.decide(WORDS.read(typed, view, legal))
        assert WORDS.why_not(typed, view, legal) is None
    allowed: set[Any] = {Accept(seat), Decline(seat)} if legal.answer is not None else {Pass(seat)}
    for partner, cards in legal.gets:
        allowed |= {Propose(seat, give, partner, get) for give in legal.gives for get in cards}
    assert {WORDS.read(text, view, legal) for text in completions} == allowed
    by_number = {
        WORDS.read(f"{mine} {partner}.{its}", view, legal)
        for partner, _ in legal.gets
        for mine in range(1, 6)
        for its in range(1, 6)
    }
    assert by_number == {one for one in allowed if isinstance(one, Propose)}
    for line in WORDS.advise(view, legal) or []:
        market.state.decide(WORDS.read(line.split("  ")[0], view, legal))


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ann", "Player2", "Player3"], ["Ann", "Player2", "Player3"]),
        (["Ann", "Player1", "Player10"], ["Ann", "Player1", "Play…10"]),
        (["Lord of The Cards", "Lord of The Manor", "Bob"], ["Lord…s", "Lord…r", "Bob"]),
        (["Lady Ada of The Cards", "Lord Bob", "安" * 9], ["Lady A…", "Lord B…", "安安安…"]),
    ],
)
def test_words_for_a_hand_give_way_to_names_and_names_stay_apart(names: list[str], shown: list[str]) -> None:
    market = dealt()
    seats = tuple(replace(seat, name=name) for seat, name in zip(market.view.seats, names, strict=True))
    rows = plain(WORDS.draw(replace(market.view, seats=seats), Room(60, 12)))[2:5]
    assert "three of a kind" in rows[0]
    drawn = [re.sub(r" +\S+[♣♦♥♠].*", "", row[10:]) for row in rows]
    assert sorted(drawn) == sorted(shown)


def test_suits_have_four_colours_and_letters_and_offered_cards_brackets() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    lines = WORDS.draw(market.state.view(2), Room(80, 16))
    tones = {piece.text: piece.tone for line in lines for piece in line}
    assert (tones["7♣C"], tones["2♦D"], tones["K♥H"], tones["K♠S"]) == (Tone.GREEN, Tone.BLUE, Tone.RED, Tone.BLACK)
    drawn = plain(lines)
    assert "[7♣C]" in drawn[3]
    assert "[K♠S]" in drawn[4]
    assert drawn[0] == "Round 1 of 1 · Player2's answer (turn 1 of 3)"
    assert drawn[-3:] == [
        "Player1 offers 7♣C for Player2's K♠S (card 3).",
        "Then Player2: pair of threes, 3rd as now",
        "Then Player1: three of a kind, kings, 1st (now 2nd)",
    ]


def test_what_each_seat_has_done_in_the_round_stands_in_its_row() -> None:
    market = dealt(rounds=2)
    market.act(propose(1, "7C", 2, "KS"), Decline(2), Pass(2))
    rows = {line[10:17]: line for line in plain(WORDS.draw(market.state.view(1), Room(100, 16)))[2:]}
    assert rows["Player1"].endswith("(declined by seat 2)")
    assert rows["Player2"].endswith("(passed)")
    market.swap(3, "5D", 1, "2D")
    rows = {line[10:17]: line for line in plain(WORDS.draw(market.state.view(1), Room(100, 16)))[2:]}
    assert rows["Player3"].endswith("(3rd turn)"), "a new round begins with nothing done"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("accept", "Nothing is proposed to you now: it is your turn to propose a swap, or to pass."),
        ("d", "Nothing is proposed to you now"),
        ("KD for KH", "You hold KH yourself, and a swap is with another player: name a card of theirs."),
        ("1 1.2", "You hold KH yourself"),
        ("QS for KS", "You do not hold QS: you offer a card of your own, one of KD KH 7C 4S 2D."),
        ("KD for Player2's QS", "Player2 does not hold QS: Player2 has 3C 3H KS 9D 8C."),
        ("KD for AS", "Nobody at the table holds AS; it is still in the deck."),
        ("6 2.1", "There is no card 6; the cards of Player1 are 1 to 5."),
        ("1 9.1", "There is no seat 9; seats are 1 to 3."),
    ],
)
def test_why_a_swap_is_none_is_said_by_its_rule(text: str, said: str) -> None:
    market = dealt()
    why = WORDS.why_not(text, market.view, market.state.legal(1))
    assert why is not None
    assert why.startswith(said)


def test_an_open_proposal_is_answered_first() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    for text in ("pass", "1 3.1", "3C for KD"):
        assert WORDS.why_not(text, market.view, market.state.legal(2)) == (
            "Player1 waits for your answer: one proposal is open at a time, so accept it or decline it first."
        )
    for text in ("a", "decline", "hello"):
        assert WORDS.why_not(text, market.view, market.state.legal(2)) is None


def test_nobody_swaps_with_who_is_out_of_the_market() -> None:
    market = dealt()
    market.act(ForgoRound(3))
    why = WORDS.why_not("1 3.1", market.view, market.state.legal(1))
    assert why == "Player3 is out of this market: nobody swaps with them."


@pytest.mark.parametrize("text", ["1 2.3", "1 2:3", "KD KS", "kd ks", "K♦ K♠"])
def test_a_swap_needs_no_word(text: str) -> None:
    market = dealt()
    assert WORDS.read(text, market.view, market.state.legal(1)) == propose(1, "KD", 2, "KS")


def test_advice_names_the_best_swap_next_to_the_prompt() -> None:
    market = dealt()
    legal = market.state.legal(1)
    lines = WORDS.advise(market.view, legal)
    assert lines is not None
    assert lines == (WORDS.explain("odds", market.view, legal) or [])[::-1]
    assert lines[0].split("  ")[0] in ("3 2.3", "4 2.3", "5 2.3"), "a third king for a card that pairs nothing"
    assert re.search(r"three of a kind, kings, 1st  accepted about \d+ times of 100$", lines[0])
    assert lines[-1].split() == ["p", "pass", "pair", "of", "kings,", "2nd", "as", "now"]
    assert WORDS.takes_advice(" O ", legal)
    assert not WORDS.takes_advice("pass", legal)


def test_advice_on_an_answer_has_the_better_one_first() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    assert WORDS.advise(market.view, market.state.legal(2)) == [
        "d  decline: pair of threes, 3rd as now",
        "a  accept: pair of threes, 3rd",
    ]
    market = dealt()
    market.act(propose(1, "KD", 2, "9D"))
    lines = WORDS.advise(market.view, market.state.legal(2))
    assert lines is not None
    assert lines[0] == "a  accept: two pair, kings and threes, 2nd"


def test_the_moment_has_the_rules_of_a_turn_or_of_an_answer() -> None:
    market = dealt(rounds=3, markets=2)
    said = " ".join(WORDS.moment(market.view, market.state.legal(1)))
    assert "also who has passed, and who has declined before" in said
    assert "2 rounds follow this one; then the best hand scores 3 points and the worst 1. You would be 2nd now." in said
    assert "yours is turn 1 of 3" in said
    assert "This is market 1 of 2" in said
    market.act(propose(1, "7C", 2, "KS"))
    said = " ".join(WORDS.moment(market.view, market.state.legal(2)))
    assert said.startswith("Player1 offers 7C for your KS. Accept,")
    assert said.endswith("two pair, one pair, high card. Type accept or yes, or decline or no.")


def test_you_reads_as_english() -> None:
    market = table(3, 0)
    state, mine = market.state, [str(card) for card in market.state.hands[1]]
    theirs, said = [str(card) for card in state.hands[2]], []
    for action in (
        propose(1, mine[0], 2, theirs[0]), Accept(2), propose(2, theirs[1], 1, mine[1]), Decline(1), Pass(3), Pass(1),
    ):  # fmt: skip
        said.append(WORDS.tell(market.take(state.decide(action)), state))
        market.deal()
    told = ". ".join(said)
    assert f"You propose {mine[0]} for Player2's {theirs[0]}" in told
    assert f"Player2 proposes {theirs[1]} for your {mine[1]}" in told
    assert "You decline" in told
    assert "You pass" in told
    assert not re.search(r"\bYou (?:\w*[^s\W]s|is|was|has)\b", told)
    gave = {"name": "Bob", "partner_name": "You", "gives": "2c", "gets": "3d"}
    assert WORDS.line(Entry(1, {"swaps": [gave], "ranking": None})) == "Round 1 -- Bob gave you 2C for 3D"
    assert WORDS.result(state.seats, Outcome.by_score((9, 4, 5))) == "You win with 9 points"
    assert "your turn" in WORDS.show(table(3, 0).state.view(1))[0]


def test_a_forfeit_is_told() -> None:
    market = table(3, 0)
    event = market.take(market.state.decide(Forfeit(1, "timeout")))
    assert WORDS.tell(event, market.state) == "You took too long and forfeit the choice"


def test_the_last_round_of_a_market_brings_points() -> None:
    ranking = [{"seat": 2, "points": 2, "name": "B"}, {"seat": 1, "points": 1, "name": "A"}]
    assert WORDS.net(Entry(5, {"ranking": ranking})) == [(1, 1), (2, 2)]
    assert WORDS.net(Entry(4, {"ranking": None})) == []


# What is picked, while a swap is typed.


def marked(text: str) -> list[str]:
    """Return the market as it is drawn while a text is typed; nothing where it picks nothing."""
    market, room = dealt(), Room(80, 16)
    lines = WORDS.draw_picked(text, market.state.view(1), market.state.legal(1), room)
    return [] if lines is None else plain(checked(lines, room))


@pytest.mark.parametrize("text", ["3", "7C", "7c for", "offer my 3", "3 2.", "3 2.9", "3 1.1", "3 for Bob's QS"])
def test_the_card_that_a_text_offers_is_marked(text: str) -> None:
    assert re.findall(r"\[.*?\]", "\n".join(marked(text))) == ["[7♣C]"]


@pytest.mark.parametrize("text", ["3 2.3", "7C KS", "7C for Player2's KS"])
def test_a_whole_swap_is_marked_with_what_it_would_make_of_the_hands(text: str) -> None:
    shown = marked(text)
    assert re.findall(r"\[.*?\]", "\n".join(shown)) == ["[7♣C]", "[K♠S]"]
    assert shown[0] == "Round 1 of 1 · Player1's turn (turn 1 of 3)"
    assert shown[-3:] == [
        "Enter offers 7♣C for Player2's K♠S (card 3).",
        "Then Player1: three of a kind, kings, 1st (now 2nd)",
        "Then Player2: pair of threes, 3rd as now",
    ]


@pytest.mark.parametrize("text", ["", "p", "9", "QS", "hello", "o"])
def test_what_offers_no_card_marks_none(text: str) -> None:
    assert marked(text) == []


def test_an_answer_picks_nothing() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    assert WORDS.draw_picked("1", market.view, market.state.legal(2), Room(80, 16)) is None


def notes(market: Scenario) -> tuple[str, ...]:
    return tuple([row_note(market.state.view(EVERYONE), seat) for seat in (1, 2, 3)])


def test_a_row_says_what_became_of_a_seat_s_turn_and_whose_is_yet_to_come() -> None:
    market = dealt()
    assert notes(market) == ("", "2nd turn", "3rd turn")
    market.swap(1, "7C", 2, "KS")
    assert notes(market) == ("swapped with seat 2", "", "3rd turn")
    market.act(propose(2, "3C", 3, "6C"))
    assert notes(market) == ("swapped with seat 2", "", "3rd turn")
    market.act(Decline(3))
    assert notes(market) == ("swapped with seat 2", "declined by seat 3", "")


def test_who_forfeits_an_answer_has_declined_and_who_forfeits_a_turn_has_forfeited() -> None:
    market = dealt()
    market.act(Forfeit(1, "timeout"))
    assert notes(market) == ("forfeited", "", "3rd turn")
    market.act(propose(2, "3C", 3, "6C"), Forfeit(3, "timeout"))
    assert notes(market) == ("forfeited", "declined by seat 3", "")
