"""Draw poker in words: its output for people, and the parsing of their input."""

import re
from typing import Any

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Action
from pokersvc.core.event import EVERYONE, Event, Viewer, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import OPEN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, Outcome
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.recorded_hands import recorded_events
from tests.games.draw_poker.committed import cards_drawn

from .scenario import ACES, KINGS, QUEENS, Scenario, dealt, seated, stand_pat

WORDS = DrawPokerWords()
MAY_RAISE = LegalActions(fold=True, call=2, raise_to=(4, 4))


def answered(text: str, game: Scenario, legal: LegalActions | None = None) -> Action:
    """Return the action that an answer of the seat to act is parsed as."""
    assert game.to_act is not None
    return WORDS.read(text, game.view(game.to_act), legal or game.legal)


def misunderstood(text: str, game: Scenario, legal: LegalActions | None = None) -> str:
    """Return the sentence that an answer of the seat on turn is turned down with."""
    with pytest.raises(InvalidAnswer) as refused:
        answered(text, game, legal)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    return sentence


# Answers in the betting.


@pytest.mark.parametrize("text", ["bet 50", "50", "b 50", "BET 50", "  bet   50  ", "+50", "bet to 50"])
def test_a_bet_is_understood(text: str) -> None:
    assert answered(text, dealt(2)) == Bet(1, 50)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("check", Check(1)),
        ("hold", Check(1)),
        ("k", Check(1)),
        ("fold", Fold(1)),
        ("F", Fold(1)),
        ("call", Call(1)),
        ("c", Call(1)),
    ],
)
def test_plain_words_are_understood(text: str, action: Action) -> None:
    assert answered(text, dealt(2)) == action


def test_a_call_may_be_said_with_its_price() -> None:
    game = dealt(2).given(Bet(1, 70))
    assert answered("call 70", game) == Call(2)
    assert misunderstood("call 60", game) == "I don't understand 'call 60'. You can: call 70 or fold."


@pytest.mark.parametrize("text", ["raise 4", "raise to 4", "raise", "r", "4"])
def test_a_raise_is_understood(text: str) -> None:
    assert answered(text, dealt(2), MAY_RAISE) == Raise(1, 4)


def test_a_bet_of_one_possible_amount_needs_no_number() -> None:
    assert answered("bet", dealt(2, stacks=(55, 1000))) == Bet(1, 50)


def test_what_is_understood_may_still_be_illegal() -> None:
    assert dealt(2).refusal(answered("bet 5000", dealt(2))) == "illegal_amount"
    assert dealt(2).refusal(answered("-50", dealt(2))) == "illegal_amount"


@pytest.mark.parametrize("text", ["abc", "50 chips", "call me", "fold now", "1,3", "½", "AH"])
def test_what_is_no_answer_is_turned_down_with_those_there_are(text: str) -> None:
    assert misunderstood(text, dealt(2)) == f"I don't understand {text!r}. You can: bet 50 to 995 or fold."


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_answer_is_none(text: str) -> None:
    assert misunderstood(text, dealt(2)) == "No answer was given. You can: bet 50 to 995 or fold."


@pytest.mark.parametrize(("text", "amount"), [("bet abc", "abc"), ("bet 5.5", "5.5"), ("²", "²"), ("bet ٣", "٣")])
def test_an_amount_that_is_no_number_of_chips_is_turned_down_with_an_example(text: str, amount: str) -> None:
    assert misunderstood(text, dealt(2)) == f"{amount!r} is not a number of chips. You can: bet 50 to 995."


def test_a_bet_without_an_amount_is_turned_down_with_an_example() -> None:
    assert misunderstood("bet", dealt(2)).endswith(". You can: bet 50 to 995.")


# Answers in the draw.


