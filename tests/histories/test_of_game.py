"""Our own games written as hands: a viewer's knowledge, every format, and PokerKit's replay."""

import io
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import Became, store
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Dealt, Discarded, Reshuffled, Won
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohh
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.phh import in_position, phh
from pokersvc.histories.writers.pokerstars import pokerstars
from pokersvc.service import Service
from pokersvc.service.opening import open_database

from .pokerkit_draw import finishing_stacks

NAMES = ("Ann", "Bob B", "Cid: all-in", "Dee", "Eve [x]", "Fay", "Gus", "Hal", "Ida", "Jon")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventLog]:
    with open_database(tmp_path_factory.mktemp("games") / "games.sqlite") as database:
        yield EventLog(database)


def played(log: EventLog, house: str, players: int, rounds: int = 8, **more: object) -> str:
    """Play a game between good and random bots, and return its id."""
    service = Service(log)
    seats = tuple(Seat(("steady", "random")[place % 2], name) for place, name in enumerate(NAMES[:players]))
    source = EntropySource.from_text(f"{house} {players}")
    game_id, _ = service.start("draw", Setup(seats, source, rounds=rounds, options={"rules": house, **more}))
    while service.status(game_id).outcome is None:
        service.play_round(game_id)
    return game_id


def hands(log: EventLog, game_id: str, viewer: Viewer) -> list[HandHistory]:
    return list(hands_of(Service(log).with_secrets.replay(game_id, viewer), viewer))


def phh_again(text: str) -> HandHistory:
    (block,) = Phh().blocks(text.splitlines(keepends=True))
    return Phh().read(block)


def stars_again(text: str) -> HandHistory:
    (block,) = PokerStars().blocks(text.splitlines(keepends=True))
    return PokerStars().read(block)


def ohh_again(text: str) -> HandHistory:
    (block,) = Ohh().blocks(text.splitlines(keepends=True))
    return Ohh().read(block)


def test_two_left_who_raised_without_end_are_written_and_read_back_as_they_did(log: EventLog) -> None:
    service = Service(log)
    setup = Setup(
        tuple(Seat(HUMAN, name) for name in ("Ann", "Bob", "Cid")),
        EntropySource.from_text("uncapped"),
        rounds=1,
        options={"rules": "fixed-limit", "uncapped": "two_left"},
    )
    game_id, _ = service.start("draw", setup)
    before = (Fold(1), Call(2), Check(3), Discard(2, ()), Discard(3, ()))
    raises = [Raise(2 + place % 2, 4 * (place + 1)) for place in range(1, 7)]
    for action in (*before, Bet(2, 4), *raises, Call(3)):
        service.act(game_id, action)
    (hand,) = hands(log, game_id, AUDITOR)
    again = (phh_again(phh(hand)), ohh_again(ohh(hand)), stars_again(pokerstars(hand)))
    for one in again:
        followed = follow(one, "0" * 64)
        assert followed.contradictions == ()
        started = followed.events[0]
        assert isinstance(started, GameStarted)
        assert started.rules.betting.uncapped == "two_left"


@pytest.mark.parametrize("players", [2, 3, 10])
@pytest.mark.parametrize("house", ["no-limit", "fixed-limit"])
def test_pokerkit_replays_our_phh_to_the_same_stacks(log: EventLog, house: str, players: int) -> None:
    assert pokerkit_replays(log, played(log, house, players))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("house", ["no-limit", "pot-limit", "fixed-limit"])
def test_pokerkit_replays_our_straddles(log: EventLog, house: str, players: int) -> None:
    game_id = played(log, house, players, rounds=1, straddle=4)
    assert pokerkit_replays(log, game_id) == 3
    for hand in hands(log, game_id, EVERYONE):
        assert "blinds_or_straddles = [1, 2, 4" in phh(hand)
        assert '"Straddle"' in ohh(hand)
        assert " posts straddle 4\n" in pokerstars(hand)


def pokerkit_replays(log: EventLog, game_id: str) -> int:
    """Compare the stacks to which PokerKit replays the rounds of a game, and return how many hands they were."""
    told = 0
    for viewer in (AUDITOR, EVERYONE, 1):
        for hand in hands(log, game_id, viewer):
            end = outcome_of(hand)
            assert end is not None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of every card that is dealt again after a reshuffle
                replayed = finishing_stacks(phh(hand))
            assert replayed == [end.stacks[player.name] for player in in_position(hand)]
            told += 1
    return told


@pytest.mark.parametrize("viewer", [AUDITOR, EVERYONE, 2])
@pytest.mark.parametrize("house", ["no-limit", "fixed-limit"])
def test_out_in_again_and_out_is_the_same_text(log: EventLog, house: str, viewer: Viewer) -> None:
    for hand in hands(log, played(log, house, 5), viewer):
        assert phh(phh_again(phh(hand))) == phh(hand)
        assert ohh(ohh_again(ohh(hand))) == ohh(hand)
        text = pokerstars(hand)
        (block,) = PokerStars().blocks(text.splitlines(keepends=True))
        assert pokerstars(PokerStars().read(block)) == text


def test_stacks_go_on_from_hand_to_hand(log: EventLog) -> None:
    stacks: dict[str, int] = {}
    for hand in hands(log, played(log, "no-limit", 4), EVERYONE):
        assert {player.name: player.stack for player in hand.players}.items() >= {
            name: stack for name, stack in stacks.items() if stack
        }.items()
        end = outcome_of(hand)
        assert end is not None
        stacks = end.stacks


