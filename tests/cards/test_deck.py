"""The shuffle against its definition, and that it is even; decks."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import (
    CARDS,
    FRESH_DECK,
    SHUFFLE_VERSION,
    Card,
    Deck,
    InvalidDeck,
    NotEnoughCards,
    parse_cards,
    shuffle,
)
from pokersvc.core.randomness.stream import Stream, derive
from pokersvc.errors import InvalidValue

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

SEEDS = st.binary(min_size=32, max_size=32)
COUNT = bytes(range(32))


# The page


def vectors() -> dict[str, str]:
    """The lines ``call = result`` in the blocks of docs/shuffle.md that are marked as test vectors."""
    page = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```vectors\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found = {}
    for line in "".join(blocks).splitlines():
        what, result = line.split(" = ")  # a line with two equal signs has to fail
        found[what] = result
    return found


VECTORS = vectors()
CALLS = [what for what in VECTORS if "(" in what]


def key_named(name: str) -> bytes:
    text = re.fullmatch(r'text "(.*)"', VECTORS[name])
    return text[1].encode() if text else bytes.fromhex(VECTORS[name])


def computed(call: str, result: str) -> str:
    """Return the code's result of a call on the page, in the format of the page."""
    name, _, arguments = call.removesuffix(")").partition("(")
    first, *rest = (json_value(argument) for argument in arguments.split(", "))
    match name, rest:
        case "message", [int(block)]:
            return (b"pokersvc/stream/1\0" + str(first).encode() + b"\0" + block.to_bytes(8, "big")).hex()
        case "take", [str(label), int(size)]:
            return Stream(key_named(str(first)), label).take(size).hex()
        case "below", [str(label), int(n)]:
            stream = Stream(key_named(str(first)), label)
            return " ".join(str(stream.below(n)) for _ in result.split())
        case "shuffle", [str(label)]:
            return " ".join(str(card.number) for card in shuffle(FRESH_DECK, key_named(str(first)), label))
        case "derive", labels:
            return derive(key_named(str(first)), *labels).hex()
    raise AssertionError(f"unknown vector {call}")


def json_value(argument: str) -> str | int:
    return int(argument) if argument.isdecimal() else argument.strip('"')


def test_the_page_has_vectors_of_every_kind() -> None:
    kinds = Counter(call.partition("(")[0] for call in CALLS)
    assert kinds == {"message": 1, "take": 3, "below": 10, "shuffle": 4, "derive": 6}


@pytest.mark.parametrize("call", CALLS)
def test_the_code_gives_the_vectors_of_the_page(call: str) -> None:
    result = VECTORS[call]
    assert computed(call, result) == (result.replace(" ", "") if call.startswith("message") else result)


def test_the_version_is_the_one_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
    assert page.startswith(f"# The shuffle, version {SHUFFLE_VERSION}\n")


# The definition


def stream_of_bytes(seed: bytes, label: str) -> Iterable[int]:
    """The stream, written from its definition down to the hash."""
    inner_key = bytes(byte ^ 0x36 for byte in seed.ljust(64, b"\0"))
    outer_key = bytes(byte ^ 0x5C for byte in seed.ljust(64, b"\0"))
    block = 0
    while True:
        message = b"pokersvc/stream/1" + bytes(1) + label.encode("utf-8") + bytes(1) + block.to_bytes(8, "big")
        inner = hashlib.sha256(inner_key + message).digest()
        yield from hashlib.sha256(outer_key + inner).digest()
        block += 1


def defined_shuffle(numbers: Sequence[int], seed: bytes, label: str) -> list[int]:
    """The shuffle, written from its definition and sharing no code with the one that is tested."""
    order = list(numbers)
    values = iter(stream_of_bytes(seed, label))
    i = len(order) - 1
    while i >= 1:
        count = i + 1
        value = next(values)
        while value >= count * (256 // count):
            value = next(values)
        j = value - count * (value // count)
        order[i], order[j] = order[j], order[i]
        i -= 1
    return order


def shuffle_with_stream(cards: Sequence[Card], seed: bytes, label: str) -> tuple[Card, ...]:
    """Shuffle as the docstring of the shuffle describes, with `Stream.below`."""
    stream = Stream(seed, label)
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


@given(st.permutations(CARDS), st.integers(0, 52), SEEDS, st.text(max_size=20))
def test_the_fast_shuffle_is_the_plain_one(order: list[Card], size: int, seed: bytes, label: str) -> None:
    cards = order[:size]
    shuffled = shuffle(cards, seed, label)
    assert shuffled == shuffle_with_stream(cards, seed, label)
    assert [card.number for card in shuffled] == defined_shuffle([card.number for card in cards], seed, label)


def test_the_fast_shuffle_is_the_plain_one_for_many_decks() -> None:
    for number in range(500):
        seed = number.to_bytes(32, "big")
        assert [card.number for card in shuffle(FRESH_DECK, seed)] == defined_shuffle(range(52), seed, "deck")


@given(st.permutations(CARDS), st.integers(0, 52), SEEDS)
def test_a_shuffle_keeps_the_cards(order: list[Card], size: int, seed: bytes) -> None:
    assert sorted(shuffle(order[:size], seed)) == sorted(order[:size])


@pytest.mark.parametrize("size", [0, 1, 16, 31, 33, 64])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(InvalidValue, match=f"^The seed of a shuffle has 32 bytes, not {size}"):
        shuffle(FRESH_DECK, bytes(size))


def test_more_than_a_deck_is_not_shuffled() -> None:
    with pytest.raises(InvalidDeck, match="at most 52 cards, not 53"):
        shuffle((*FRESH_DECK, Card("As")), COUNT)


# Evenness. The seeds are fixed, so these pass always or never. The thresholds are quantiles of the chi-square
# distribution, by the approximation of Wilson and Hilferty (1931).

Z_999 = 3.0902  # the 99.9 % quantile of the normal distribution
SHUFFLES = 20_000
FEWER = 5_000  # enough to find a wrong shuffle


def chi_square_quantile(freedom: int, z: float) -> float:
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + z * part**0.5) ** 3)


