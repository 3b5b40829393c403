"""Sources of randomness: test vectors that never change, seeds from a text, and fresh ones."""

import pytest

from pokersvc.core.randomness.chance import EntropySource, FreshEntropy, StreamRandom, TextEntropy
from pokersvc.core.randomness.stream import derive

KEY = bytes(range(32))

# What these are never changes, or games with a seed could not be played again.
SEEDS_OF_DEMO = [
    "59292be6ab4b7b38b4c56d5258cdb07850327af37030525b8094c1830bc3ee9b",
    "322a1a0baa3a083fc490747a64f89c01e6428cb704a27a0257021ce74031f1be",
]
SECRET_OF_DEMO = "04b4122966b81dbfde76986eb6b1206b456bab0c16684020c6cc94be0fa9c4d1"
BITS_OF_PROGRAM = [585392432, 3582359825, 1022647905]
BITS = [1, 92, 139, 437, 3207219820851392, 93980703975843549740969499666148592310]
NUMBERS = [0.6668937119633083, 0.5954758836926668, 0.02519816696431798]
BELOW_100 = [85, 92, 69, 45, 19, 76, 56, 13]
SAMPLE = [42, 46, 34, 50, 22]


def test_the_seeds_of_a_text_are_frozen() -> None:
    entropy = TextEntropy("demo")
    assert [entropy.seed(round_).hex() for round_ in (1, 2)] == SEEDS_OF_DEMO


def test_a_rounds_seed_is_derived_from_the_text_and_the_round() -> None:
    assert TextEntropy("demo").seed(3) == derive(b"demo", "deck", 3)
    assert TextEntropy("dämo").seed(3) == derive("dämo".encode(), "deck", 3)


def test_a_texts_secret_is_frozen_and_no_decks_seed() -> None:
    source = EntropySource.from_text("demo")
    assert source.secret.hex() == SECRET_OF_DEMO
    assert source.secret == derive(b"demo", "game")
    assert source.text == "demo"
    assert source.entropy() == TextEntropy("demo")


def test_fresh_sources_and_seeds_are_always_others() -> None:
    assert len({EntropySource.fresh().secret for _ in range(20)}) == 20
    assert len({FreshEntropy().seed(1) for _ in range(20)}) == 20
    assert {len(FreshEntropy().seed(1)), len(EntropySource.fresh().secret)} == {32}
    assert EntropySource.fresh().text is None
    assert isinstance(EntropySource.fresh().entropy(), FreshEntropy)


def test_a_programs_randomness_is_frozen() -> None:
    random = EntropySource.from_text("demo").program_random(2, 17)
    assert [random.getrandbits(32) for _ in range(3)] == BITS_OF_PROGRAM


def test_a_programs_randomness_depends_on_secret_seat_and_number_alone() -> None:
    source, stranger = EntropySource(KEY, None), EntropySource(bytes(32), None)

    def bits(source: EntropySource, seat: int, seq: int) -> int:
        return source.program_random(seat, seq).getrandbits(64)

    assert bits(source, 1, 2) == bits(source, 1, 2) == bits(EntropySource(KEY, "text"), 1, 2)
    others = [(source, 2, 1), (source, 1, 3), (source, 12, 0), (stranger, 1, 2)]
    assert len({bits(source, 1, 2), *(bits(*other) for other in others)}) == 5


def test_the_bits_of_a_stream_are_frozen() -> None:
    random = StreamRandom(KEY)
    assert [random.getrandbits(k) for k in (1, 7, 8, 9, 53, 128)] == BITS


def test_the_numbers_of_a_stream_are_frozen() -> None:
    random = StreamRandom(KEY)
    assert [random.random() for _ in range(3)] == NUMBERS
    random = StreamRandom(KEY)
    assert [random.randrange(100) for _ in range(8)] == BELOW_100
    random = StreamRandom(KEY)
    assert random.sample(range(52), 5) == SAMPLE


def test_bits_are_as_many_as_asked_for() -> None:
    random = StreamRandom(KEY)
    assert all(random.getrandbits(k) < 1 << k for k in range(1, 200))
    assert {random.getrandbits(1) for _ in range(100)} == {0, 1}
    assert random.getrandbits(0) == 0


def test_numbers_are_from_0_to_below_1_and_even() -> None:
    random = StreamRandom(KEY)
    numbers = [random.random() for _ in range(4000)]
    assert all(0 <= number < 1 for number in numbers)
    assert 0.48 < sum(numbers) / len(numbers) < 0.52


def test_a_stream_is_not_seeded_again() -> None:
    with pytest.raises(TypeError, match="cannot be seeded"):
        StreamRandom(KEY).seed(1)


def test_every_method_of_random_draws_from_the_stream() -> None:
    first, second = StreamRandom(KEY), StreamRandom(KEY)
    assert [first.gauss(0, 1) for _ in range(3)] == [second.gauss(0, 1) for _ in range(3)]
