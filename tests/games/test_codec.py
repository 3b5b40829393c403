"""How events are written and read: canonical text, strict reading, secrets apart, old versions lifted."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import parse_cards
from pokersvc.core.codec import LONGEST_TEXT, MOST_TEXTS, EncodedEvent, EventCodec, UnreadableEvent
from pokersvc.core.common_events import GameClosed
from pokersvc.core.event import AUDITOR, EVERYONE, Audience, Event, may_see, redact, secret_fields
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.house.houses import preset

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


VERSIONS = {"GameStarted": 5, "SatDown": 2}
"""The types that were changed since."""
EXAMPLES: list[Event] = [
    started(),
    events.RoundStarted(5, None, 1),
    events.DeckShuffled(bytes(range(32))),
    events.AntePosted(5, 1),
    events.BlindPosted(1, "small", 2),
    events.Posted(2, "extra", 1),
    events.HandDealt(CARDS, 5, 1),
    events.OpenerChosen(1, 2),
    events.Checked(1),
    events.Bet(50, 1),
    events.Called(50, 2),
    events.Raised(4, 1, 8),
    events.Folded("short", 1),
    events.Forfeited("timeout", 2),
    events.RoundForgone(2),
    events.CardsDiscarded((), 0, 1),
    events.CardsDrawn(CARDS[:2], 2, 1),
    events.DeckReshuffled(7, 1),
    events.HandsOpened((events.OpenHand(CARDS, 1),)),
    events.HandShown(CARDS, 1),
    events.HandMucked(2),
    events.UncalledBetReturned(10, 1),
    events.RakeTaken(2, 1),
    events.PotAwarded(1, "showdown", (events.Share(82, 1), events.Share(82, 3))),
    events.RemainderCarried(1),
    events.PlayerLeft(0, "withdrew", 2),
    events.SatDown(200, "Zoë", 3),
    events.GotUp(150, 3),
    events.ChipsBought(50, 3),
    events.SatOut(3),
    events.SatIn(3),
    events.RoundEnded(1),
    events.HandsRevealed((events.OpenHand(CARDS, 1),), 1),
    GameClosed(),
    events.GameEnded("rounds", (990, 1010), (2,)),
]
WITH_SECRET = [event for event in EXAMPLES if secret_fields(type(event))]
by_type = pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def test_there_is_an_example_of_every_type() -> None:
    assert [type(event) for event in EXAMPLES] == list(events.EVENT_TYPES.values())


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
    assert CODEC.encode(events.HandDealt(CARDS, 5, 1)) == EncodedEvent(
        "HandDealt", 1, '{"count":5,"seat":1}', '{"cards":["Ah","Td","2c","9s","Kc"]}'
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


@pytest.mark.parametrize(("type_", "version"), [("Bett", 1), ("Bet", 2), ("Bet", 0), ("bet", 1)])
def test_an_unknown_type_or_version_is_refused(type_: str, version: int) -> None:
    with pytest.raises(UnreadableEvent, match=f"type '{type_}', version {version}, is not known"):
        CODEC.decode(type_, version, '{"amount":50,"seat":1}', None)


def test_a_secret_in_the_payload_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="cards"):
        CODEC.decode("HandDealt", 1, '{"cards":["Ah"],"count":1,"seat":1}', None)


def test_a_public_field_in_the_secret_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="seat"):
        CODEC.decode("HandDealt", 1, '{"count":1,"seat":1}', '{"cards":["Ah"],"seat":2}')


def test_a_secret_where_there_is_none_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="has a secret"):
        CODEC.decode("Checked", 1, '{"seat":1}', "{}")


def test_a_secret_that_lacks_its_field_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="cards"):
        CODEC.decode("HandDealt", 1, '{"count":1,"seat":1}', "{}")


def test_recorded_rules_that_would_be_refused_today_can_still_be_read() -> None:
    encoded = CODEC.encode(started())
    read = CODEC.decode(
        encoded.type, encoded.version, encoded.payload.replace('"stack":1000', '"stack":1'), encoded.secret
    )
    assert isinstance(read, events.GameStarted)
    assert read.rules.stack == 1


@pytest.mark.parametrize(
    "payload",
    [
        '{"seat":1,"amount":50}',
        '{"amount": 50,"seat":1}',
        '{"amount":50,"seat":1}\n',
        '{"amount":1,"amount":50,"seat":1}',
    ],
)
def test_a_text_that_means_the_same_is_not_canonical(payload: str) -> None:
    assert CODEC.decode("Bet", 1, payload, None) == events.Bet(50, 1)
    assert not CODEC.is_canonical("Bet", 1, payload, None)


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
    event = events.HandDealt(CARDS, 5, 2)
    assert redact(event, 2) is event
    assert redact(event, 1) == redact(event, EVERYONE) == events.HandDealt(None, 5, 2)


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2])
def test_the_dealers_secrets_are_nobodys_at_the_table(viewer: Any) -> None:
    assert redact(events.DeckShuffled(bytes(32)), viewer) == events.DeckShuffled(None)
    assert redact(started(), viewer).entropy is None


# Versions: a toy set of events of which one has changed twice.


@dataclass(frozen=True, slots=True)
class PaidV1(Event):
    amount: int


@dataclass(frozen=True, slots=True)
class PaidV2(Event):
    cents: int
    why: Annotated[str | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class Paid(Event):
    cents: int
    payer: str
    why: Annotated[str | None, Audience.DEALER]


def _second(old: PaidV1) -> PaidV2:
    return PaidV2(old.amount * 100, "not said")


def _third(old: PaidV2) -> Paid:
    return Paid(old.cents, "somebody", old.why)


TOY = EventCodec({("Paid", 1): PaidV1, ("Paid", 2): PaidV2, ("Paid", 3): Paid}, {PaidV1: _second, PaidV2: _third})


def test_an_old_version_is_lifted_one_version_at_a_time() -> None:
    assert TOY.decode("Paid", 1, '{"amount":7}', None) == Paid(700, "somebody", "not said")
    assert TOY.decode("Paid", 2, '{"cents":7}', '{"why":"rent"}') == Paid(7, "somebody", "rent")
    assert TOY.decode("Paid", 2, '{"cents":7}', None) == Paid(7, "somebody", None)


def test_an_old_version_is_read_in_its_own_schema() -> None:
    assert TOY.decode_stored("Paid", 1, '{"amount":7}', None) == PaidV1(7)
    with pytest.raises(UnreadableEvent, match=r"version 1\) is not valid: cents"):
        TOY.decode("Paid", 1, '{"amount":7,"cents":700}', None)


def test_only_the_newest_version_is_written() -> None:
    assert TOY.encode(Paid(7, "Ann", "rent")) == ("Paid", 3, '{"cents":7,"payer":"Ann"}', '{"why":"rent"}')


def test_the_canonical_form_is_that_of_the_stored_version() -> None:
    assert TOY.is_canonical("Paid", 1, '{"amount":7}', None)
    assert not TOY.is_canonical("Paid", 1, '{"amount": 7}', None)
    assert TOY.is_canonical("Paid", 2, '{"cents":7}', '{"why":"rent"}')


def test_fields_out_of_alphabetical_order_are_refused_at_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Unordered(Event):
        seat: int
        amount: int

    with pytest.raises(TypeError, match="alphabetical"):
        EventCodec({("Unordered", 1): Unordered}, {})


def test_the_public_part_of_a_withheld_secret_is_judged_alone() -> None:
    assert CODEC.is_canonical("HandDealt", 1, '{"count":5,"seat":1}', None)
    assert not CODEC.is_canonical("HandDealt", 1, '{"count": 5,"seat":1}', None)


@pytest.mark.parametrize(("type_", "payload"), [("HandDealt", "{}"), ("Nonsense", "{}"), ("Bet", '{"amount":"1"}')])
def test_what_cannot_be_read_is_not_judged(type_: str, payload: str) -> None:
    with pytest.raises(UnreadableEvent):
        CODEC.is_canonical(type_, 1, payload, None)


def test_a_secret_that_hides_nothing_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="null"):
        CODEC.decode("HandDealt", 1, '{"count":5,"seat":1}', '{"cards":null}')


def test_a_short_text_is_read_once() -> None:
    first, again = (CODEC.decode("Called", 1, '{"amount":5,"seat":2}', None) for _ in range(2))
    assert first is again


def test_what_is_remembered_is_bounded_in_number_and_length() -> None:
    codec = EventCodec({("Called", 1): events.Called}, {})
    for amount in range(3 * MOST_TEXTS):
        assert codec.decode("Called", 1, f'{{"amount":{amount},"seat":2}}', None) == events.Called(amount, 2)
        assert len(codec._forms["Called", 1].texts) <= MOST_TEXTS
    codec = EventCodec({("Called", 1): events.Called}, {})
    assert codec.decode("Called", 1, '{"amount":5,"seat":2' + " " * LONGEST_TEXT + "}", None) == events.Called(5, 2)
    assert not codec._forms["Called", 1].texts
    with pytest.raises(UnreadableEvent):
        codec.decode("Called", 1, '{"seat":2}', None)
    assert not codec._forms["Called", 1].texts


def test_a_secret_is_not_remembered() -> None:
    text = '{"cards":["Ah","Td","2c","9s","Kc"]}'
    first, again = (CODEC.decode("HandDealt", 1, '{"count":5,"seat":2}', text) for _ in range(2))
    assert first == again == events.HandDealt(CARDS, 5, 2)
    assert not any(text in form.texts for form in CODEC._forms.values())


@pytest.mark.parametrize("kind", game_kinds())
def test_an_event_has_slots_and_no_dictionary(kind: str) -> None:
    """Logs are read by the million events."""
    assert [event for event in game_of(kind).event_types.values() if event.__dictoffset__] == []
