"""Formats of Merge that the samples lack: showdowns, chat, newer tournaments, short blinds."""

from pokersvc.histories.statements import Posted

from .as_written import MERGE, one_of, right, wrong_at

MERGE_HAND = """\
<description type="5-Draw" stakes="Pot Limit ($0.05/$0.10)"/>
<game id="31691047-4" starttime="20110216205608" numholecards="5" gametype="55" realmoney="true" \
data="20110216|Cove (31691047)|31691047|31691047-4|false">
<players dealer="0">
<player seat="0" nickname="Hero" balance="$10.15" dealtin="true" />
<player seat="2" nickname="Ann" balance="$4.75" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="SMALL_BLIND" timestamp="1297907767203" player="0" amount="0.05"/>
<event sequence="2" type="BIG_BLIND" timestamp="1297907767687" player="2" amount="0.10"/>
</round>
<round id="PRE_FIRST_DRAW" sequence="2">
<event sequence="3" type="RAISE" timestamp="1297907771281" player="0" amount="0.30"/>
<event sequence="4" type="RAISE" timestamp="1297907781421" player="2" amount="0.90"/>
<event sequence="4" type="CHAT" timestamp="1297907781500" player="Ann" text="nice &lt;hand&gt;"/>
<event sequence="5" type="RAISE" timestamp="1297907786140" player="0" amount="2.70"/>
<event sequence="6" type="ALL_IN" timestamp="1297907805281" player="2" amount="3.85"/>
<event sequence="7" type="CALL" timestamp="1297907808281" player="0" amount="2.05"/>
<cards type="HOLE" cards="9c,6s,8s,7h,4s" player="0" hand="Nine High"/>
</round>
<round id="FIRST_DRAW" sequence="3">
<event sequence="8" type="DRAW" timestamp="1297907813187" player="2" text="2"/>
<event sequence="9" type="DRAW" timestamp="1297907815265" player="0" text="0"/>
<cards type="DRAW_DRAWN_CARDS" cards="9c,6s,8s,7h,4s" player="0" hand="Nine High"/>
</round>
<round id="SHOWDOWN" sequence="4">
<event sequence="10" type="SHOW" timestamp="1297907832234" player="2"/>
<event sequence="11" type="MUCK" timestamp="1297907832781" player="0"/>
<cards type="SHOWN" cards="Ac,2s,6h,7c,3d" player="2"/>
<cards type="MUCKED" cards="9c,6s,8s,7h,4s" player="0"/>
</round>
<round id="END_OF_GAME" sequence="5">
<winner amount="9.03" uncalled="false" potnumber="1" player="2" hand="Ace High" pottype="n"/>
</round>
</game>
"""


def test_merge_tells_who_shows_and_mucks_by_an_event_and_by_the_cards_and_what_was_said() -> None:
    hand = one_of(MERGE, MERGE_HAND)
    assert hand.warnings == ()
    right(hand)
    both = MERGE_HAND.replace('"MUCK"', '"SHOW"').replace('"MUCKED"', '"SHOWN"')
    right(one_of(MERGE, both))
    assert wrong_at(one_of(MERGE, both.replace('"9.03"', '"9.51"'))) == 32


VERSION = """\
<description type="5-Draw Tournament" stakes="No Limit" version="1"/>
<game id="60139095-1" starttime="2012/08/23 02:10:05 -0300" numholecards="5" gametype="55" seats="2" realmoney="true" \
data="20120822|Cove|60137968-1|60139095-1|true" version="1">
<players dealer="1">
<player seat="0" nickname="Hero" balance="$1500.00" dealtin="true" />
<player seat="1" nickname="Ann" balance="$1500.00" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="SMALL_BLIND" timestamp="1345698595870" player="1" amount="10.00"/>
<event sequence="2" type="BIG_BLIND" timestamp="1345698595870" player="0" amount="20.00"/>
</round>
<round id="PRE_FIRST_DRAW" sequence="2">
<event sequence="3" type="RAISE" timestamp="1345698599287" player="1" amount="40.00"/>
<event sequence="4" type="FOLD" timestamp="1345698604596" player="0"/>
<cards type="HOLE" cards="5d,4h,2c,9c,Ks" player="0" hand="King High"/>
</round>
<round id="END_OF_FOLDED_GAME" sequence="3">
<event sequence="5" type="MUCK" timestamp="1345698605306" player="1"/>
<winner amount="40.00" uncalled="false" potnumber="1" player="1" pottype="n"/>
<winner amount="20.00" uncalled="true" potnumber="2" player="1" pottype="n"/>
</round>
<round id="END_OF_GAME" sequence="4">
</round>
</game>
"""


