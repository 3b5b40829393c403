"""Common shuffles in the service: bound seats open shares, and the deck depends on all of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from pokersvc.betting.cash import SitDown
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.randomness.shares import dealers_part, round_seed
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import (
    ChangeDevice,
    ComeBack,
    PauseTable,
    ReplaceSeat,
    ResumeTable,
    TableSettings,
)
from pokersvc.core.tables.table_words import part_words
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.levels import Level, Levels
from pokersvc.remote.device import Device, NotOurBinding
from pokersvc.service import Pause, Service, Session, Shown, Waiting
from pokersvc.service.next import Next
from tests.service.support import types
from tests.shuffling import DEALT_TOGETHER, TOGETHER, Table, Turned

Begin = Callable[..., Table]


@pytest.fixture
def begin(log: EventLog) -> Begin:
    """Start a table that shuffles together."""
    clock = Turned()
    service = Service(log, clock)
    return lambda **options: Table(service, clock, **options)


@pytest.fixture(autouse=True)
def _audits(database: Database) -> Iterator[None]:
    """An audit finds nothing wrong in whatever a service records."""
    yield
    assert [finding for audited in audit(database) for finding in audited.findings] == []


def refusal(asked: Callable[[], object]) -> str:
    with pytest.raises(IllegalAction) as refused:
        asked()
    return refused.value.code


def secrets_of(log: EventLog, table: Table) -> tuple[bytes, list[bytes]]:
    """The game's secret, and the seeds of its decks."""
    game = game_of(table.kind)
    with log.snapshot() as snapshot:
        events = [game.codec.decode(r.type, r.version, r.payload, r.secret) for r in snapshot.read(table.game_id)]
    source = game.source(events[0])
    assert source is not None
    return source.secret, [seed for event in events if (seed := game.seed_of(event)) is not None]


def last_said(session: Session) -> Next:
    """Return the next step after all events were shown."""
    while isinstance(found := session.next(), Shown):
        pass
    return found


def test_a_session_waits_for_who_begins_and_then_for_the_shares_that_are_missing(begin: Begin) -> None:
    table = begin(people=3)
    alone = Session(table.service, table.game_id)
    assert isinstance(last_said(alone), Pause), "it begins the first round itself"
    one_of_them = Session(table.service, table.game_id, seats=[1], runs_programs=False)
    assert last_said(one_of_them) == Waiting(one_of_them.count, (1, 2, 3)), "whoever keeps the table begins"
    table.bind()
    table.open_round()
    for seat, waiting in ((2, (1, 3)), (1, (3,))):
        table.share(seat)
        assert last_said(one_of_them) == Waiting(one_of_them.count, waiting)
        assert last_said(alone) == Waiting(alone.count, waiting)


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_game_is_dealt_from_the_shares_of_all(kind: str, begin: Begin, log: EventLog) -> None:
    table = begin(kind=kind, rounds=2)
    assert types(table.service.since(table.game_id)) == ["GameStarted", "TableSet", "DealingSet"]
    table.bind()
    table.open_round()
    dealing = table.dealing
    awaited = dealing.awaited
    assert awaited is not None
    assert awaited.round == 1
    assert awaited.seats == (1, 2)
    assert types(table.share(1)) == ["ShareOpened"]
    shares = [(seat, table.devices[seat].chain.share(1)) for seat in (1, 2)]
    assert "DeckShuffled" in types(table.share(2))
    secret, seeds = secrets_of(log, table)
    assert seeds == [round_seed(dealers_part(secret, 1), table.start, 1, shares)]
    table.play_round()
    table.play()
    rounds = table.dealing.round
    assert table.dealing.part == {1: [(1, rounds)], 2: [(1, rounds)]}
    said = "round 1" if rounds == 1 else f"rounds 1 to {rounds}"
    assert part_words(table.dealing, table.seats) == (
        f"Shuffled together by Ann in {said}; Bob in {said}. No share was missed."
    )


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_table_that_waits_for_its_first_round_can_be_closed(kind: str, begin: Begin) -> None:
    table = begin(kind=kind)
    assert types(table.service.close(table.game_id)) == ["GameClosed", "GameEnded"]


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_game_goes_on_from_the_log_and_the_devices_files_after_every_command(kind: str, log: EventLog) -> None:
    """As if everybody was killed each time: a command is recorded whole or not at all."""
    clock = Turned()
    table = Table(Service(log, clock), clock, kind=kind, people=3, rounds=2)

    def restarted() -> Table:
        table.service = Service(log, clock)
        table.devices = {seat: Device.from_json(device.to_json()) for seat, device in table.devices.items()}
        return table

    for seat in (1, 2, 3):
        restarted().bind(seat)
    while restarted().service.status(table.game_id).outcome is None:
        restarted().open_round()
        for seat in table.dealing.waiting[:2]:
            restarted().share(seat)
        if table.dealing.waiting:
            restarted().miss()
        while restarted().service.status(table.game_id).awaited:
            table.act()
        table.follow()
    assert {seat for seat, rounds in table.dealing.missed.items() if rounds} == {3}


