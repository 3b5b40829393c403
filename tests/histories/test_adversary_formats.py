"""Doctored XML, PHH and OHH, which state a fact in several places: found at the right line, or not read."""

import pytest

from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.pokerstars import pokerstars

from .doctored import check_found, check_right, check_unread, told

BOSS, SIDE_POT, SITS_OUT = "6649814790", "9000000001", "2195925149"
MERGE, MERGE_SIDE, TOURNAMENT = "51234567-19", "51234568-7", "61234569-3"
PHH, DRAWN, OHH = "7", "97cdf6679101abea", "70001"
BACK = '<CARD LINK="b"></CARD>\n'
DEAL_ANN = f'<ACTION TYPE="HAND_DEAL" PLAYER="Ann">\n{BACK * 4}{BACK.strip()}</ACTION>'
FACE_UP = "".join(f'<CARD LINK="{link}"></CARD>' for link in (1, 2, 3, 6, 7))

FOUND = {
    "Boss deals a second player's cards face up": (
        BOSS,
        [(DEAL_ANN, f'<ACTION TYPE="HAND_DEAL" PLAYER="Ann">\n{FACE_UP}</ACTION>')],
        21,
    ),
    "Boss has a side pot at the draw, and nobody is all in": (
        BOSS,
        [('POT="14.00" MAINPOT="14.00" LEFTPOT=""', 'POT="14.00" MAINPOT="10.00" LEFTPOT="4.00"')],
        31,
    ),
    "Boss's pots at the draw are others, of the right sum": (
        SIDE_POT,
        [('MAINPOT="26.00" LEFTPOT="24.00"', 'MAINPOT="25.00" LEFTPOT="25.00"')],
        42,
    ),
    "Boss has one pot at the draw, where there are two": (
        SIDE_POT,
        [('MAINPOT="26.00" LEFTPOT="24.00"', 'MAINPOT="50.00" LEFTPOT=""')],
        42,
    ),
    "Boss calls the hero's winning hand by another name, and does not show it": (
        SITS_OUT,
        [('HAND="$(STR_BY_DEFAULT)"', 'HAND="$(STR_G_WIN_FULLHOUSE)"')],
        23,
    ),
    "Merge calls a mucked hand by another name": (
        MERGE_SIDE,
        [('5h,7h" player="0"', '5h,7h" player="0" hand="Pair of Twos"')],
        33,
    ),
    "a PHH of somebody who is not at the table knows what others were dealt": (
        PHH,
        [("currency = 'USD'", "currency = 'USD'\n_hero = 'Zed'")],
        8,
    ),
    "a table has fewer seats than none": (OHH, [('"table_size": 6', '"table_size": -6')], 7),
}  # fmt: skip

