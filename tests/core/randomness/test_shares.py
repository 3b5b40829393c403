"""Shares of a common shuffle, byte by byte: what each is derived from, and that any difference changes the result."""

import hmac
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations, pairwise
from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK, shuffle
from pokersvc.core.randomness.shares import Links, dealers_part, round_seed, typed_root, u64
from pokersvc.core.randomness.stream import derive
from pokersvc.remote.device import Chain, Device

links = st.binary(min_size=32, max_size=32)
shares = st.dictionaries(st.integers(1, 10), links | st.just(b""), min_size=1).map(lambda found: sorted(found.items()))
START: Final = sha256(b"start").digest()


@given(links, links, st.integers(1, 10**6), shares)
def test_the_seed_is_what_the_formula_says(
    part: bytes, start: bytes, round_: int, given_: list[tuple[int, bytes]]
) -> None:
    message = u64(19) + b"pokersvc/together/1" + u64(32) + start + u64(round_)
    for seat, share in given_:
        message += u64(seat) + u64(len(share)) + share
    assert round_seed(part, start, round_, given_) == hmac.digest(part, message, "sha256")


@given(links, links, st.integers(1, 10**6), shares, st.data())
def test_the_seed_differs_if_anything_differs(
    part: bytes, start: bytes, round_: int, given_: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    seed = round_seed(part, start, round_, given_)
    at = data.draw(st.integers(0, len(given_) - 1))
    seat, share = given_[at]
    other = data.draw(links.filter(lambda found: found != share))
    assert seed != round_seed(part, start, round_, [*given_[:at], (seat, other), *given_[at + 1 :]])
    assert seed != round_seed(part, start, round_, [*given_[:at], (seat + 10, share), *given_[at + 1 :]])
    assert seed != round_seed(part, start, round_, [*given_[:at], *given_[at + 1 :]])
    assert seed != round_seed(part, start, round_ + 1, given_)
    assert seed != round_seed(part, data.draw(links.filter(lambda found: found != start)), round_, given_)
    assert seed != round_seed(data.draw(links.filter(lambda found: found != part)), start, round_, given_)


@given(links, st.integers(1, 10), st.integers(1, 250))
def test_every_share_of_a_chain_leads_to_its_tip(root: bytes, seat: int, length: int) -> None:
    h = Links(START, seat)
    chain = Chain(h, root, length)
    assert h.after(root, length) == chain.tip
    for number in {1, (length + 1) // 2, length}:
        assert h.after(chain.share(number), number) == chain.tip
    for number in (0, length + 1):
        with pytest.raises(ValueError, match=f"no share {number}"):
            chain.share(number)


def test_a_link_is_hashed_with_its_game_and_its_seat() -> None:
    text = u64(16) + b"pokersvc/share/1" + u64(32) + START + u64(3) + u64(32) + bytes(32)
    assert Links(START, 3).after(bytes(32)) == sha256(text).digest()
    assert len({Links(start, seat).after(bytes(32)) for start in (START, bytes(32)) for seat in (1, 2)}) == 4


def test_the_dealers_part_follows_from_the_secret_of_the_game() -> None:
    assert dealers_part(bytes(32), 7) == derive(bytes(32), "deck", 7)


def test_what_is_typed_counts_for_one_seat_of_one_game() -> None:
    text = u64(16) + b"pokersvc/typed/1" + u64(32) + START + u64(1) + u64(5) + "4 \u2660".encode()
    assert typed_root(START, 1, "4 \u2660") == sha256(text).digest()
    assert len({typed_root(start, seat, "four") for start in (START, bytes(32)) for seat in (1, 2)}) == 4


# One honest device among others that do what they like.

Adversary = Callable[[int, list[bytes], Random], bytes]


def _constant(_round: int, _seen: list[bytes], _random: Random) -> bytes:
    return bytes(32)


def _copied(_round: int, seen: list[bytes], _random: Random) -> bytes:
    """A dishonest device's share: the one that the honest device opened in the previous round."""
    return seen[-1] if seen else bytes(32)


def _chosen_after_all_before(round_: int, seen: list[bytes], _random: Random) -> bytes:
    """A share that follows from every earlier share and every tip."""
    return sha256(b"".join(seen[-20:]) + u64(round_)).digest()


ADVERSARIES: Final[tuple[Adversary, ...]] = (_constant, _copied, _chosen_after_all_before)
DEALS: Final = 100_000


@pytest.mark.slow
def test_one_honest_device_is_enough_for_every_card_in_every_place() -> None:
    """Each of 52 cards in each of 52 places is as frequent as by chance: chi-square with 51 × 51 degrees of freedom."""
    honest = Chain(Links(START, 1), sha256(b"honest").digest(), DEALS)
    secret, random, seen = bytes(32), Random(1), list[bytes]()
    places = np.empty((DEALS, 52), dtype=np.int64)
    for round_ in range(1, DEALS + 1):
        theirs = [adversary(round_, seen, random) for adversary in ADVERSARIES]
        share = honest.share(round_)
        seen.append(share)
        part = dealers_part(secret, round_)
        seed = round_seed(part, START, round_, [(1, share), *enumerate(theirs, 2)])
        places[round_ - 1] = [card.number for card in shuffle(FRESH_DECK, seed, "deck")]
    counts = np.stack([np.bincount(places[:, place], minlength=52) for place in range(52)])
    expected = DEALS / 52
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    degrees = 51 * 51
    assert abs(chi_square - degrees) < 4.5 * (2 * degrees) ** 0.5
    assert np.abs(counts - expected).max() < 5.5 * (expected * 51 / 52) ** 0.5


TRIES: Final = 591
GAMES, HANDS = 40, 9


def _better(seed: bytes) -> int:
    """How much better the house's first five cards are than the guest's."""
    from pokersvc.cards import strength

    deck = shuffle(FRESH_DECK, seed, "deck")
    return strength(deck[5:10]) - strength(deck[:5])


def _won(seeds: list[bytes]) -> bool:
    """Return whether the house won more hands of a game than its guest."""
    return sum(1 if _better(seed) > 0 else -1 for seed in seeds) > 0


@pytest.mark.slow
def test_a_dealer_who_tries_many_seeds_wins_no_more_than_its_share() -> None:
    """A dealer alone can pick the best of 591 seeds per hand; with a common shuffle it commits to its secret first."""
    alone = together = 0
    for game in range(GAMES):
        random = Random(game)
        start, root = random.randbytes(32), random.randbytes(32)
        seeds = [max((random.randbytes(32) for _ in range(TRIES)), key=_better) for _ in range(HANDS)]
        alone += _won(seeds)
        guessed = [(1, bytes(32))]

        def hoped(secret: bytes, start: bytes = start, guessed: list[tuple[int, bytes]] = guessed) -> int:
            return sum(_better(round_seed(dealers_part(secret, k), start, k, guessed)) > 0 for k in range(1, HANDS + 1))

        secret = max((random.randbytes(32) for _ in range(TRIES)), key=hoped)
        chain = Chain(Links(start, 1), root, HANDS)
        dealt = [round_seed(dealers_part(secret, k), start, k, [(1, chain.share(k))]) for k in range(1, HANDS + 1)]
        together += _won(dealt)
    assert alone == GAMES
    assert 10 <= together <= 30, "20 of 40, within three standard deviations and a little"


@pytest.mark.parametrize(("seats", "missed", "decks"), [(2, 1, 2), (4, 2, 7)])
def test_a_dealer_with_its_players_chooses_among_so_many_decks(seats: int, missed: int, decks: int) -> None:
    """One seat is honest; the dealer may call others' shares missed, and that limits the number of decks.

    The house's hand is then the best of so many, and no better: it beats the guest's in 1 − 1/2ⁿ of the rounds.
    """
    rounds = 600
    chains = [Chain(Links(START, seat), sha256(bytes([seat])).digest(), rounds) for seat in range(1, seats + 1)]
    won = 0
    for k in range(1, rounds + 1):
        shares = [(seat, chain.share(k)) for seat, chain in enumerate(chains, 1)]
        part = dealers_part(bytes(32), k)
        choices = {
            round_seed(part, START, k, [(seat, b"" if seat in gone else share) for seat, share in shares])
            for number in range(missed + 1)
            for gone in combinations(range(2, seats + 1), number)
        }
        assert len(choices) == decks
        won += max(map(_better, choices)) > 0
    expected = 1 - 0.5**decks
    assert abs(won / rounds - expected) < 4 * (expected * (1 - expected) / rounds) ** 0.5 + 0.002


def test_a_device_is_the_same_after_it_was_kept() -> None:
    device = Device.fresh(START, 2, length=30)
    again = Device.from_json(device.to_json())
    assert (again.public, again.chain.tip, again.length, again.signed) == (
        device.public, device.chain.tip, device.length, device.signed,
    )  # fmt: skip
    assert device.root.hex() not in repr(device)
    assert device.key.hex() not in repr(device)
    assert len({link for link, _ in pairwise(map(device.chain.share, range(1, 31)))}) == 29