def test_one_share_that_is_missed_is_recorded_once_whoever_asks_again(begin: Begin) -> None:
    table = begin(people=3)
    table.bind()
    table.open_round()
    table.share(1, 3)
    table.clock.turn(table.settings.share_seconds)
    once, again = (
        table.service.miss_shares(table.game_id, table.clock.now, command_id="the time is over") for _ in range(2)
    )
    assert types(once).count("ShareMissed") == 1
    assert again == once


def test_no_round_begins_without_a_bound_seat(begin: Begin) -> None:
    table = begin()
    assert refusal(table.open_round) == "nobody_bound"
    table.bind(2)
    table.open_round()
    assert list(table.dealing.waiting) == [2]


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_who_opens_no_share_in_time_is_out_of_the_round_and_sits_out(kind: str, begin: Begin, log: EventLog) -> None:
    table = begin(kind=kind, people=3)
    table.bind()
    table.open_round()
    table.share(1, 3)
    assert refusal(lambda: table.service.miss_shares(table.game_id)) == "not_over"
    recorded = types(table.miss())
    assert recorded[0] == "ShareMissed"
    assert recorded[-1] == "RoundForgone"
    assert table.replay.table.sitting_out == (2,)
    shares = [(1, table.devices[1].chain.share(1)), (2, b""), (3, table.devices[3].chain.share(1))]
    secret, seeds = secrets_of(log, table)
    assert seeds == [round_seed(dealers_part(secret, 1), table.start, 1, shares)]
    assert 2 not in table.service.status(table.game_id).awaited
    table.play_round()
    if table.service.status(table.game_id).outcome is not None:
        return  # it has one deck
    table.open_round()
    assert list(table.dealing.waiting) == [1, 3], "who sits out is not asked"
    assert types(table.share())[-1] == "RoundForgone", "and forgoes the round all the same"
    table.play_round()
    table.service.table_act(table.game_id, ComeBack(2))
    table.open_round()
    assert list(table.dealing.waiting) == [1, 2, 3]
    table.share()
    assert table.dealing.part[2] == [(3, 3)], "each round spends a link, also where the seat sat out"
    assert table.dealing.missed == {2: [1]}


def test_a_missed_share_forfeits_a_straddle_by_choice_like_a_blind(begin: Begin) -> None:
    table = begin(people=4, bots=0, options={"rules": "no-limit", "cash": True, **STRADDLED})
    table.bind()
    table.open_round()
    began = table.share()
    (big,) = [one.event.seat for one in began if isinstance(one.event, events.BlindPosted) and one.event.blind == "big"]
    seat = (big + 1) % 4 + 1
    table.play_round()
    table.service.act(table.game_id, Wish(seat, straddles=True))
    before = table.service.view(table.game_id, EVERYONE).seat(seat).stack
    table.open_round()
    table.share(*({1, 2, 3, 4} - {seat}))
    assert list(table.dealing.waiting) == [seat], "it is asked for a share like everybody, and for nothing else"
    recorded = table.miss()
    assert events.Posted(4, "straddle", seat) in [one.event for one in recorded]
    assert types(recorded)[-1] == "RoundForgone", "it is posted, and then folded"
    table.play_round()
    assert table.service.view(table.game_id, EVERYONE).seat(seat).stack == before - 4, "and it stays in the pot"