UNREADABLE = {
    "Boss's hero has won and lost": (BOSS, 'WIN="0.00" LOSS="2.00"', 'WIN="5.00" LOSS="7.00"', 1),
    "Boss has a side pot and no main pot": (
        BOSS,
        'RAKE="0.50" MAINPOT="13.50" LEFTPOT=""',
        'RAKE="0.50" MAINPOT="" LEFTPOT="13.50"',
        46,
    ),
    "an empty seat of Boss has chips": (BOSS, 'SEAT="1" AMOUNT="0.00"', 'SEAT="1" AMOUNT="50.00"', 2),
    "an empty seat of Boss has another's number": (BOSS, 'SEAT="1" AMOUNT', 'SEAT="2" AMOUNT', 3),
    "Boss says neither that a seat has the button nor that it has not": (
        BOSS,
        'STATE_PLAYING" DEALER="N"',
        'STATE_PLAYING" DEALER="X"',
        4,
    ),
    "Boss's player folds an amount": (BOSS, 'FOLD" PLAYER="Hero"', 'FOLD" PLAYER="Hero" VALUE="5.00"', 29),
    "Boss's player checks an amount": (BOSS, 'CHECK" PLAYER="Ann"', 'CHECK" PLAYER="Ann" VALUE="5.00"', 45),
    "Boss's player folds a card": (BOSS, 'FOLD" PLAYER="Hero">', 'FOLD" PLAYER="Hero"><CARD LINK="46"/>', 29),
    "Boss's card has a card within": (BOSS, 'LINK="51"></CARD>', 'LINK="51"><CARD LINK="1"/></CARD>', 49),
    "Boss's card is no card": (BOSS, '<CARD LINK="51"></CARD>', '<KARTE LINK="51"></KARTE>', 48),
    "Boss's new hand has four backs": (BOSS, f'COUNT="2">\n{BACK}', 'COUNT="2">\n', 32),
    "Boss's ante is a small blind": (
        BOSS,
        '<ACTION TYPE="HAND_BLINDS" PLAYER="Hero" KIND="HAND_BB"',
        '<ACTION TYPE="HAND_ANTE" PLAYER="Hero" KIND="HAND_BB"',
        7,
    ),
    "Boss's player has two results": (BOSS, '<RESULT PLAYER="Ann" WIN="0.00"', '<RESULT PLAYER="Bob B" WIN="0.00"', 48),
    "Boss's player has folded, and has a hand at the end": (
        BOSS,
        '<RESULT PLAYER="Bob B"',
        '<RESULT PLAYER="Hero" WIN="0.00" HAND="$(STR_G_WIN_PAIR)"/>\n<RESULT PLAYER="Bob B"',
        48,
    ),
    "Boss's cash game has a tournament's number": (BOSS, 'TABLETOURNEYID=""', 'TABLETOURNEYID="77"', 1),
    "Boss's currency is none": (BOSS, '"EUR"', '"eur"', 1),
    "Boss's winning cards have one twice": (BOSS, 'WINCARDS="51 38', 'WINCARDS="51 51', 48),
    "Merge's players have four cards": (MERGE, 'numholecards="5"', 'numholecards="4"', 1),
    "Merge's money is neither real nor not": (MERGE, 'realmoney="true"', 'realmoney="maybe"', 1),
    "Merge's data says that a cash game is a tournament": (MERGE, '|false"', '|true"', 1),
    "Merge's data says that a tournament is none": (TOURNAMENT, '|true"', '|false"', 1),
    "Merge's data names another table": (MERGE, "|51234567|", "|51234566|", 1),
    "Merge's start is no moment": (MERGE, '"20110909235102"', '"yesterday"', 1),
    "Merge's player is neither dealt in nor not": (MERGE, 'dealtin="true"', 'dealtin="no"', 3),
    "Merge's player checks an amount": (MERGE, '694" player="1"/>', '694" player="1" amount="0.50"/>', 16),
    "Merge's event has an event within": (
        MERGE,
        'timestamp="1315630277325" player="1"/>',
        'timestamp="1315630277325" player="1"><event sequence="99" type="BET" player="2" amount="5.00"/></event>',
        34,
    ),
    "a round of Merge has the number of the one before": (MERGE, 'DRAW" sequence="3"', 'DRAW" sequence="2"', 22),
    "Merge's players bet in the round of the blinds": (MERGE, '"PRE_FIRST_DRAW"', '"BLINDS"', 14),
    "Merge's players draw after the draw": (MERGE, '"FIRST_DRAW" sequence', '"POST_FIRST_DRAW" sequence', 22),
    "Merge's players bet after the end": (MERGE, '"POST_FIRST_DRAW"', '"END_OF_GAME"', 31),
    "Merge's players post at the end": (MERGE, '"BLINDS"', '"SHOWDOWN"', 10),
    "Merge's cash game has a level": (MERGE, "Pot Limit (", "Pot Limit Level 3 Blinds (", 1),
    "a PHH names two currencies": (PHH, "currency = 'USD'", "currency = 'USD'\n_currency = 'Doubloons'", 22),
    "a PHH's currency has no code": (PHH, "'USD'", "'usd'", 21),
    "a PHH has another currency's symbol": (PHH, "'USD'", "'USD'\ncurrency_symbol = '€'", 22),
    "a PHH without a zone has a thirteenth month": (
        PHH,
        "time_zone = 'America/Toronto'\nday = 1\nmonth = 11",
        "day = 1\nmonth = 13",
        23,
    ),
    "a PHH of a pot limit has the bets of a fixed one": (PHH, "min_bet = 0.50", "min_bet = 0.50\nbig_bet = 1", 6),
    "a PHH's button is below the table": (PHH, "currency = 'USD'", "currency = 'USD'\n_button = -4", 22),
    "a PHH's seat is below the table": (PHH, "[2, 4, 5, 9]", "[-2, 4, 5, 9]", 20),
    "a PHH's table has a character that is no text": (PHH, "table = 3", 'table = "a\\u001b[31m"', 1),
    "an OHH's hero is nobody": (OHH, '"hero_player_id": 2', '"hero_player_id": 77', 1),
    "more than the cap of an OHH is put in": (OHH, '"bet_cap": 0', '"bet_cap": 5', 20),
    "an OHH has a board": (OHH, '"cards": [], "actions"', '"cards": ["As", "Kd"], "actions"', 1),
    "an OHH's draw is in the first round": (OHH, '"street": "Flop"', '"street": "Preflop"', 26),
    "an OHH's draw is in the showdown": (OHH, '"street": "Flop"', '"street": "Showdown"', 26),
    "an OHH's first round is its last": (OHH, '"street": "Preflop"', '"street": "Flop"', 14),
    "two rounds of an OHH have one id": (OHH, '{"id": 1, "street"', '{"id": 0, "street"', 1),
    "an OHH's discard is a draw": (OHH, '{"discards": 1}', '{"discards": 1, "draws": 1}', 26),
    "an OHH's raise is a reshuffle": (
        OHH,
        '"amount": 6}',
        '"amount": 6, "x_pokersvc": {"reshuffled": true}}',
        20,
    ),
    "an OHH's reshuffle is of a player": (OHH, '15, "action"', '15, "player_id": 99, "action"', 30),
    "an OHH's raise shows a card": (OHH, '"amount": 6}', '"amount": 6, "cards": ["9c"]}', 20),
    "an OHH's player shows an amount": (
        OHH,
        '"player_id": 2, "action": "Shows Cards"',
        '"player_id": 2, "amount": 50, "action": "Shows Cards"',
        34,
    ),
    "an OHH's small blind is none, and posted": (OHH, '"small_blind_amount": 1', '"small_blind_amount": 0', 17),
    "an OHH's cash game has a tournament's number": (
        OHH,
        '"tournament": false',
        '"tournament": false, "tournament_info": {"tournament_number": "5"}',
        1,
    ),
    "an OHH's cash game has a level": (OHH, '"five-card"}', '"five-card", "level": "IV"}', 1),
    "an OHH's straddle is nobody's": (OHH, '"five-card"}', '"five-card", "straddle": 50}', 1),
    "an OHH without a limit has the bets of one": (OHH, '"five-card"}', '"five-card", "big_bet": 50}', 1),
    "an OHH's pot is several beside another": (
        OHH,
        '"rake": 3.00,',
        '"rake": 3.00, "x_pokersvc": {"several": true},',
        40,
    ),
    "an OHH's button is beyond the table": (OHH, '"dealer_seat": 5', '"dealer_seat": 77', 1),
    "an OHH's site is no text": (OHH, '"Card room"', '"\\ud800"', 1),
    "an OHH's number is no text": (OHH, '"70001"', '"\\ud800"', 1),
    "an OHH's hand has no number": (OHH, '"70001"', '""', 1),
}  # fmt: skip