def drawing() -> Scenario:
    return dealt(2, "AH JH 8C 3S 3C", KINGS).given(Bet(1, 50), Call(2))


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("1,3,5", "3S AH 8C"),
        ("1 3 5", "3S AH 8C"),
        (" 5, 3 ,1 ", "8C AH 3S"),
        ("2", "3C"),
        ("", ""),
        ("none", ""),
        ("Pat", ""),
        ("keep", ""),
        ("jh 3s", "JH 3S"),
        ("J♥,3♠", "JH 3S"),
        ("2 jh", "3C JH"),
    ],
)
def test_a_discard_is_named_by_numbers_from_the_left_or_cards(text: str, cards: str) -> None:
    assert answered(text, drawing()) == Discard(1, parse_cards(cards))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("9", "There is no card 9; numbers are 1 to 5, from the left."),
        ("0", "There is no card 0; numbers are 1 to 5, from the left."),
        ("10", "There is no card 10; numbers are 1 to 5, from the left."),
        ("9" * 5000, f"There is no card {'9' * 5000}; numbers are 1 to 5, from the left."),
        ("1 1", "3S is named twice; name each card once."),
        ("1 3S", "3S is named twice; name each card once."),
    ],
    ids=["9", "0", "10", "very long", "twice", "twice in two ways"],
)
def test_a_number_that_is_none_or_a_card_named_twice_is_turned_down(text: str, sentence: str) -> None:
    assert misunderstood(text, drawing()) == sentence


@pytest.mark.parametrize("text", ["xyz", "1;3", "-1", "²", "fold", "1.5"])
def test_what_is_neither_number_nor_card_is_turned_down(text: str) -> None:
    sentence = misunderstood(text, drawing())
    assert f"{text!r} is not a card" in sentence
    assert "You can also use numbers, 1 to 5 from the left." in sentence


def test_a_card_that_is_not_ones_own_is_for_the_rules_to_refuse() -> None:
    game = drawing()
    assert game.refusal(answered("KD", game)) == "not_your_card"


# Questions.


def test_the_questions_name_the_answers() -> None:
    game = dealt(2)
    assert WORDS.ask(game.view(1), game.legal) == "Bet 50 to 995 or fold"
    assert WORDS.ask(game.view(1), MAY_RAISE) == "Call 2, raise to 4 or fold"
    assert WORDS.ask(game.view(1), LegalActions(check=True, fold=True)) == "Check or fold"


def test_the_question_of_the_draw_says_how_many_and_how() -> None:
    view = drawing().view(1)
    question = WORDS.ask(view, LegalActions(discard=4))
    assert question.splitlines()[-1] == 'Discard up to 4 by number (3,4,5), "table" to compare, or Enter to keep all'
    assert WORDS.question(view, LegalActions(discard=4)).startswith("Discard up to 4 by number (5), or")
    assert WORDS.ask(view, LegalActions(discard=0)) == "No cards are left to draw: press Enter to keep your hand"


# History.


def entry(*hands: tuple[str, int], carried: int = 0, cards: list[str] | None = None) -> Entry:
    told = [{"cards": cards, "name": name, "seat": seat, "won": won} for seat, (name, won) in enumerate(hands, 1)]
    return Entry(3, {"carried": carried, "hands": told})


@pytest.mark.parametrize(
    ("of", "line"),
    [
        (entry(("Player1", 0), ("Player2", 210)), "Round 3 -- Player2 won 210"),
        (
            entry(("Player1", 105), ("Player2", 105), carried=1),
            "Round 3 -- Player1 and Player2 won 105 each, 1 carried",
        ),
        (entry(("A", 70), ("B", 70), ("C", 70)), "Round 3 -- A, B and C won 70 each"),
        (entry(("A", 70), ("B", 30), ("C", 0)), "Round 3 -- A won 70 and B won 30"),
        (entry(("A", 0), ("B", 0), carried=1), "Round 3 -- nobody won, 1 carried"),
    ],
)
def test_a_round_in_a_line(of: Entry, line: str) -> None:
    assert WORDS.line(of) == line


def test_the_hands_of_a_round_hidden_where_they_were_never_shown() -> None:
    of = entry(("Player1", 0), ("Player2", 210), cards=["Jc", "Qd", "5c", "7s", "Th"])
    assert WORDS.details(of) == ["Player1 [JC, QD, 5C, 7S, 10H]", "Player2 [JC, QD, 5C, 7S, 10H] won 210"]
    assert WORDS.details(entry(("Player1", 60), ("Player2", 0))) == ["Player1 [hidden] won 60", "Player2 [hidden]"]


def test_a_hand_of_which_no_card_was_recorded_is_unknown() -> None:
    for cards, said in ((["??"] * 5, "[unknown]"), (["Jc", "??", "??", "??", "7s"], "[JC, ??, ??, ??, 7S]")):
        assert WORDS.details(entry(("Ann", 0), ("Bob", 7), cards=cards)) == [f"Ann {said}", f"Bob {said} won 7"]