STRADDLED = {"straddle": 4, "straddle_by_choice": True}


def test_a_level_begins_before_shares_are_asked_for_and_none_begins_while_they_are(begin: Begin) -> None:
    schedule = (Level(big=2, minutes=10, small=1), Level(big=4, minutes=10, rest=2, small=2))
    given = {"rules": "no-limit", "levels": Levels(schedule=(*schedule, Level(big=8, minutes=1, small=4)))}
    table = begin(people=3, bots=0, options=given)
    table.bind()
    for minutes, begun in ((9, []), (1, ["LevelBegan"])):
        table.open_round()
        table.clock.turn(60 * minutes)
        table.share()
        table.play_round()
        began = types(table.service.go_on(table.game_id)) if begun else []
        assert began == begun, "a break follows, in which no shares are asked for"
    assert list(table.dealing.waiting) == []
    assert refusal(table.open_round) == "break"
    table.clock.turn(120)
    table.open_round()
    assert table.dealing.waiting == (1, 2, 3)
    table.clock.turn(600)
    assert "LevelBegan" not in types(table.share()), "the level that is now due begins before the next round"
    table.play_round()
    assert types(table.service.go_on(table.game_id)) == ["LevelBegan", "SharesAwaited"]


def test_a_round_for_which_no_share_comes_is_not_played_and_uses_up_its_number(begin: Begin) -> None:
    table = begin()
    table.bind()
    table.open_round()
    assert types(table.miss()) == ["ShareMissed", "ShareMissed"]
    assert table.dealing.unplayed == [1]
    assert refusal(table.open_round) == "nobody_sits_in"
    table.service.table_act(table.game_id, ComeBack(1))
    table.open_round()
    assert (table.dealing.round, table.dealing.waiting) == (2, (1,))
    assert "DeckShuffled" in types(table.share())


def test_while_shares_are_awaited_nothing_else_happens_but_a_pause(begin: Begin) -> None:
    table = begin(rounds=3)
    table.bind()
    table.open_round()
    table.share()
    table.play_round()
    table.open_round()
    service, game_id = table.service, table.game_id
    for refused in (
        lambda: service.act(game_id, Leave(1)),
        lambda: service.go_on(game_id),
        lambda: service.close(game_id),
        lambda: service.remove(game_id, 1),
        lambda: service.table_act(game_id, ReplaceSeat(1)),
        lambda: service.table_act(game_id, ChangeDevice(1)),
        lambda: service.table_act(game_id, Device.fresh(table.start, 1).bind(table.devices[1])),
    ):
        assert refusal(refused) == "shares_awaited"
    service.table_act(game_id, PauseTable())
    assert refusal(lambda: table.share(1)) == "paused"
    table.clock.turn(1000)
    assert refusal(lambda: service.miss_shares(game_id)) == "not_awaited"
    service.table_act(game_id, ResumeTable())
    assert refusal(lambda: service.miss_shares(game_id)) == "not_over", "the pause has stopped the clock"
    table.share()


def test_seats_are_bound_between_two_rounds_only(begin: Begin) -> None:
    table = begin()
    table.bind(1)
    table.open_round()
    table.share()
    assert refusal(lambda: table.bind(2)) == "round_on"


