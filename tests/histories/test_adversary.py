"""Carefully doctored hands are found at the right line, and unusual but valid hands are read."""

import pytest

from .doctored import check_found, check_right, check_unread

SIDE, THREE, RESHUFFLE, LEVEL = "100000000001", "100000000002", "100000000004", "100000000006"
NEW_HAND = '<cards type="DRAW_DRAWN_CARDS" cards="8d,7h,9c,7c,2s" player="1" hand="Pair of Sevens"/>'

FOUND = {
    "two side pots are paid to one winner each, who share both": (
        THREE,
        [
            ("Cid collected $30 from side pot-2\nHero collected $30", "Cid collected $60"),
            ("Cid collected $30 from side pot-1\nHero collected $30", "Hero collected $60"),
        ],
        24,
    ),
    "a side pot is paid to who is all in for less": (
        SIDE,
        [("Hero collected $6 from side pot", "Bob B collected $6 from side pot")],
        29,
    ),
    "the button is at an empty seat, and the summary has it elsewhere": (
        THREE,
        [("Seat #2 is the button", "Seat #3 is the button")],
        32,
    ),
    "the button is at a seat from which another would have the blind": (
        "49909572764",
        [("Seat #", "Seat #9")],
        8,
    ),
    "one ante is twice the level's": (LEVEL, [("Hero: posts the ante 10", "Hero: posts the ante 20")], 7),
    "one ante is missing": (LEVEL, [("Cid: posts the ante 10\n", "")], 13),
    "the blinds are another level's": (LEVEL, [("Level IV (50/100)", "Level IV (100/200)")], 11),
    "a winner mucks before a loser shows": (
        SIDE,
        [("Hero: shows [Ah As Jc 5d 6h] (a pair of Aces)\nCid", "Hero: mucks hand\nCid")],
        27,
    ),
    "a player draws a card that the player has thrown away": (
        SIDE,
        [("[Jc 5d 6h]", "[3c 5d 6h]"), ("Ah As Jc 5d 6h", "Ah As 3c 5d 6h")],
        20,
    ),
    "another shows what was thrown away, and no deck was made anew": (
        SIDE,
        [("[8c 8d 8h Kc Kd]", "[8c 8d 8h 4d 4c]"), ("Eights full of Kings", "Eights full of Fours")],
        30,
    ),
    "of two whose names begin alike the other acts": (
        THREE,
        [("Bob: folds: raises $20 to $30 and is all-in", "Bob: folds")],
        13,
    ),
    "cards are dealt to who stood pat": (
        THREE,
        [("on [9d Td Jd Qs Ks]", "on [9d Td Jd Qs Ks]\nDealt to Hero [9d Td Jd Qs] [Ah]")],
        19,
    ),
    "the house takes more than the pots had": (
        "57273888010",
        [("Rake $0", "Rake $0.30"), ("Total pot $0.20", "Total pot $0.50")],
        21,
    ),
    "net and stack are wrong by the same amount": (
        "R5-46987275-232",
        [("Hero ($0.90), net: -$0.10", "Hero ($0.80), net: -$0.20")],
        31,
    ),
    "a raise is told with another sum than it adds": (
        "R5-46987275-232",
        [("raises $0.10 to $0.10", "raises $0.05 to $0.10")],
        16,
    ),
    "Merge's dealer button is at a seat far away": ("51234567-19", [('dealer="2"', 'dealer="9"')], 10),
    "Merge calls the hand that was dealt by another name": (
        "51234567-19",
        [('7c,6s" player="1" hand="Pair of Sevens"', '7c,6s" player="1" hand="Pair of Aces"')],
        20,
    ),
    "Merge calls the new hand by another name": ("51234567-19", [(NEW_HAND, NEW_HAND.replace("Sevens", "Nines"))], 28),
    "an OHH's rake is as large as its main pot": ("70001", [('"rake": 3.00', '"rake": 63.00')], 40),
    "a raise is more than the pot, and all after it follows": (
        "15504835000",
        [
            ("raises $2 to $3", "raises $3 to $4"),
            ("calls $2.50", "calls $3.50"),
            ("Cid: calls $2", "Cid: calls $3"),
            ("pot $19 |", "pot $22 |"),
            ("$18.10", "$21.10"),
        ],
        10,
    ),
    "a raise is less than the least, and all after it follows": (
        "12327327470",
        [
            ("raises to $1\n", "raises to $0.75\n"),
            ("Bob B calls $0.75", "Bob B calls $0.50"),
            ("Cid calls $0.50", "Cid calls $0.25"),
            ("Eve calls $0.50\n*** DRAW *** (Pot: $4)", "Eve calls $0.25\n*** DRAW *** (Pot: $3)"),
            ("$12", "$11"),
            ("$11.40", "$10.40"),
        ],
        16,
    ),
    "the last round's bets are the first's, and all after them follows": (
        "13059921315",
        [
            ("bets $0.20", "bets $0.10"),
            ("Hero: calls $0.20", "Hero: calls $0.10"),
            ("$1.05", "$0.85"),
            ("collected $1 from", "collected $0.80 from"),
            ("won ($1)", "won ($0.80)"),
        ],
        22,
    ),
    "the main pot goes to another than the best hand, in the summary too": (
        SIDE,
        [
            ("Bob B collected $7.30 from main", "Hero collected $7.30 from main"),
            ("and won ($7.30) with a full", "and lost with a full"),
            ("6h] and won ($6)", "6h] and won ($13.30)"),
        ],
        31,
    ),
    "a mucked hand that the summary reveals is the best": (
        "79625180593",
        [("[4h Ks 3s Jc 7h]", "[4h 4s 3s Jc 7h]")],
        23,
    ),
    "somebody shows a card that the hero was dealt and folded": (
        "79625180593",
        [("Th Qc 7c", "Td Qc 7c")],
        22,
    ),
    "a tie is paid that is none": (
        "22000000002",
        [("9c 5h 3d] Ace King", "9c 5h 2d] Ace King"), ("9c 5h 3d] and won", "9c 5h 2d] and won")],
        21,
    ),
    "OnGame says another result, and the stack that goes with it": (
        "R5-46987275-232",
        [("Hero ($0.90), net: -$0.10", "Hero ($0.91), net: -$0.09")],
        31,
    ),
    "OnGame says another winner, with the stacks and results that go with it": (
        "R5-46987275-233",
        [
            ("won by Eve ($0.26)", "won by Ann ($0.26)"),
            ("Eve ($0.72), net: +$0.21", "Eve ($0.46), net: -$0.05"),
            ("Ann ($0), net: -$0.05", "Ann ($0.26), net: +$0.21"),
        ],
        40,
    ),
    "Boss's pots at the draw are not what they come to": (
        "6649814790",
        [('POT="14.00" MAINPOT="14.00"', 'POT="14.00" MAINPOT="13.00"')],
        31,
    ),
    "Boss's pots change places, in what they pay too": (
        "9000000001",
        [
            ('PLAYER="Dora" WIN="24.00"', 'PLAYER="Dora" WIN="23.50"'),
            ('B" WIN="23.50"', 'B" WIN="24.00"'),
            ('MAINPOT="23.50" LEFTPOT="24.00"', 'MAINPOT="24.00" LEFTPOT="23.50"'),
        ],
        61,
    ),
    "Merge's pots change places": (
        "51234568-7",
        [('potnumber="2" player="3"', 'potnumber="1" player="3"'), ('number="1" player="1"', 'number="2" player="1"')],
        35,
    ),
    "an OHH's rake was taken of another pot": (
        "70001",
        [('"rake": 3.00', '"rake": 2.00'), ('"amount": 60.00, "rake": 0', '"amount": 60.00, "rake": 1.00')],
        40,
    ),
    "a PHH's stacks and winnings are another player's": (
        "7",
        [
            ("finishing_stacks = [19.75, 20.50, 28.75, 0]", "finishing_stacks = [19.75, 5.25, 28.75, 15.25]"),
            ("winnings = [0, 15.25, 0, 0]", "winnings = [0, 0, 0, 15.25]"),
        ],
        27,
    ),
    "a PHH pays who has folded": ("7", [("[0, 15.25, 0, 0]", "[15.25, 0, 0, 0]")], 28),
    "a seat has a number that no table has": ("7", [("[2, 4, 5, 9]", "[2, 4, 5, 140]")], 1),
    "somebody shows another hand than the known part of what was dealt": (
        "7",
        [("sm KdKcQdQc2c", "sm KhKcQdQc2c")],
        15,
    ),
    "somebody shows too little of what was dealt, by as many as were changed unseen": (
        "7",
        [("'p4 sd',", "'p4 sd ??',"), ("'d dh p2 Ts',", "'d dh p2 Ts', 'd dh p4 ??',"), ("KdKcQdQc2c", "KhKcQhQc2c")],
        15,
    ),
    "somebody is dealt what is the known part of another's hand": ("7", [("'d dh p2 As'", "'d dh p2 Kd'")], 8),
    "somebody discards more than is left beside the known part of the hand": (
        "7",
        [("??Kd????Qd", "2hKd3h??Qd"), ("'p4 sd',", "'p4 sd 8h8c',")],
        12,
    ),
    "somebody shows another card than the known part of what was drawn": (
        "7",
        [("'p4 sd',", "'p4 sd ????',"), ("'d dh p2 Ts',", "'d dh p2 Ts', 'd dh p4 2d??',")],
        15,
    ),
    "somebody draws what another drew, as the known part of a draw": (
        "7",
        [("'p4 sd',", "'p4 sd ????',"), ("'d dh p2 Ts',", "'d dh p2 Ts', 'd dh p4 Ts??',")],
        13,
    ),
    "an OHH says of the last chip that it is not": (
        "70001",
        [('"amount": 19, "is_allin": true', '"amount": 19, "is_allin": false')],
        21,
    ),
    "an OHH says of a chip that it is the last, and it is not": (
        "70001",
        [('"amount": 6}', '"amount": 6, "is_allin": true}')],
        20,
    ),
    "a seat's number is above the table's size": ("57273888010", [("Seat 4: Hero", "Seat 7: Hero")], 6),
    "the house takes rake in a tournament, and all after it follows": (
        LEVEL,
        [
            ("638 Main pot 32. Side pot 606. | Rake 0", "638 Main pot 26. Side pot 606. | Rake 6"),
            ("collected 32 from main", "collected 26 from main"),
            ("won (638)", "won (632)"),
        ],
        28,
    ),
    "Merge pays less than a tournament's pot": ("61234569-3", [('amount="280"', 'amount="279"')], 34),
    "somebody else's discards are told in the hero's file": (
        SIDE,
        [("Bob B: discards 2 cards", "Bob B: discards 2 cards [2c 3d]")],
        17,
    ),
    "somebody else's new cards are told in the hero's file": (
        SIDE,
        [("Bob B: discards 2 cards", "Bob B: discards 2 cards\nDealt to Bob B [8c 8d 8h] [Kc Kd]")],
        18,
    ),
    "somebody else stands pat on cards that are told in the hero's file": (
        THREE,
        [("Bob: folds: stands pat", "Bob: folds: stands pat on [2c 2d 2h 3c 4c]")],
        16,
    ),
    "somebody acts out of turn before a hand is cancelled": (
        "100000000005",
        [("Hand cancelled", "Hero: checks\nHand cancelled")],
        9,
    ),
    "somebody bets more than the stack before a hand is cancelled": (
        "100000000005",
        [("Hand cancelled", "Ann: raises $500 to $500.10\nHand cancelled")],
        9,
    ),
    "a straddle is less than twice the big blind": ("7", [("-0.50, 1]", "-0.50, 0.75]")], 4),
    "a straddle is more than a raise of the pot": ("7", [("-0.50, 1]", "-0.50, 2.51]")], 4),
}  # fmt: skip

