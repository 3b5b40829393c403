"""Stakes that the host changes: recorded once, told to all, audited, counted, exported, and found when forged."""

import json
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import ChangeStakes
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.games.draw_poker.house.stakes import stakes_of
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.statements import Posted, Reshuffled
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.phh import phh
from pokersvc.service import CommandReused, Pause, Service, Session
from pokersvc.service.shown import Step
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.histories.pokerkit_draw import replayed
from tests.web.at_table import Evening, changing_evenings
from tests.web.node import WEB, node
from tests.web.played import repeatable

from .support import play_to_the_pause, types

SEATS = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"), Seat("minimum", "Cy"))
GAME = "changing"


def a_game(service: Service, *, game_id: str | None = None, **options: Any) -> str:
    given = {"rules": "no-limit", "changeable": True, **options}
    setup = Setup(SEATS, EntropySource.from_text("stakes"), None, given)
    found, _ = service.start("draw", setup, game_id=game_id)
    play_to_the_pause(service, found)
    return found


# Commands.


def test_all_are_told_and_the_game_waits_on(service: Service) -> None:
    game_id = a_game(service)
    (one,) = service.change_stakes(game_id, {"blinds": "5/10", "ante": 1})
    assert isinstance(one.event, events.StakesChanged)
    assert (one.event.by, one.event.stakes.big) == (None, 10)
    assert service.status(game_id).pausing
    began = [found.event for found in service.go_on(game_id)]
    assert events.BlindPosted(10, "big", 1) in began
    assert service.view(game_id, EVERYONE).rules.blinds.big == 10


def test_a_change_that_is_sent_twice_is_one(service: Service) -> None:
    game_id = a_game(service)
    first = service.change_stakes(game_id, {"ante": 1}, seat=1, command_id="more")
    assert service.change_stakes(game_id, {"ante": 1}, seat=1, command_id="more") == first
    for other in ({"ante": 2}, {"ante": -1}):
        with pytest.raises((CommandReused, InvalidValue)):
            service.change_stakes(game_id, other, seat=1, command_id="more")


def test_only_the_service_sends_it(service: Service) -> None:
    game_id = a_game(service)
    stakes = stakes_of(service.view(game_id, EVERYONE).rules, 5)
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, ChangeStakes(1, stakes))
    assert refused.value.code == "service_only"
    session = Session(service, game_id, seats=[1])
    while not isinstance(session.next(), Pause):
        pass
    with pytest.raises(IllegalAction):
        session.act(ChangeStakes(1, stakes))


def test_a_game_without_stakes_has_none_to_change(service: Service) -> None:
    setup = Setup((Seat(HUMAN, "Ann"), Seat("random", "Bob")), EntropySource.from_text("kalah"))
    game_id, _ = service.start("kalah", setup)
    with pytest.raises(InvalidValue, match="no stakes"):
        service.change_stakes(game_id, {"ante": 1})


def test_whoever_cannot_pay_is_out_in_the_same_command(service: Service) -> None:
    game_id = a_game(service, rules="rising-ante")
    recorded = service.change_stakes(game_id, {"ante": 990})
    assert types(recorded)[:2] == ["StakesChanged", "PlayerLeft"]


# Logs that somebody has doctored, with all hashes made anew.


def write(service: Service) -> None:
    a_game(service, game_id=GAME, cash=True)
    service.change_stakes(GAME, {"blinds": "2/4", "ante": 1}, seat=1)
    service.go_on(GAME)
    play_to_the_pause(service, GAME)
    service.close(GAME)


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


def _stakes(records: list[Record]) -> dict[str, Any]:
    (payload,) = [record.payload for record in records if record.type == "StakesChanged"]
    found: dict[str, Any] = json.loads(payload)["stakes"]
    return found


def test_it_passes_as_it_was_played(written: bytes) -> None:
    with tampering(written) as found:
        assert found.audit(GAME) == []
        assert _stakes(found.records(GAME))["big"] == 4