def test_who_sits_at_a_cash_game_and_is_not_dealt_in_is_told_so(log: EventLog, tmp_path: Path) -> None:
    """Given one player who sits out and one who is broke, all formats say so, and the audit has no findings."""
    table = CashTable(cash=True, numbers=(1, 2, 4, 6), out=(3,), stacks=(350, 8, 200, 90))
    told = hands(log, played(log, "pot-limit", 4, rounds=12, table=table), EVERYONE)
    out = [tuple(player.name for player in hand.players if player.sitting_out) for hand in told]
    assert {out[0], out[-1]} == {(NAMES[2],), (NAMES[1], NAMES[2])}
    for format_, write in WRITERS.items():
        file = tmp_path / format_
        file.write_text("".join(write(told)), "utf-8")
        found = list(check([file]))
        assert len(found) == len(told)
        for one in found:
            assert isinstance(one, CheckedHand)
            assert one.contradictions == (), format_
        assert [hand.dealt_in() != hand.players for hand in hands_in(file) if isinstance(hand, HandHistory)] == [
            True for _ in told
        ]


def test_a_hand_has_no_card_that_its_viewer_does_not_know(log: EventLog) -> None:
    game_id = played(log, "pot-limit", 4)
    for hand in hands(log, game_id, 3):
        known = {told.name for told in hand.told if isinstance(told, Dealt | Discarded) and told.cards}
        assert known <= {NAMES[2]}
        assert hand.hero == NAMES[2]
    for hand in hands(log, game_id, EVERYONE):
        assert not any(told.cards for told in hand.told if isinstance(told, Dealt | Discarded))
        assert hand.hero is None


@pytest.mark.parametrize("house", ["rising-ante", "buy-the-pot", "capped-raise"])
def test_a_house_that_no_format_can_say_is_refused_with_the_reason(log: EventLog, house: str) -> None:
    game_id = played(log, house, 2, rounds=1)
    with pytest.raises(CannotBeWritten, match=f"in the house {house} chips that do not divide stay in the pot"):
        hands(log, game_id, EVERYONE)


def test_a_deck_that_was_reshuffled_amid_a_draw_is_told_by_phh_and_not_by_pokerstars(log: EventLog) -> None:
    found = [hand for hand in hands(log, played(log, "fixed-limit", 10), EVERYONE) if _reshuffled(hand)]
    assert found
    for hand in found:
        assert '"# The deck is reshuffled"' in phh(hand)
        assert _reshuffled(phh_again(phh(hand)))
        assert _reshuffled(ohh_again(ohh(hand)))
        with pytest.raises(CannotBeWritten, match="the deck was reshuffled after a player had discarded"):
            pokerstars(hand)


def _reshuffled(hand: HandHistory) -> bool:
    return any(isinstance(told, Reshuffled) for told in hand.told)


def test_each_pot_pays_its_own_winners(log: EventLog) -> None:
    found = 0
    for hand in hands(log, played(log, "no-limit", 6), EVERYONE):
        won = [told for told in hand.told if isinstance(told, Won)]
        pots = json.loads(ohh(hand))["ohh"]["pots"]
        assert {told.pot for told in won} == set(range(len(pots)))
        for pot in pots:
            paid = {told.name: told.amount for told in won if told.pot == pot["number"]}
            assert sorted(win["win_amount"] for win in pot["player_wins"]) == sorted(paid.values())
        assert ("from main pot" in pokerstars(hand)) == (len(pots) > 1)
        found += len(pots) > 1
    assert found


@pytest.mark.parametrize("format_", sorted(WRITERS))
def test_a_game_is_written_to_a_file(log: EventLog, format_: str, tmp_path: Path) -> None:
    file = io.BytesIO()
    count = write_hands(file, log, played(log, "no-limit", 3, rounds=3), 1, format_=format_)
    assert count == 3
    marks = {"phh": b"variant = ", "ohh": b'"ohh":', "pokerstars": b"PokerStars Hand #"}
    assert file.getvalue().count(marks[format_]) == count


@pytest.mark.parametrize(("format_", "site"), [("phh", "pokersvc"), ("ohh", "pokersvc"), ("pokerstars", "PokerStars")])
def test_rounds_that_were_played_here_are_new_hands_where_they_are_imported(
    format_: str, site: str, tmp_path: Path
) -> None:
    log = EventLog(Database.for_writing(":memory:"))
    with (tmp_path / "hands").open("wb") as file:
        count = write_hands(file, log, played(log, "no-limit", 3, rounds=3), AUDITOR, format_=format_)
    found = [list(store(Service(log), check([tmp_path / "hands"]))) for _ in range(2)]
    assert [[one.became for one in ones] for ones in found] == [[Became.STORED] * count, [Became.KNOWN] * count]
    assert {one.told.site for one in found[0] if isinstance(one.told, CheckedHand)} == {site}


def test_another_format_is_refused(log: EventLog) -> None:
    with pytest.raises(InvalidValue, match="'csv' is not a format of hands: phh, ohh, pokerstars"):
        write_hands(io.BytesIO(), log, "x", format_="csv")


def test_a_game_with_a_bomb_pot_is_not_written_and_says_so(log: EventLog) -> None:
    game_id = played(log, "no-limit", 3, cash=True, bomb_pot=5, bomb_every=3)
    with pytest.raises(CannotBeWritten, match="nobody bets before the draw of round 3, a bomb pot"):
        hands(log, game_id, AUDITOR)
