"""Formats of Boss that the samples lack: reserved seats, dead blinds, calls as additions."""

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Posted

from .as_written import BOSS, one_of, right, wrong_at

BOSS_HAND = """\
<HISTORY ID="31" SESSION="session7.xml" TABLE="Cove" GAME="GAME_FCD" GAMETYPE="GAMETYPE_REAL" \
GAMEKIND="GAMEKIND_CASH" TABLECURRENCY="EUR" LIMIT="PL" STAKES="0.50/1.00" DATE="1374605236" TABLETOURNEYID="" \
WIN="0.00" LOSS="3.00" ENDTIME="1374605262">
<PLAYER NAME="" SEAT="1" AMOUNT="0.00" STATE="STATE_RESERVED" DEALER="N"></PLAYER>
<PLAYER NAME="Hero" SEAT="2" AMOUNT="60.06" STATE="STATE_PLAYING" DEALER="Y"></PLAYER>
<PLAYER NAME="Ann" SEAT="3" AMOUNT="14.18" STATE="STATE_SITOUT" DEALER="N"></PLAYER>
<PLAYER NAME="Bob" SEAT="4" AMOUNT="20.00" STATE="STATE_PLAYING" DEALER="N"></PLAYER>
<PLAYER NAME="Cid" SEAT="5" AMOUNT="20.00" STATE="STATE_SITOUT" DEALER="N"></PLAYER>
<ACTION TYPE="HAND_BLINDS" PLAYER="Ann" KIND="HAND_SB" VALUE="0.50"></ACTION>
<ACTION TYPE="HAND_BLINDS" PLAYER="Bob" KIND="HAND_BB" VALUE="1.00"></ACTION>
<ACTION TYPE="HAND_DEAL" PLAYER="Ann">{backs}</ACTION>
<ACTION TYPE="HAND_DEAL" PLAYER="Bob">{backs}</ACTION>
<ACTION TYPE="HAND_DEAL" PLAYER="Hero"><CARD LINK="26"></CARD><CARD LINK="32"></CARD><CARD LINK="9"></CARD>\
<CARD LINK="42"></CARD><CARD LINK="50"></CARD></ACTION>
<ACTION TYPE="ACTION_RAISE" PLAYER="Hero" VALUE="3.00"></ACTION>
<ACTION TYPE="ACTION_CALL" PLAYER="Ann" VALUE="3.00"></ACTION>
<ACTION TYPE="ACTION_FOLD" PLAYER="Bob"></ACTION>
<ACTION TYPE="HAND_BOARD" POT="7.00" MAINPOT="7.00" LEFTPOT="" RIGHTPOT=""></ACTION>
<ACTION TYPE="CHANGECARD" PLAYER="Ann" COUNT="2"></ACTION>
<ACTION TYPE="CHANGECARD" PLAYER="Hero" COUNT="3"></ACTION>
<ACTION TYPE="ACTION_BET" PLAYER="Ann" VALUE="2.00"></ACTION>
<ACTION TYPE="ACTION_FOLD" PLAYER="Hero"></ACTION>
<SHOWDOWN NAME="HAND_SHOWDOWN" POT="6.65" RAKE="0.35" MAINPOT="6.65" LEFTPOT="" RIGHTPOT="">
<RESULT PLAYER="Ann" WIN="6.65" HAND="$(STR_BY_DEFAULT)"></RESULT></SHOWDOWN></HISTORY>
"""


def boss(*pairs: tuple[str, str]) -> HandHistory:
    text = BOSS_HAND.replace("{backs}", '<CARD LINK="b"></CARD>' * 5)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return one_of(BOSS, text)


def test_boss_deals_to_who_is_said_to_sit_out_and_keeps_seats_for_others() -> None:
    hand = boss()
    assert [(player.name, player.sitting_out) for player in hand.players] == [
        ("Hero", False),
        ("Ann", False),
        ("Bob", False),
        ("Cid", True),
    ]
    right(hand)


def test_a_seat_that_no_table_has_is_found_of_who_sits_out_too() -> None:
    assert wrong_at(boss(('SEAT="5"', 'SEAT="500"'))) == 6


def test_files_of_boss_that_tell_a_bet_have_calls_as_what_they_add() -> None:
    told_so = (' WIN="0.00"', ' BET="0.00" POT="6.65" WIN="0.00"')
    right(boss(told_so, ('"ACTION_CALL" PLAYER="Ann" VALUE="3.00"', '"ACTION_CALL" PLAYER="Ann" VALUE="2.50"')))
    assert wrong_at(boss(told_so)) == 13


def test_a_second_small_blind_of_boss_is_dead() -> None:
    posts = '<ACTION TYPE="HAND_BLINDS" PLAYER="Hero" KIND="HAND_SB" VALUE="0.50"></ACTION>\n'
    deal = '<ACTION TYPE="HAND_DEAL" PLAYER="Ann">'
    pots = [('"7.00"', '"7.50"'), ('"6.65"', '"7.15"'), ('LOSS="3.00"', 'LOSS="3.50"')]
    hand = boss((deal, posts + deal), *pots)
    assert [one.kind for one in hand.told if isinstance(one, Posted)] == ["small", "big", "dead"]
    right(hand)