@pytest.mark.parametrize(
    "change",
    [
        {"big": 6},  # and the minimum bet is 4
        {"small": 8},
        {"minimum": 2},
        {"stack": 1},
        {"straddle": 3},
        {"small": None},
        {"maximum": 3},
        {"cap": 4},
    ],
)
def test_stakes_that_no_house_may_have_are_found(written: bytes, change: dict[str, Any]) -> None:
    with tampering(written) as found:
        stakes = {**_stakes(found.records(GAME)), **change}
        seq = forged(found, GAME, "StakesChanged", public(stakes=stakes))
        first, *_ = only(found.audit(GAME), "rules")
        assert first.seq == seq


@pytest.mark.parametrize("stakes", [{"big": 8, "minimum": 8}, {"ante": 2}, {"small": 1}])
def test_rounds_with_other_amounts_than_those_in_force_are_found(written: bytes, stakes: dict[str, Any]) -> None:
    with tampering(written) as found:
        seq = forged(found, GAME, "StakesChanged", public(stakes={**_stakes(found.records(GAME)), **stakes}))
        assert min(one.seq for one in only(found.audit(GAME), "rules") if one.seq) > seq


@pytest.mark.parametrize("by", [2, 9])
def test_a_change_by_somebody_who_is_no_person_is_found(written: bytes, by: int) -> None:
    with tampering(written) as found:
        seq = forged(found, GAME, "StakesChanged", public(by=by))
        assert [one.seq for one in only(found.audit(GAME), "rules")][:1] == [seq]


def test_a_change_where_the_start_does_not_allow_it_is_found(written: bytes) -> None:
    with tampering(written) as found:
        forged(found, GAME, "GameStarted", public(changeable=False))
        (at,) = [at for at, one in enumerate(found.records(GAME), 1) if one.type == "StakesChanged"]
        assert [one.seq for one in only(found.audit(GAME), "rules")][:1] == [at]


def test_a_change_in_the_middle_of_a_hand_is_found(written: bytes) -> None:
    with tampering(written) as found:
        records = found.records(GAME)
        (at,) = [at for at, one in enumerate(records) if one.type == "StakesChanged"]
        later = next(at for at in range(len(records) - 1, 0, -1) if records[at].type == "CardsDiscarded")
        moved = [*records[:at], *records[at + 1 : later], records[at], *records[later:]]
        found.rewrite(GAME, moved)
        assert only(found.audit(GAME), "rules")


def test_a_change_that_is_missing_is_found(written: bytes) -> None:
    with tampering(written) as found:
        records = found.records(GAME)
        (at,) = [at for at, one in enumerate(records) if one.type == "StakesChanged"]
        found.rewrite(GAME, records[:at] + records[at + 1 :])
        assert only(found.audit(GAME), "rules")


# Random evenings.


def evenings(folder: Path, seed: int, number: int, *houses: str) -> list[Evening]:
    return list(changing_evenings(folder, Random(seed), number, houses=houses))


def decoded(evening: Evening) -> list[Any]:
    return [DRAW_POKER.codec.decode(one.type, one.version, one.payload, one.secret) for one in evening.records]


def steps(evening: Evening) -> Iterator[Step]:
    """Yield the steps of a log, and check after each change that nobody's chips have changed."""
    started, *rest = decoded(evening)
    state = DRAW_POKER.new(started)
    yield Step(evening.records[0], started, state)
    for record, event in zip(evening.records[1:], rest, strict=True):
        before, pot = list(state.stacks), state.pot
        if type(event) in DRAW_POKER.event_types.values():
            state.apply(event)
        if isinstance(event, events.StakesChanged):
            assert (state.stacks, state.pot) == (before, pot)
        yield Step(record, event, state)


@pytest.mark.parametrize("examples", [2, pytest.param(12, marks=pytest.mark.slow)])
def test_each_round_has_the_stakes_in_force(tmp_path_factory: pytest.TempPathFactory, examples: int) -> None:
    def hold(seed: int, house: str) -> None:
        rounds_have_the_stakes_in_force(evenings(tmp_path_factory.mktemp("evenings"), seed, 1, house))

    drawn = given(seed=st.integers(0, 2**32), house=st.sampled_from(preset_names()))
    settings(max_examples=examples, deadline=None)(drawn(hold))()