def even(statistic: float, freedom: int) -> bool:
    """Return whether a statistic passes at 0.1 % on either side: neither too uneven for chance, nor too even."""
    return chi_square_quantile(freedom, -Z_999) < statistic < chi_square_quantile(freedom, Z_999)


Shuffle = Callable[[bytes], Sequence[Card]]


def seeds(count: int) -> Iterable[bytes]:
    return (hashlib.sha256(number.to_bytes(8, "big")).digest() for number in range(count))


def place_by_card(shuffled: Shuffle, shuffles: int = SHUFFLES) -> tuple[float, int]:
    """Return the chi-square statistic, and its degrees of freedom, of how often each card lands in each place.

    A row and a column for each of 52 places and cards, where every row and column adds up to the number of
    shuffles: 51² degrees of freedom. The cells of one shuffle are one to a row and column, which makes the usual
    sum 52/51 times as large as that of independent cells.
    """
    seen: Counter[tuple[int, Card]] = Counter()
    for seed in seeds(shuffles):
        seen.update(enumerate(shuffled(seed)))
    expected = shuffles / 52
    total = sum((seen[place, card] - expected) ** 2 / expected for place in range(52) for card in CARDS)
    return total * 51 / 52, 51 * 51


def first_two(shuffled: Shuffle) -> tuple[float, int]:
    """The statistic and degrees of freedom of how often each pair of cards, in order, is on top."""
    seen = Counter(tuple(shuffled(seed)[:2]) for seed in seeds(SHUFFLES))
    expected = SHUFFLES / (52 * 51)
    return sum((seen[pair] - expected) ** 2 / expected for pair in permutations(CARDS, 2)), 52 * 51 - 1


def test_every_card_comes_to_every_place_equally_often() -> None:
    assert even(*place_by_card(lambda seed: shuffle(FRESH_DECK, seed)))


def test_every_two_cards_are_on_top_equally_often() -> None:
    assert even(*first_two(lambda seed: shuffle(FRESH_DECK, seed)))


def test_the_measure_finds_the_well_known_wrong_shuffle() -> None:
    """If every place is swapped with any place, not only with the remaining ones, some orders are more frequent."""

    def wrong(seed: bytes) -> Sequence[Card]:
        stream = Stream(seed, "deck")
        order = list(FRESH_DECK)
        for i in range(52):
            j = stream.below(52)
            order[i], order[j] = order[j], order[i]
        return order

    assert not even(*place_by_card(wrong, FEWER))


def test_the_measure_finds_a_card_that_never_stays() -> None:
    """Sattolo's algorithm, Fisher-Yates off by one, leaves no card where it was."""

    def wrong(seed: bytes) -> Sequence[Card]:
        stream = Stream(seed, "deck")
        order = list(FRESH_DECK)
        for i in range(51, 0, -1):
            j = stream.below(i)
            order[i], order[j] = order[j], order[i]
        return order

    assert not even(*place_by_card(wrong, FEWER))


# Decks


def test_a_fresh_deck_is_in_order() -> None:
    deck = Deck.fresh()
    assert tuple(deck) == FRESH_DECK == CARDS
    assert len(deck) == 52


def test_a_deck_is_shuffled_by_the_shuffle() -> None:
    assert Deck.fresh().shuffled(COUNT).cards == shuffle(FRESH_DECK, COUNT)
    assert Deck.fresh().shuffled(COUNT, "reshuffle/1") == Deck(shuffle(FRESH_DECK, COUNT, "reshuffle/1"))


@given(st.permutations(CARDS), st.integers(0, 52))
def test_cards_are_dealt_from_the_top(order: list[Card], n: int) -> None:
    deck = Deck(order)
    dealt, rest = deck.deal(n)
    assert (list(dealt), list(rest)) == (order[:n], order[n:])
    assert list(deck) == order


def test_a_deck_can_be_dealt_to_its_last_card() -> None:
    dealt, rest = Deck.fresh().deal(52)
    assert dealt == FRESH_DECK
    assert len(rest) == 0
    assert rest.deal(0) == ((), rest)


def test_a_card_cannot_be_in_a_deck_twice() -> None:
    with pytest.raises(InvalidDeck, match=r"^AH is in the deck twice") as refusal:
        Deck(parse_cards("AH KD") + parse_cards("2C AH"))
    assert refusal.value.code == "invalid_deck"


def test_no_more_cards_are_dealt_than_there_are() -> None:
    deck = Deck(parse_cards("AH KD 2C"))
    with pytest.raises(NotEnoughCards, match=r"^4 cards cannot be dealt: the deck has 3\.") as refusal:
        deck.deal(4)
    assert refusal.value.code == "not_enough_cards"
    with pytest.raises(InvalidValue, match=r"^-1 cards cannot be dealt"):
        deck.deal(-1)


def test_a_deck_is_a_value() -> None:
    deck = Deck(parse_cards("AH KD 2C"))
    assert deck == Deck(parse_cards("AH KD 2C")) != Deck(parse_cards("KD AH 2C"))
    assert len({deck, Deck(parse_cards("AH KD 2C"))}) == 1
    with pytest.raises(AttributeError):
        deck.cards = ()  # type: ignore[misc]  # what is frozen refuses