def test_who_won_the_game() -> None:
    seats = (Seat("random", "Player1"), Seat("random", "Player2"), Seat("random", "Ann"))
    assert WORDS.result(seats, Outcome.by_score((20, 1980, 0))) == "Player2 wins with $1,980"
    tie = Outcome.by_score((1000, 20, 1000))
    assert WORDS.result(seats, tie) == "Player1 and Ann win with $1,000 each"
    assert WORDS.standings(seats, (20, 1980, 0)) == ["Player1  $20", "Player2  $1,980", "Ann      $0"]
    wide = (Seat("human", "安娜"), Seat("human", "Bob"))
    assert WORDS.standings(wide, (20, 0)) == ["安娜  $20", "Bob   $0"], "two letters of two cells each"


# Events and the table.


def test_the_result_says_who_stayed_where_somebody_left_with_as_much() -> None:
    seats = (Seat("human", "Ann"), Seat("house", "Bob"), Seat("house", "Cy"))
    left = Outcome.won_by((2,), (1137, 863, 0))
    assert WORDS.result(seats, left) == "Bob did best of those who stayed, with $863; Ann brought home $1,137 and Cy $0"
    both = WORDS.result(seats, Outcome.won_by((2, 3), (1400, 800, 800)))
    assert both == "Bob and Cy stayed to the end with $800 each; Ann brought home $1,400", "nobody else can have stayed"
    even = WORDS.result(seats, Outcome.won_by((2,), (1000, 1000, 1000)))
    assert even == "Bob stayed to the end with $1,000; Ann brought home $1,000 and Cy $1,000"
    assert WORDS.result(seats, Outcome.won_by((2,), (863, 1137, 0))) == "Bob wins with $1,137", "nobody took more away"
    nobody = (*seats[:2], Seat(OPEN, "Seat 3"))
    assert WORDS.result(nobody, Outcome.won_by((2,), (137, -137, 0), (3,))) == (
        "Bob stayed to the end with -$137; Ann brought home $137"
    )


def told(game: Scenario, viewer: Viewer) -> list[str]:
    """Return a game in words for a viewer, event by event."""
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(redact(started, viewer))
    lines = [WORDS.tell(redact(started, viewer), state)]
    for event in game.log[1:]:
        seen: Any = redact(event, viewer)
        state.apply(seen)
        lines.append(WORDS.tell(seen, state))
    return lines


def test_a_round_told_to_everyone() -> None:
    game = dealt(3, ACES, KINGS, QUEENS)
    game.given(Bet(1, 50), Fold(2), Call(3), Discard(1, parse_cards("8C 6S")))
    game.given(cards_drawn(parse_cards("2H 5D"), 1), *stand_pat(3), Check(1), Check(3)).deal_on()
    assert told(game, EVERYONE) == [
        "Five-card draw, rising-ante: Player1, Player2, Player3; $1,000 each; reproducible from its seed",
        "Round 1 starts: the ante is 5",
        "Player1 antes 5",
        "Player2 antes 5",
        "Player3 antes 5",
        "The deck is shuffled",
        "Player1 is dealt 5 cards",
        "Player2 is dealt 5 cards",
        "Player3 is dealt 5 cards",
        "Player1 bets 50, the pot is 65",
        "Player2 folds",
        "Player3 calls 50, the pot is 115",
        "Player1 discards 2 cards",
        "Player1 draws 2 cards",
        "Player3 stands pat",
        "Player1 checks",
        "Player3 checks",
        "Showdown:\n  Player1 [AH, AD, 3C, 2H, 5D] pair of aces\n  Player3 [QH, QD, 10C, 5S, 4C] pair of queens",
        "Player1 wins 115",
        "Round 1 -- Player1 won 115",
    ]


