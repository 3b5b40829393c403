"""Writing and reading events: canonical text, strict parsing, separate secrets, upgrades of old versions."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import parse_cards
from pokersvc.cards.deck import card_digest
from pokersvc.core.codec import EncodedEvent, UnreadableEvent
from pokersvc.core.common_events import GameClosed
from pokersvc.core.event import AUDITOR, EVERYONE, Event, may_see, redact, secret_fields
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, earlier_events, events
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.stakes import stakes_of
from tests.games.draw_poker.committed import cards_drawn, hand_dealt

CODEC = DRAW_POKER.codec
CARDS = parse_cards("AH TD 2C 9S KC")


def started(name: str = "Ann", text: str | None = "a seed") -> events.GameStarted:
    return events.GameStarted(
        engine=2,
        entropy=EntropySource(bytes(range(32)), text),
        game="draw",
        hidden_kinds=False,
        program="0.1.0",
        reproducible=text is not None,
        rounds=None,
        rules=preset("rising-ante"),
        seats=(Seat("human", name), Seat("steady", "Bob")),
        shuffle=1,
    )


VERSIONS = {"CardsDrawn": 2, "GameStarted": 7, "HandDealt": 2, "SatDown": 3}
"""The types that were changed since."""
EXAMPLES: list[Event] = [
    started(),
    events.RoundStarted(5, None, 1),
    events.DeckShuffled(bytes(range(32))),
    events.AntePosted(5, 1),
    events.BlindPosted(1, "small", 2),
    events.Posted(2, "extra", 1),
    hand_dealt(CARDS, 1),
    events.OpenerChosen(1, 2),
    events.Checked(1),
    events.Bet(50, 1),
    events.Called(50, 2),
    events.Raised(4, 1, 8),
    events.Folded("short", 1),
    events.Forfeited("timeout", 2),
    events.RoundForgone(2),
    events.CardsDiscarded((), 0, 1),
    cards_drawn(CARDS[:2], 1),
    events.DeckReshuffled(7, 1),
    events.HandsOpened((events.OpenHand(CARDS, 1),)),
    events.HandShown(CARDS, 1),
    events.HandMucked(2),
    events.UncalledBetReturned(10, 1),
    events.RakeTaken(2, 1),
    events.PotAwarded(1, "showdown", (events.Share(82, 1), events.Share(82, 3))),
    events.RemainderCarried(1),
    events.PlayerLeft(0, "withdrew", 2),
    events.SatDown(200, "Zoë", 7, 3),
    events.GotUp(150, 3),
    events.ChipsBought(50, 3),
    events.SatOut(3),
    events.SatIn(3),
    events.CardsShown(CARDS[:2], (bytes(16), bytes(range(16))), 1),
    events.StakesChanged(2, stakes_of(preset("no-limit"), 0)),
    events.LevelBegan(2),
    events.ChipsRacedOff(25, (975, 1025)),
    events.RoundEnded(1),
    events.HandsRevealed((events.OpenHand(CARDS, 1),), 1),
    GameClosed(),
    events.Reentered(200, 10, 2),
    events.AddOnTaken(500, 5, 2),
    events.PrizesAwarded((1, 2), (10, 20), (30, 0)),
    events.GameEnded("rounds", (990, 1010), (2,)),
    cash_events.PurchaseAsked(60, "Zoë", 7, 3),
    cash_events.PurchaseAdmitted(None, 3),
    cash_events.PurchaseRefused(1, 3),
    cash_events.WishesSet(False, True, 3, True, 200),
    cash_events.ToppedUp(40, 3),
    cash_events.SatOutAtBlind(3),
    cash_events.SatInWithBlind(3),
    cash_events.SeatFreed(120, 3),
    cash_events.BombPotAnnounced(None, True, 12),
]
WITH_SECRET = [event for event in EXAMPLES if secret_fields(type(event))]
by_type = pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def test_there_is_an_example_of_every_type() -> None:
    assert [type(event) for event in EXAMPLES] == [*events.EVENT_TYPES.values()]


@by_type
def test_the_texts_are_canonical_json(event: Event) -> None:
    encoded = CODEC.encode(event)
    assert encoded.payload == canonical(json.loads(encoded.payload))
    assert encoded.secret is None or encoded.secret == canonical(json.loads(encoded.secret))
    assert CODEC.is_canonical(*encoded)


@by_type
def test_what_is_written_reads_back_as_it_was(event: Event) -> None:
    assert CODEC.decode(*CODEC.encode(event)) == event


@by_type
def test_the_type_is_stored_by_its_name_and_version(event: Event) -> None:
    encoded = CODEC.encode(event)
    assert (encoded.type, encoded.version) == (name := type(event).__name__, VERSIONS.get(name, 1))


@by_type
def test_an_event_is_stored_as_what_encode_returns_and_as_nothing_else(event: Event) -> None:
    type_, version, payload, secret = CODEC.encode(event)
    assert CODEC.is_stored_as(event, type_, version, payload, secret)
    assert not CODEC.is_stored_as(event, f"{type_}s", version, payload, secret)
    assert not CODEC.is_stored_as(event, type_, version + 1, payload, secret)
    assert not CODEC.is_stored_as(event, type_, version, f"{payload} ", secret)
    assert not CODEC.is_stored_as(event, type_, version, payload, "{}" if secret is None else None)
    assert CODEC.is_stored_as(event, type_, version, payload, None, withheld=True)


@by_type
def test_a_secret_is_written_beside_the_payload_and_only_there(event: Event) -> None:
    encoded = CODEC.encode(event)
    secret = set(secret_fields(type(event)))
    assert set(json.loads(encoded.payload)) == set(type(event).__slots__) - secret
    assert set(json.loads(encoded.secret or "{}")) == secret
    assert (encoded.secret is None) == (not secret)


def test_known_texts() -> None:
    assert CODEC.encode(earlier_events.HandDealt(CARDS, 5, 1)) == EncodedEvent(
        "HandDealt", 1, '{"count":5,"seat":1}', '{"cards":["Ah","Td","2c","9s","Kc"]}'
    )
    ace, salt = CARDS[0], bytes(range(16))
    digest = "d7f35b880a54353a5afe8c1e747da82e31f835d35fdb1086351e5ba4d4bb457c"
    assert CODEC.encode(events.CardsDrawn((ace,), 1, (card_digest(salt, ace),), (salt,), 2)) == EncodedEvent(
        "CardsDrawn",
        2,
        f'{{"count":1,"digests":["{digest}"],"seat":2}}',
        '{"cards":["Ah"],"salts":["000102030405060708090a0b0c0d0e0f"]}',
    )
    assert CODEC.encode(events.DeckShuffled(bytes(31) + b"\xff")) == EncodedEvent(
        "DeckShuffled", 1, "{}", '{"seed":"' + "00" * 31 + 'ff"}'
    )
    assert CODEC.encode(events.Checked(3)) == EncodedEvent("Checked", 1, '{"seat":3}', None)


@given(st.text(min_size=1, max_size=20).filter(lambda name: name.isprintable() and name == name.strip()))
def test_names_and_seeds_in_any_script_are_ascii_in_the_text(text: str) -> None:
    event = started(text, text)
    encoded = CODEC.encode(event)
    assert encoded.secret is not None
    assert (encoded.payload + encoded.secret).isascii()
    assert encoded.payload == canonical(json.loads(encoded.payload))
    assert encoded.secret == canonical(json.loads(encoded.secret))
    assert CODEC.decode(*encoded) == event


# What cannot be read.


@pytest.mark.parametrize(
    ("payload", "where"),
    [
        ('{"amount":50,"seat":1,"tip":5}', "tip"),
        ('{"amount":"50","seat":1}', "amount"),
        ('{"amount":true,"seat":1}', "amount"),
        ('{"amount":50.0,"seat":1}', "amount"),
        ('{"amount":null,"seat":1}', "amount"),
        ('{"amount":-50,"seat":1}', "amount"),
        ('{"amount":50,"seat":0}', "seat"),
        ('{"amount":50}', "seat"),
        ("[50,1]", "the payload"),
        ('{"amount":50,', "the payload"),
        ("", "the payload"),
    ],
)
def test_a_payload_that_is_not_to_the_letter_is_refused_by_field(payload: str, where: str) -> None:
    with pytest.raises(UnreadableEvent, match=rf"^The stored Bet \(version 1\) is not valid: {where}: .*\.$"):
        CODEC.decode("Bet", 1, payload, None)


@pytest.mark.parametrize("card", ["AH", "10d", "Xx", "", 3, None])
def test_a_stored_card_has_one_spelling(card: object) -> None:
    with pytest.raises(UnreadableEvent):
        CODEC.decode("HandDealt", 1, '{"count":1,"seat":1}', canonical({"cards": [card]}))


@pytest.mark.parametrize("seed", ["", "00", "00" * 31, "00" * 33, "zz" * 32, None])
def test_a_seed_has_32_bytes(seed: object) -> None:
    if seed is None:  # a withheld seed is no secret at all, never a null in one
        assert CODEC.decode("DeckShuffled", 1, "{}", None) == events.DeckShuffled(None)
    else:
        with pytest.raises(UnreadableEvent):
            CODEC.decode("DeckShuffled", 1, "{}", canonical({"seed": seed}))


def test_recorded_rules_that_would_be_refused_today_can_still_be_read() -> None:
    encoded = CODEC.encode(started())
    read = CODEC.decode(
        encoded.type, encoded.version, encoded.payload.replace('"stack":1000', '"stack":1'), encoded.secret
    )
    assert isinstance(read, events.GameStarted)
    assert read.rules.stack == 1


# Secrets.


@pytest.mark.parametrize("event", WITH_SECRET, ids=lambda event: type(event).__name__)
def test_without_its_secret_an_event_reads_as_what_everyone_may_know(event: Event) -> None:
    encoded = CODEC.encode(event)
    assert CODEC.decode(encoded.type, encoded.version, encoded.payload, None) == redact(event, EVERYONE) != event


@pytest.mark.parametrize("event", WITH_SECRET, ids=lambda event: type(event).__name__)
def test_an_event_whose_secret_was_withheld_cannot_be_stored(event: Event) -> None:
    with pytest.raises(UnreadableEvent, match="withheld"):
        CODEC.encode(redact(event, EVERYONE))


@by_type
def test_an_auditor_may_see_every_secret(event: Event) -> None:
    assert may_see(event, AUDITOR)
    assert redact(event, AUDITOR) is event


def test_cards_are_their_seats_and_nobody_elses() -> None:
    event = hand_dealt(CARDS, 2)
    assert redact(event, 2) is event
    assert redact(event, 1) == redact(event, EVERYONE) == replace(event, cards=None, salts=None)


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2])
def test_the_dealers_secrets_are_nobodys_at_the_table(viewer: Any) -> None:
    assert redact(events.DeckShuffled(bytes(32)), viewer) == events.DeckShuffled(None)
    assert redact(started(), viewer).entropy is None


@pytest.mark.parametrize("kind", game_kinds())
def test_an_event_has_slots_and_no_dictionary(kind: str) -> None:
    """Logs are read by the million events."""
    assert [event for event in game_of(kind).event_types.values() if event.__dictoffset__] == []