def test_a_chain_is_renewed_by_its_key_and_a_lost_one_is_replaced_for_all_to_see(begin: Begin) -> None:
    table = begin(length=2)
    table.bind()
    for _ in range(2):
        table.open_round()
        table.share()
        table.play_round()
    assert refusal(table.open_round) == "nobody_bound", "both chains are used up"
    table.bind(1)
    del table.devices[2]
    table.bind(2)
    assert table.dealing.replaced == {2: 1}
    table.open_round()
    table.share()
    assert table.dealing.round == 3
    assert part_words(table.dealing, table.seats).endswith("No share was missed, key replaced: Bob.")


@pytest.mark.parametrize("changes", [ReplaceSeat, ChangeDevice])
def test_a_new_link_or_a_move_ends_the_binding_of_the_device_before_it(
    begin: Begin, changes: type[ReplaceSeat | ChangeDevice]
) -> None:
    """In the middle of a round too: the seat is asked for a share once its new device is bound."""
    table = begin(rounds=3)
    table.bind()
    table.open_round()
    table.share()
    table.service.table_act(table.game_id, changes(2))
    assert set(table.dealing.bindings) == {1}
    table.play_round()
    table.open_round()
    assert list(table.dealing.waiting) == [1], "the device before is not asked"
    table.share()
    table.play_round()
    del table.devices[2]
    table.bind(2)
    assert table.dealing.replaced == {2: 1}, "bound anew without the signature of the key before"
    table.open_round()
    assert list(table.dealing.waiting) == [1, 2]
    table.share()


def test_the_same_device_renews_its_binding_after_a_new_link(begin: Begin) -> None:
    table = begin()
    table.bind()
    table.service.table_act(table.game_id, ReplaceSeat(2))
    table.bind(2)
    assert table.dealing.replaced == {}


def test_a_chain_counts_once(begin: Begin) -> None:
    """Otherwise repeating an old binding would make the table ask for shares that everybody knows."""
    table = begin()
    table.bind()
    again = table.devices[1].bind()
    for _ in range(2):
        assert refusal(lambda: table.service.table_act(table.game_id, again)) == "known_chain"
        table.service.table_act(table.game_id, ReplaceSeat(1))
    anew = Device.fresh(table.start, 1, table.devices[1].root, length=40)
    assert refusal(lambda: table.service.table_act(table.game_id, anew.bind(table.devices[1]))) == "known_chain"


def test_a_device_whose_seat_is_bound_by_another_stops(begin: Begin) -> None:
    table = begin()
    table.bind()
    mine = table.devices.pop(1)
    table.bind(1)
    table.open_round()
    with pytest.raises(NotOurBinding, match="Seat 1 is bound to the key"):
        mine.open(table.dealing)


def test_a_device_signs_one_history_a_round(begin: Begin) -> None:
    table = begin()
    table.bind()
    table.open_round()
    device, dealing = table.devices[1], table.dealing
    first = device.open(dealing)
    again = Device.from_json(device.to_json())
    assert again.open(dealing) == first
    assert dealing.awaited is not None
    dealing.awaited.head = bytes(32)
    with pytest.raises(NotOurBinding, match="another history"):
        again.open(dealing)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (lambda a, _: replace(a, share=bytes(32)), "wrong_share"),
        (lambda a, d: replace(a, share=d.chain.share(2)), "wrong_share"),
        (lambda a, _: replace(a, signature=bytes(64)), "not_signed"),
        (lambda a, _: replace(a, seat=2), "wrong_share"),
        (lambda a, _: replace(a, seat=3), "not_awaited"),
        (lambda a, _: replace(a, share=b"short"), "wrong_size"),
    ],
)
def test_a_wrong_share_is_refused_and_leaves_no_trace(
    wrong: Callable[[OpenShare, Device], OpenShare], code: str, begin: Begin
) -> None:
    table = begin()
    table.bind()
    table.open_round()
    action = table.devices[1].open(table.dealing)
    assert action is not None
    before = table.service.status(table.game_id)
    assert refusal(lambda: table.service.open_share(table.game_id, wrong(action, table.devices[1]))) == code
    assert table.service.status(table.game_id) == before


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (lambda a: replace(a, key=bytes(32)), "weak_key"),
        (lambda a: replace(a, tip=bytes(32)), "not_signed"),
        (lambda a: replace(a, length=9), "not_signed"),
        (lambda a: replace(a, length=0), "wrong_length"),
        (lambda a: replace(a, seat=2), "not_signed"),
        (lambda a: replace(a, seat=3), "not_a_person"),
        (lambda a: replace(a, renewal=bytes(64)), "not_signed"),
    ],
)
def test_a_wrong_binding_is_refused(wrong: Callable[[BindSeat], BindSeat], code: str, begin: Begin) -> None:
    table = begin()
    action = Device.fresh(table.start, 1, length=10).bind()
    assert refusal(lambda: table.service.table_act(table.game_id, wrong(action))) == code