def test_a_seat_is_told_its_own_cards_and_no_others() -> None:
    game = dealt(2, ACES, KINGS).given(Bet(1, 50), Call(2), Discard(1, parse_cards("8C")))
    game.given(cards_drawn(parse_cards("2H"), 1))
    assert told(game, 1)[-2:] == ["Player1 discards 8C", "Player1 draws 2H"]
    assert "Player1 is dealt AH AD 8C 6S 3C" in told(game, 1)
    assert told(game, 2)[-2:] == ["Player1 discards 1 card", "Player1 draws 1 card"]
    assert "Player1 is dealt 5 cards" in told(game, 2)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Folded("short", 1), "Player1 folds, short of chips"),
        (events.Forfeited("timeout", 1), "Player1 took too long and forfeits the choice"),
        (events.Forfeited("raised", 1), "Player1 failed and forfeits the choice"),
        (events.Forfeited("illegal", 1), "Player1 gave an illegal answer and forfeits the choice"),
        (events.RemainderCarried(1), "1 chip carried into the next round"),
        (events.DeckReshuffled(7, 1), "The deck ran out; the new one has 7 cards"),
        (events.DeckReshuffled(1, 1), "The deck ran out; the new one has 1 card"),
        (events.PlayerLeft(1, "short", 2), "Player2 cannot pay the ante and is out; 1 chip left in the pot"),
        (events.PlayerLeft(0, "withdrew", 2), "Player2 leaves the game with $1,000"),
        (events.PlayerLeft(0, "short", 2), "Player2 cannot continue and is out with $1,000"),
        (events.PotAwarded(1, "last_in", (events.Share(15, 2),)), "Player2 wins 15, the only player left"),
        (
            events.PotAwarded(1, "showdown", (events.Share(7, 1), events.Share(7, 2))),
            "Player1 wins 7; Player2 wins 7",
        ),
        (events.PotAwarded(1, "game_end", (events.Share(1, 2),)), "Player2 wins 1, the chips left in the pot"),
        (events.GameEnded("rounds", (1, 2), (2,)), "The game is over: all rounds are played"),
        (events.GameEnded("last_player", (1, 2), (2,)), "The game is over: fewer than two players can go on"),
    ],
)
def test_what_happens_is_told_in_a_sentence(event: Event, sentence: str) -> None:
    assert WORDS.tell(event, seated(2).state) == sentence


def test_the_table_shows_ones_own_hand_and_whose_turn_it_is() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Fold(1), Bet(2, 70))
    assert WORDS.show(game.view(3)) == [
        "Round 1, first betting: pot 85, the bet is 70; it is Player3's turn",
        "  Player1  $995  [hidden]  folded",
        "  Player2  $925  put in 70  [hidden]",
        "  Player3  $995  [QH, QD, 10C, 5S, 4C] pair of queens",
    ]


def test_no_card_that_a_viewer_may_not_see_is_ever_told_or_shown() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Call(2), Fold(3), *stand_pat(1, 2))
    said = " ".join([*told(game, 3), *WORDS.show(game.view(3))])
    assert not [card for card in parse_cards(f"{ACES} {KINGS}") if str(card) in said]
    assert all(str(card) in said for card in parse_cards(QUEENS))


def test_every_type_of_event_can_be_told() -> None:
    from pokersvc.games.draw_poker.display.telling import TELL

    assert set(TELL) == {
        *(*events.EVENT_TYPES.values(), *earlier_events.EVENT_TYPES.values(), *recorded_events.EVENT_TYPES.values()),
        *cash_events.CASH_EVENTS,
    }


def test_what_you_do_is_told_in_the_second_person() -> None:
    seats = (Seat("human", "You"), Seat("random", "Bob"))
    game = Scenario(DRAW_POKER.start(Setup(seats, EntropySource.from_text("a table"), 1))).ready()
    assert WORDS.show(game.view(1))[0].endswith("; it is your turn")
    game.given(Bet(1, 995), Call(2), *stand_pat(1, 2), Check(1), Check(2)).ready()
    game.deal_on()
    said = "\n".join(WORDS.tell(event, game.state) for event in game.log)
    for sentence in ("You ante 5", "You are dealt ", "You bet 995", "You stand pat", "You check", "Bob calls 995"):
        assert sentence in said
    assert not re.search(r"You \w+s\b(?<!discards)", said), said
    assert WORDS.tell(events.Folded("chosen", 1), game.state) == "You fold"
    assert WORDS.tell(events.RoundForgone(1), game.state).endswith("so you fold")
    assert WORDS.tell(events.PlayerLeft(3, "short", 1), game.state).startswith("You cannot pay the ante and are out;")
    assert WORDS.result(seats, Outcome((1980, 20), (1, 2))) == "You win with $1,980"
