"""The codec's own promises, with events of no game: old versions, strict parts, one spelling, what is remembered."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from pokersvc.core.codec import LONGEST_TEXT, MOST_TEXTS, EncodedEvent, EventCodec, UnreadableEvent
from pokersvc.core.event import Audience, Event


@dataclass(frozen=True, slots=True)
class PaidV1(Event):
    amount: int


@dataclass(frozen=True, slots=True)
class PaidV2(Event):
    cents: int
    why: Annotated[str | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class Paid(Event):
    """A payment, of which everybody may know how much it was, and only the dealer why it was made."""

    cents: int
    payer: str
    why: Annotated[str | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class Rang(Event):
    """A bell rang: an event without a secret."""

    bell: int
    times: int


@dataclass(frozen=True, slots=True)
class Said(Event):
    text: str


def _second(old: PaidV1) -> PaidV2:
    return PaidV2(old.amount * 100, "not said")


def _third(old: PaidV2) -> Paid:
    return Paid(old.cents, "somebody", old.why)


def toy() -> EventCodec:
    types: dict[tuple[str, int], type[Event]] = {
        ("Paid", 1): PaidV1, ("Paid", 2): PaidV2, ("Paid", 3): Paid, ("Rang", 1): Rang, ("Said", 1): Said,
    }  # fmt: skip
    return EventCodec(types, {PaidV1: _second, PaidV2: _third})


TOY = toy()
PUBLIC = '{"cents":7,"payer":"Ann"}'


def test_an_old_version_is_lifted_one_version_at_a_time() -> None:
    assert TOY.decode("Paid", 1, '{"amount":7}', None) == Paid(700, "somebody", "not said")
    assert TOY.decode("Paid", 2, '{"cents":7}', '{"why":"rent"}') == Paid(7, "somebody", "rent")
    assert TOY.decode("Paid", 2, '{"cents":7}', None) == Paid(7, "somebody", None)


def test_an_old_version_is_read_in_its_own_schema() -> None:
    assert TOY.decode_stored("Paid", 1, '{"amount":7}', None) == PaidV1(7)
    with pytest.raises(UnreadableEvent, match=r"version 1\) is not valid: cents"):
        TOY.decode("Paid", 1, '{"amount":7,"cents":700}', None)


def test_only_the_newest_version_is_written() -> None:
    assert TOY.encode(Paid(7, "Ann", "rent")) == ("Paid", 3, PUBLIC, '{"why":"rent"}')
    assert TOY.is_stored_as(Paid(7, "Ann", "rent"), "Paid", 3, PUBLIC, '{"why":"rent"}')
    assert not TOY.is_stored_as(Paid(7, "Ann", "rent"), "Paid", 2, PUBLIC, '{"why":"rent"}')
    assert not TOY.is_stored_as(Paid(7, "Ann", "rent"), "Rang", 3, PUBLIC, '{"why":"rent"}')
    assert TOY.names_of([Rang, PaidV1]) == {"Rang"}
    assert TOY.names_of([Rang, Paid]) == {"Paid", "Rang"}


def test_the_canonical_form_is_that_of_the_stored_version() -> None:
    assert TOY.is_canonical("Paid", 1, '{"amount":7}', None)
    assert not TOY.is_canonical("Paid", 1, '{"amount": 7}', None)
    assert TOY.is_canonical("Paid", 2, '{"cents":7}', '{"why":"rent"}')
    assert not TOY.is_canonical("Paid", 2, '{"cents":7}', '{"why": "rent"}')


def test_fields_out_of_alphabetical_order_are_refused_at_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Unordered(Event):
        seat: int
        amount: int

    with pytest.raises(TypeError, match=r"^The fields of Unordered must stand in alphabetical order, not \["):
        EventCodec({("Unordered", 1): Unordered}, {})


# What cannot be read.


@pytest.mark.parametrize(("type_", "version"), [("Rung", 1), ("Rang", 2), ("Rang", 0), ("rang", 1), ("Paid", 4)])
def test_an_unknown_type_or_version_is_refused(type_: str, version: int) -> None:
    for read in (TOY.decode, TOY.decode_stored, TOY.is_canonical):
        with pytest.raises(UnreadableEvent, match=f"type '{type_}', version {version}, is not known"):
            read(type_, version, '{"bell":1,"times":3}', None)


@pytest.mark.parametrize(
    ("type_", "payload", "secret", "said"),
    [
        ("Paid", '{"cents":7,"payer":"Ann","why":"rent"}', None, "Paid .version 3. is not valid: why"),
        ("Paid", PUBLIC, '{"why":"rent","payer":"Bob"}', "Paid .version 3. is not valid: payer"),
        ("Paid", PUBLIC, "{}", "Paid .version 3. is not valid: why"),
        ("Paid", PUBLIC, '{"why":null}', "secret of a Paid is null; a secret must not be empty"),
        ("Rang", '{"bell":1,"times":3}', "{}", "stored Rang has a secret, but an event of this type has none"),
        ("Rang", "[1,3]", None, "Rang .version 1. is not valid: the payload"),
        ("Rang", '{"bell":true,"times":3}', None, "Rang .version 1. is not valid: bell"),
        ("Rang", '{"bell":"one","times":"three"}', None, "Rang .version 1. is not valid: bell"),  # the first of two
    ],
)
def test_each_part_has_its_own_fields_and_no_other(type_: str, payload: str, secret: str | None, said: str) -> None:
    version = 3 if type_ == "Paid" else 1
    for read in (TOY.decode, TOY.decode_stored, TOY.is_canonical):
        with pytest.raises(UnreadableEvent, match=said):
            read(type_, version, payload, secret)


# One spelling.


@pytest.mark.parametrize(
    "payload",
    [
        '{"times":3,"bell":1}',
        '{"bell": 1,"times":3}',
        '{"bell":1,"times":3}\n',
        '{"bell":2,"bell":1,"times":3}',
    ],
)
def test_a_text_that_means_the_same_is_not_canonical(payload: str) -> None:
    assert TOY.decode("Rang", 1, payload, None) == Rang(1, 3)
    assert not TOY.is_canonical("Rang", 1, payload, None)
    assert not TOY.is_stored_as(Rang(1, 3), "Rang", 1, payload, None)
    assert TOY.is_canonical("Rang", 1, '{"bell":1,"times":3}', None)


def test_the_public_part_of_a_withheld_secret_is_judged_alone() -> None:
    assert TOY.is_canonical("Paid", 3, PUBLIC, None)
    assert not TOY.is_canonical("Paid", 3, PUBLIC.replace(":", ": "), None)
    assert not TOY.is_stored_as(Paid(7, "Ann", "rent"), "Paid", 3, PUBLIC, None)
    assert TOY.is_stored_as(Paid(7, "Ann", "rent"), "Paid", 3, PUBLIC, None, withheld=True)


def test_a_withheld_secret_reads_as_none_and_cannot_be_written() -> None:
    event = TOY.decode("Paid", 3, PUBLIC, None)
    assert event == Paid(7, "Ann", None)
    with pytest.raises(UnreadableEvent, match=r"^A Paid whose secret was withheld cannot be stored\.$"):
        TOY.encode(event)


def test_any_script_is_ascii_in_the_text() -> None:
    event = Paid(7, "Zoë", "für 安娜")
    encoded = TOY.encode(event)
    assert encoded == EncodedEvent(
        "Paid", 3, '{"cents":7,"payer":"Zo\\u00eb"}', '{"why":"f\\u00fcr \\u5b89\\u5a1c"}'
    )  # fmt: skip
    assert TOY.decode(*encoded) == event
    assert TOY.encode(Said("安")) == EncodedEvent("Said", 1, '{"text":"\\u5b89"}', None)


# What is remembered.


def test_a_short_text_is_read_once() -> None:
    first, again = (TOY.decode("Rang", 1, '{"bell":5,"times":2}', None) for _ in range(2))
    assert first is again


def test_what_is_remembered_is_bounded_in_number_and_length() -> None:
    codec = toy()
    texts = codec._forms["Rang", 1].texts
    for times in range(3 * MOST_TEXTS):
        assert codec.decode("Rang", 1, f'{{"bell":1,"times":{times}}}', None) == Rang(1, times)
        assert len(texts) == times % MOST_TEXTS + 1
    codec = toy()
    texts = codec._forms["Rang", 1].texts
    start, end = '{"bell":1,"times":2', "}"
    for length, is_kept in ((LONGEST_TEXT + 1, False), (LONGEST_TEXT, True)):
        text = start.ljust(length - len(end)) + end
        assert codec.decode("Rang", 1, text, None) == Rang(1, 2)
        assert (text in texts) == is_kept
    with pytest.raises(UnreadableEvent):
        codec.decode("Rang", 1, '{"bell":1}', None)
    assert len(texts) == 1


def test_a_secret_is_not_remembered() -> None:
    codec, text = toy(), '{"why":"rent"}'
    first, again = (codec.decode("Paid", 3, PUBLIC, text) for _ in range(2))
    assert first == again == Paid(7, "Ann", "rent")
    assert not any(text in form.texts for form in codec._forms.values())