def test_a_share_is_recorded_once_however_often_it_is_sent(begin: Begin) -> None:
    table = begin()
    table.bind()
    table.open_round()
    action = table.devices[1].open(table.dealing)
    assert action is not None
    first = table.service.open_share(table.game_id, action, command_id="once")
    assert table.service.open_share(table.game_id, action, command_id="once") == first
    assert refusal(lambda: table.service.open_share(table.game_id, action, command_id="twice")) == "not_awaited"


@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if not game_of(kind).dealt_together])
def test_a_game_without_a_deck_cannot_shuffle_together(kind: str, log: EventLog) -> None:
    setup = Setup((Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob")), EntropySource.fresh())
    with pytest.raises(InvalidValue, match="no deck"):
        Service(log).start(kind, setup, table=TOGETHER)


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_bots_alone_or_a_seed_cannot_shuffle_together(kind: str, log: EventLog) -> None:
    bot = next(iter(game_of(kind).players))
    bots = Setup((Seat(bot, "Ann"), Seat(bot, "Bob")), EntropySource.fresh())
    with pytest.raises(InvalidValue, match="needs a person"):
        Service(log).start(kind, bots, table=TOGETHER)
    people = Setup((Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob")), EntropySource.from_text("text"))
    with pytest.raises(InvalidValue, match="exclude each other"):
        Service(log).start(kind, people, table=TOGETHER)


def test_the_settings_of_a_table_say_how_it_shuffles(begin: Begin) -> None:
    table = begin(settings=replace(TOGETHER, share_seconds=7))
    assert table.replay.table.settings == TableSettings(dealing="together", opens_seeds=True, share_seconds=7)


def test_a_newcomer_is_bound_by_a_key_of_their_own_before_they_shuffle(begin: Begin, database: Database) -> None:
    table = begin(options={"rules": "no-limit", "cash": True, "open_seats": 1})
    table.bind()
    table.open_round()
    table.share()
    table.play_round()
    service, game_id = table.service, table.game_id
    service.act(game_id, Leave(2))
    service.act(game_id, SitDown(2, 90, "Zoe"))
    service.act(game_id, SitDown(4, 80, "Yan"))
    assert table.dealing.bindings.keys() == {1}, "what Bob was bound to is not Zoe's"
    shares = service.table(game_id).shares
    assert shares is not None
    assert shares.unbound == (2,), "Yan waits for the button to pass"
    old = table.devices.pop(2)
    assert refusal(lambda: service.table_act(game_id, Device.fresh(table.start, 2, length=9).bind(old))) == "not_signed"
    table.bind(2, 4)
    for _ in range(3):
        table.open_round()
        table.share()
        table.play_round()
    dealing = table.dealing
    assert dealing.part[2] == [(1, 4)]
    assert dealing.part[4][0].first > 1
    assert dealing.replaced == {}
    said = part_words(dealing, table.replay.seats)
    assert "Bob, then Zoe in rounds 1 to 4" in said
    audited = next(one for one in audit(database) if one.game_id == game_id)
    assert audited.findings == []
    assert audited.shuffled is not None
    assert "Bob, then Zoe" in audited.shuffled