def test_merge_with_a_version_has_stacks_before_the_posts_and_gives_back_apart_what_nobody_called() -> None:
    hand = one_of(MERGE, VERSION)
    assert [player.stack for player in hand.players] == [1500, 1500]
    right(hand)
    pot, back = (f'<winner amount="{amount}.00" uncalled="{said}"' for amount, said in ((40, "false"), (20, "true")))
    for line in (pot, back):
        assert wrong_at(one_of(MERGE, VERSION.replace(line, line.replace("0.00", "1.00")))) == 18
    gone = "\n".join(line for line in VERSION.splitlines() if not line.startswith(back)) + "\n"
    assert wrong_at(one_of(MERGE, gone)) == 18
    older = one_of(MERGE, VERSION.replace(' version="1"', ""))
    assert [player.stack for player in older.players] == [1520, 1510]


SHORT_BLIND = """\
<description type="5-Draw Tournament" stakes="No Limit"/>
<game id="45133716-41" starttime="20111212155819" numholecards="5" gametype="55" seats="10" realmoney="true" \
data="20111212|Cove|45132298-1|45133716-41|true">
<players dealer="1">
<player seat="0" nickname="Hero" balance="$3290.00" dealtin="true" />
<player seat="1" nickname="Bob" balance="$2785.00" dealtin="true" />
<player seat="3" nickname="Ann" balance="$0.00" dealtin="true" />
<player seat="5" nickname="Cid" balance="$2315.00" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="ANTE" timestamp="1323723499610" player="0" amount="25.00"/>
<event sequence="2" type="ANTE" timestamp="1323723499610" player="1" amount="25.00"/>
<event sequence="3" type="ANTE" timestamp="1323723499610" player="3" amount="25.00"/>
<event sequence="4" type="ANTE" timestamp="1323723499610" player="5" amount="25.00"/>
<event sequence="5" type="ALL_IN" timestamp="1323723499680" player="3" amount="0.00"/>
<event sequence="6" type="BIG_BLIND" timestamp="1323723499680" player="5" amount="300.00"/>
</round>
<round id="PRE_FIRST_DRAW" sequence="2">
<event sequence="7" type="FOLD" timestamp="1323723502694" player="0"/>
<event sequence="8" type="CALL" timestamp="1323723511387" player="1" amount="300.00"/>
<event sequence="9" type="CHECK" timestamp="1323723513322" player="5"/>
<cards type="HOLE" cards="Ah,Jc,2c,3d,4h" player="0" hand="Ace High"/>
</round>
<round id="FIRST_DRAW" sequence="3">
<event sequence="10" type="DRAW" timestamp="1323723513330" player="3" text="0"/>
<event sequence="11" type="DRAW" timestamp="1323723513331" player="5" text="0"/>
<event sequence="12" type="DRAW" timestamp="1323723513332" player="1" text="0"/>
</round>
<round id="POST_FIRST_DRAW" sequence="4">
<event sequence="13" type="CHECK" timestamp="1323723514605" player="5"/>
<event sequence="14" type="CHECK" timestamp="1323723517629" player="1"/>
</round>
<round id="SHOWDOWN" sequence="5">
<event sequence="15" type="SHOW" timestamp="1323723536471" player="5"/>
<event sequence="16" type="SHOW" timestamp="1323723536791" player="1"/>
<event sequence="17" type="SHOW" timestamp="1323723537180" player="3"/>
<cards type="SHOWN" cards="Jh,Tc,8d,7d,2d" player="5"/>
<cards type="SHOWN" cards="8c,7c,5c,5d,Kc" player="1"/>
<cards type="SHOWN" cards="2s,6h,9h,Qh,Th" player="3"/>
</round>
<round id="END_OF_GAME" sequence="6">
<event sequence="18" type="PLAYER_OUT" timestamp="1323723537283" player="3"/>
<winner amount="{main}.00" uncalled="false" potnumber="1" player="1" hand="Pair of Fives" pottype="n"/>
<winner amount="{side}.00" uncalled="false" potnumber="2" player="1" hand="Pair of Fives" pottype="n"/>
</round>
</game>
"""


def test_who_has_not_all_of_a_blind_is_all_in_among_the_blinds_of_merge() -> None:
    broke = one_of(MERGE, SHORT_BLIND.format(main=100, side=600))
    assert [one.kind for one in broke.told if isinstance(one, Posted)] == ["ante"] * 4 + ["big"]
    assert [player.stack for player in broke.players if player.name == "Ann"] == [25]
    right(broke)
    some = SHORT_BLIND.format(main=220, side=520).replace('player="3" amount="0.00"', 'player="3" amount="40.00"')
    short = one_of(MERGE, some)
    assert [one.kind for one in short.told if isinstance(one, Posted)] == ["ante"] * 4 + ["small", "big"]
    right(short)


def test_merge_shows_one_card_of_a_hand_that_nobody_called() -> None:
    muck = '<event sequence="5" type="MUCK" timestamp="1345698605306" player="1"/>'
    shown = '<cards type="SHOWN" cards="null,{},null,null,null" player="1"/>'
    show = muck.replace("MUCK", "SHOW")
    right(one_of(MERGE, VERSION.replace(muck, f"{show}\n{shown.format('Ah')}")))
    assert wrong_at(one_of(MERGE, VERSION.replace(muck, f"{show}\n{shown.format('Ks')}"))) == 18