RIGHT = {
    "somebody sits out after a hand of Merge's": (
        TOURNAMENT,
        [
            (
                '<round id="END_OF_GAME" sequence="6">\n',
                '<round id="END_OF_GAME" sequence="6">\n'
                '<event sequence="16" type="SIT_OUT" timestamp="1315638199000" player="3"/>\n',
            )
        ],
    ),
    "somebody sits out while Merge tells the showdown": (
        TOURNAMENT,
        [("<winner", '<event sequence="16" type="SIT_OUT" timestamp="1315638199000" player="3"/>\n<winner')],
    ),
    "an OHH's cash game has an empty tournament": (
        OHH,
        [('"tournament": false', '"tournament": false, "tournament_info": {}')],
    ),
    "an OHH's pot pays nothing to who mucked": (
        OHH,
        [
            (
                '{"player_id": 2, "win_amount": 60.00}',
                '{"player_id": 2, "win_amount": 60}, {"player_id": 9, "win_amount": 0}',
            )
        ],
    ),
    "a PHH's cards that are drawn together come one by one": (DRAWN, [('"in turn"', '"together"')]),
    "Merge's data has colons": (MERGE, [("|", ":")]),
    "Merge's start has slashes": (MERGE, [("20110909235102", "2011/09/09 23:51:02")]),
    "Boss says that who folds puts in nothing": (BOSS, [('FOLD" PLAYER="Hero"', 'FOLD" PLAYER="Hero" VALUE="0.00"')]),
    "Boss gives who folded a result of nothing": (
        BOSS,
        [
            (
                '<RESULT PLAYER="Bob B"',
                '<RESULT PLAYER="Hero" WIN="0.00" HAND="$(STR_BY_DEFAULT)"/><RESULT PLAYER="Bob B"',
            )
        ],
    ),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_is_doctored_is_found_at_its_line(what: str) -> None:
    check_found(*FOUND[what])


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_no_program_writes_is_not_read(what: str) -> None:
    check_unread(*UNREADABLE[what])


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_odd_and_right_is_read_as_it_is(what: str) -> None:
    check_right(*RIGHT[what])


def test_two_pots_of_one_winner_that_are_told_together_are_no_text_of_pokerstars() -> None:
    hand = told(
        SIDE_POT,
        ('<ACTION TYPE="HAND_BLINDS" PLAYER="Dora" KIND="HAND_DSB" VALUE="0.50"></ACTION>\n', ""),
        ('PLAYER="Dora" VALUE="29.50"', 'PLAYER="Dora" VALUE="30.00"'),
        ('POT="50.00" MAINPOT="26.00"', 'POT="49.50" MAINPOT="25.50"'),
        ('POT="47.50" RAKE="2.50" MAINPOT="23.50"', 'POT="47.00" RAKE="2.50" MAINPOT="23.00"'),
        ('PLAYER="Dora" WIN="24.00"', 'PLAYER="Dora" WIN="47.00"'),
        ('WIN="23.50" HAND="$(STR_G_WIN_FLUSH)" WINCARDS="40 43 47 48 50 "', 'WIN="0.00" HAND="$(STR_G_MUCK)"'),
        ('<CARD LINK="50">', '<CARD LINK="11">'),
    )
    assert isinstance(hand, HandHistory), hand
    assert follow(hand, "0" * 64).contradictions == ()
    with pytest.raises(CannotBeWritten, match="side pots, and does not say whom they paid"):
        pokerstars(hand)