def rounds_have_the_stakes_in_force(found: list[Evening]) -> None:
    for evening in found:
        started, *rest = decoded(evening)
        rules = started.rules
        now, ante, rises, units = stakes_of(rules, rules.ante.amount), rules.ante.amount, rules.ante.increase, []
        sits: dict[int, int | None] = {seat: seat for seat in range(1, 11)}
        took: dict[int | None, int] = {}  # person → the chips taken last
        counter = DrawPokerCounter(started)
        for event in rest:
            match event:
                case events.StakesChanged(stakes=stakes):
                    now, ante, rises = stakes, stakes.ante, stakes.increase
                case events.RoundStarted():
                    assert event.ante == ante
                    ante += rises
                case events.BlindPosted():
                    assert event.amount <= ((now.big if event.blind == "big" else now.small) or 0)
                case events.Posted(kind="straddle"):
                    assert event.amount <= now.straddle
                case events.Bet() if rules.betting.short == "fold":
                    assert event.amount >= min(now.minimum, now.final_minimum or now.minimum)
                case events.ChipsBought():
                    assert event.amount <= now.stack
                case events.SatDown():
                    sits[event.seat] = event.person
                    assert event.amount <= max(now.stack, took.get(event.person, 0))
                case events.GotUp():
                    took[sits[event.seat]] = event.amount
            counter.take(event)
            if isinstance(event, events.RoundStarted):
                units.append(counter.unit)
                assert counter.unit == (now.big or now.minimum)
        assert list(steps(evening))


@pytest.mark.parametrize("number", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_pokerkit_replays_the_hands_with_the_blinds_and_antes_of_each(tmp_path: Path, number: int) -> None:
    """As PHH; hands that the format cannot say, or that PokerKit prices otherwise, are left out."""
    compared, blinds = 0, set()
    for evening in evenings(tmp_path, 11, number, "no-limit", "pot-limit"):
        for hand in _hands(evening):
            try:
                text = phh(hand)
            except CannotBeWritten:
                continue
            blind = {"small": hand.small_blind, "big": hand.big_blind}
            posts = [one for one in hand.told if isinstance(one, Posted)]
            short = any(one.all_in or one.amount < (blind.get(one.kind) or 0) for one in posts)
            # Beside a dead blind, antes are not trimmed: all go into the main pot, a short one's too.
            dead = any(one.kind in ("dead", "both") for one in posts)
            untrimmed = dead and any(one.kind == "ante" and one.amount < hand.ante for one in posts)
            if short or untrimmed or any(isinstance(one, Reshuffled) for one in hand.told):
                continue  # it prices a short blind at what was posted, and warns of a new deck
            theirs = replayed(text)
            if theirs.refused is None:
                assert theirs.stacks == _ends(text), text
                compared += 1
                blinds.add((hand.small_blind, hand.big_blind, hand.ante))
    assert compared > 2 * number
    assert len(blinds) > number / 2


def _hands(evening: Evening) -> list[HandHistory]:
    """Return the hands of an evening before the first that no format can say."""
    found: list[HandHistory] = []
    with suppress(CannotBeWritten):
        found.extend(hands_of(steps(evening), AUDITOR))
    return found


def _ends(text: str) -> list[Decimal] | None:
    (line,) = [line for line in text.splitlines() if line.startswith("finishing_stacks")] or [""]
    return [Decimal(one) for one in line.partition("[")[2].rstrip("]").split(",")] if line else None


@pytest.mark.parametrize("number", [2, pytest.param(12, marks=pytest.mark.slow)])
def test_the_page_verifies_them(tmp_path: Path, number: int) -> None:
    file = tmp_path / "games.jsonl"
    with repeatable(number):  # by chance, the stakes of one in fifty such runs hardly change
        found = evenings(tmp_path, 5, number)
    file.write_text("".join(json.dumps(evening.vector()) + "\n" for evening in found), encoding="ascii")
    *not_good, total = node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()
    assert not_good == []
    assert json.loads(total)["games"] == number
    assert sum(one.type == "StakesChanged" for evening in found for one in evening.records) > 2 * number