UNREADABLE = {
    "full-width digits": ("49909572764", "calls $0.10", "calls $０.１０", 16),
    "Arabic digits": ("57273888010", "Seat 3: Eve ($3.85", "Seat 3: Eve ($٣.٨٥", 5),
    "an amount below zero": ("57273888010", "raises $0.10 to $0.20", "raises $-0.10 to $0.20", 15),
    "a rake below zero": ("57273888010", "Rake $0", "Rake $-0.10", 21),
    "a comma for the point": ("57273888010", "collected $0.20 from", "collected $0,20 from", 18),
    "two players of one seat": ("57273888010", "Seat 4: Hero", "Seat 3: Hero", 6),
    "a card in other letters": (SIDE, "[Ah As 3c 4d 9h]", "[AH As 3c 4d 9h]", 10),
    "two currencies": ("57273888010", "collected $0.20 from", "collected €0.20 from", 18),
    "somebody at an empty seat": ("51234567-19", 'player="0" amount="0.10"', 'player="7" amount="0.10"', 15),
    "an event's number twice": ("51234567-19", '<event sequence="17"', '<event sequence="16"', 34),
    "a second new hand": ("51234567-19", NEW_HAND, f"{NEW_HAND}\n{NEW_HAND}", 29),
    "Merge's hand has another number in its data": ("51234567-19", "|51234567-19|", "|51234567-18|", 1),
    "an OHH says that a fold puts in the last chip": (
        "70001",
        '"action": "Call", "amount": 44, "is_allin": true',
        '"action": "Fold", "is_allin": true',
        23,
    ),
    "an action's number twice in OHH": ("70001", '"action_number": 9,', '"action_number": 8,', 22),
    "an action's number of the round before in OHH": ("70001", '"action_number": 11,', '"action_number": 10,', 26),
    "side pots that change their numbers": (THREE, "Side pot-1 $60. Side pot-2", "Side pot-2 $60. Side pot-1", 31),
    "two side pots of one number": (THREE, "Side pot-1 $60. Side pot-2", "Side pot-1 $60. Side pot-1", 31),
    "Full Tilt cancels another hand": (
        "12327327470",
        "Bob B mucks\n",
        "Bob B mucks\nHand #12327327471 has been canceled\n",
        40,
    ),
    "two buttons": ("2997015392", 'STATE_PLAYING" DEALER="N"', 'STATE_PLAYING" DEALER="Y"', 4),
}

RIGHT = {
    "an amount with more decimals than it needs": ("57273888010", [("collected $0.20 from", "collected $0.200 from")]),
    "the house takes rake of a pot that nobody contested": (
        "57273888010",
        [
            ("Rake $0", "Rake $0.05"),
            ("collected $0.20 from", "collected $0.15 from"),
            ("collected ($0.20)", "collected ($0.15)"),
        ],
    ),
    "nothing says who has the button": (
        "9000000001",
        [('<PLAYER NAME="UNKNOWN" SEAT="1" AMOUNT="0.00" STATE="STATE_EMPTY" DEALER="Y"></PLAYER>', "")],
    ),
    "a hand is tied, and the odd cent is of who sits first after the button": (
        "49909572764",
        [
            (
                "Kai: shows [Qd 5c Qs Ac 4d] (a pair of Queens)\nKai collected $0.43 from pot",
                "Kai: shows [Tc 6s Ts 4s Kd] (a pair of Tens)\n"
                "Hero collected $0.22 from pot\nKai collected $0.21 from pot",
            ),
            (
                "[Qd 5c Qs Ac 4d] and won ($0.43) with a pair of Queens",
                "[Tc 6s Ts 4s Kd] and won ($0.21) with a pair of Tens",
            ),
            ("and lost with a pair of Tens", "and won ($0.22) with a pair of Tens"),
        ],
    ),
    "the big blind is all in by posting": (
        "49909572764",
        [
            ("Hero ($4 in chips)", "Hero ($0.10 in chips)"),
            ("Hero: posts big blind $0.10", "Hero: posts big blind $0.10 and is all-in"),
            ("Hero: calls $0.10\n", "Uncalled bet ($0.10) returned to Kai\n"),
            ("Hero: checks\nKai: checks\n", ""),
            ("collected $0.43", "collected $0.24"),
            ("won ($0.43)", "won ($0.24)"),
            ("$0.45 | Rake $0.02", "$0.25 | Rake $0.01"),
        ],
    ),
    "a hand is cancelled while somebody is to choose": (
        "100000000005",
        [("Hand cancelled", "Ann: calls $0.05\nHand cancelled")],
    ),
    "a mucked hand is never revealed": ("79625180593", [(" mucked [4h Ks 3s Jc 7h]", " mucked")]),
    "a winner shows a hand that nobody called": (
        "57273888010",
        [("Dora: doesn't show hand", "Dora: shows [Ac Ad 2c 3d 4h] (a pair of Aces)")],
    ),
    "OnGame leaves out its lines of hyphens": ("R5-46987275-232", [("---\n", "")]),
    "OnGame does not say how many cards the hero changed": ("R5-46987275-232", [("Hero changed 2 cards\n", "")]),
    "a house takes no rake": ("51234567-19", [('amount="0.98"', 'amount="1.00"')]),
    "Boss leaves out who mucked": (
        "6649814790",
        [('<RESULT PLAYER="Ann" WIN="0.00" HAND="$(STR_G_MUCK)"></RESULT>\n', "")],
    ),
    "a PHH has neither winnings nor stacks after the hand": (
        "7",
        [("finishing_stacks = [19.75, 20.50, 28.75, 0]\nwinnings = [0, 15.25, 0, 0]\n", "")],
    ),
    "what is shown has the known part of the hand but for a card that was changed": (
        "7",
        [("'p4 sd',", "'p4 sd ??',"), ("'d dh p2 Ts',", "'d dh p2 Ts', 'd dh p4 ??',"), ("KdKcQdQc2c", "KhKcQdQc2c")],
    ),
    "an OHH counts the actions of each round from one": (
        "70001",
        [(f'"action_number": {number},', f'"action_number": {number - 10},') for number in range(11, 17)],
    ),
    "a straddle is more than twice the big blind": (
        "7",
        [("-0.50, 1]", "-0.50, 1.75]"), ("20.50, 28.75, 0]", "21.25, 28, 0]"), ("[0, 15.25,", "[0, 16,")],
    ),
    "the two times of a hand disagree": ("62899098639", [("16:58:32 ET", "17:58:32 ET")]),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_is_doctored_is_found_at_its_line(what: str) -> None:
    check_found(*FOUND[what])


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_no_site_writes_is_not_read(what: str) -> None:
    check_unread(*UNREADABLE[what])


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_odd_and_right_is_read_as_it_is(what: str) -> None:
    check_right(*RIGHT[what])
