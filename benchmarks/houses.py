"""Every house compared with the others, and `no-limit` with PokerKit: the cost of a hand and of a decision.

The choices are those of `random` players, made beforehand, without an advisor. The time is that of the engine: the
dealer's events, the legal actions, the event of each choice, and applying them. Each hand is the first of a game, so
that all its seats are taken. A decision's time includes its share of all that the dealer does in its hand.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.pokerkit_hands import AUTOMATIONS, NoLimitFiveCardSingleDraw
from benchmarks.table import markdown, verdict
from pokersvc.core.actions import Action
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.stream import derive
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.state import DrawPokerState

THIRD: Final = 1 / 3
REQUIRED: Final = 8.0
STACKS: Final = (60, 120, 200, 200, 40, 300)
"""The stacks of the seats in `no-limit` compared with PokerKit: enough levels for side pots."""


@dataclass(frozen=True)
class Hand:
    """A hand to be played: its start, and every choice in it."""

    actions: tuple[Action, ...]
    shuffled_by: bytes
    """The seed of the deck."""
    stacks: tuple[int, ...]
    started: GameStarted

    def seed(self, index: int) -> bytes:
        """Return the seed of the deck: a hand serves as the dealer's entropy."""
        return self.shuffled_by

    def state(self) -> DrawPokerState:
        """Return the state before the hand."""
        state = DRAW_POKER.new(self.started)
        state.stacks[1:] = self.stacks
        return state


def recorded(house: str, seats: int, number: int, stacks: Sequence[int] = ()) -> Hand:
    """Return a hand with the choices of `random` players; without ``stacks`` all have the house's stack."""
    rules = preset(house)
    source = EntropySource.from_text(f"{house}/{seats}/{number}")
    players = tuple(Seat("random", f"Player{seat}") for seat in range(1, seats + 1))
    started = DRAW_POKER.start(Setup(players, source, 1, {"rules": rules}))
    hand = Hand((), derive(source.secret, "deck", number), tuple(stacks) or (rules.stack,) * seats, started)
    random, player, state = Random(number), RandomPlayer(), hand.state()
    actions: list[Action] = []
    while True:
        event = state.dealer_event(hand)
        if event is None:
            seat = state.to_act
            if seat is None:
                return Hand(tuple(actions), hand.shuffled_by, hand.stacks, started)
            actions.append(player.choose(state.view(seat), state.legal(seat), random))
            event = state.decide(actions[-1])
        state.apply(event)


def play(hands: Sequence[Hand]) -> None:
    """Play hands through the contract of a game, as the service does."""
    for hand in hands:
        state = hand.state()
        actions = iter(hand.actions)
        while True:
            event = state.dealer_event(hand)
            if event is None:
                seat = state.to_act
                if seat is None:
                    break
                state.legal(seat)
                event = state.decide(next(actions))
            state.apply(event)


# The same hands in PokerKit, which counts players from the left of the button: seat 2 is 0.


@dataclass(frozen=True)
class KitHand:
    """A hand for PokerKit: amounts to raise to, None to check or call, "fold", and positions to discard."""

    betting: tuple[int | str | None, ...]
    discards: tuple[tuple[int, ...], ...]
    stacks: tuple[int, ...]


def for_pokerkit(hand: Hand) -> KitHand:
    """Return the hand in PokerKit's terms."""
    betting: list[int | str | None] = []
    discards: list[tuple[int, ...]] = []
    state, actions = hand.state(), iter(hand.actions)
    while True:
        event = state.dealer_event(hand)
        if event is None:
            if state.to_act is None:
                break
            action = next(actions)
            match action:
                case Bet(amount=to) | Raise(to=to):
                    betting.append(to)
                case Check() | Call():
                    betting.append(None)
                case Fold():
                    betting.append("fold")
                case Discard(cards=cards):
                    discards.append(tuple(state.hands[action.seat].index(card) for card in cards))
            event = state.decide(action)
        state.apply(event)
    return KitHand(tuple(betting), tuple(discards), (*hand.stacks[1:], hand.stacks[0]))


def play_pokerkit(hands: Sequence[KitHand]) -> None:
    """Play hands in PokerKit, with everything automatic except the choices."""
    game = NoLimitFiveCardSingleDraw(AUTOMATIONS, True, 0, (1, 2), 2)
    for hand in hands:
        state = game(hand.stacks, len(hand.stacks))
        betting, discards = iter(hand.betting), iter(hand.discards)
        while state.status:
            if state.actor_index is None:
                player = state.stand_patter_or_discarder_index
                assert player is not None
                cards = state.hole_cards[player]
                state.stand_pat_or_discard([cards[position] for position in next(discards)])
                continue
            choice = next(betting, None)  # here the betting may be over when PokerKit still asks for a check
            if choice is None:
                state.check_or_call()
            elif choice == "fold":
                state.fold()
            else:
                assert isinstance(choice, int)
                state.complete_bet_or_raise_to(choice)


def both_can_play(hands: Sequence[Hand]) -> list[tuple[Hand, KitHand]]:
    """Return the hands that PokerKit can play to the end, without a raise that its rules forbid."""
    found = []
    for hand in hands:
        there = for_pokerkit(hand)
        try:
            play_pokerkit([there])
        except ValueError:
            continue
        found.append((hand, there))
    return found


def measure(sides: Mapping[str, Callable[[], None]], repetitions: int) -> dict[str, list[float]]:
    """Return the seconds that each side took each time; all sides run in turn."""
    times: dict[str, list[float]] = {side: [] for side in sides}
    for work in sides.values():  # warm up
        work()
    for _ in range(repetitions):
        for side, work in sides.items():
            start = perf_counter()
            work()
            times[side].append(perf_counter() - start)
    return times


def run(*, quick: bool = False) -> str:
    """Measure every house and both engines; return two tables of medians."""
    return f"{_houses(quick)}\n\n{_beside_pokerkit(quick)}"


def _houses(quick: bool) -> str:
    repetitions, count = (5, 50) if quick else (15, 200)
    rows = []
    for seats in sorted({preset(house).seats.default for house in preset_names()}):
        hands = {house: [recorded(house, seats, number) for number in range(count)] for house in preset_names()}
        times = measure({house: partial(play, hands[house]) for house in hands}, repetitions)
        took = {house: median(times[house]) for house in hands}
        each = {house: took[house] / sum(len(hand.actions) for hand in hands[house]) for house in hands}
        fastest = min(each.values())
        rows += [
            (
                house,
                str(seats),
                f"{count / took[house]:,.0f}",
                f"{each[house] * 1e6:.2f}",
                verdict(fastest / each[house], round(THIRD, 3)),
            )
            for house in hands
            if preset(house).seats.default == seats
        ]
    return markdown(
        "Every house at its default seats, `random` players",
        ("house", "seats", "hands/s", "µs per decision", "of the fastest house at as many seats"),
        rows,
        f"Medians of {repetitions} repetitions of {count} hands each, all houses at the same seats in turn.",
    )


def _beside_pokerkit(quick: bool) -> str:
    repetitions, count = (5, 50) if quick else (15, 300)
    hands = both_can_play([recorded("no-limit", len(STACKS), number, STACKS) for number in range(count)])
    ours, theirs = [here for here, _ in hands], [there for _, there in hands]
    decisions = sum(len(hand.actions) for hand in ours)
    sides = {
        "pokersvc, no-limit": partial(play, ours),
        "PokerKit, no-limit single draw": partial(play_pokerkit, theirs),
    }
    times = measure(sides, repetitions)
    mine, kit = times.values()
    ratio = median(slow / fast for fast, slow in zip(mine, kit, strict=True))
    return markdown(
        f"`no-limit` at {len(STACKS)} seats with blinds and side pots, the same choices on both sides",
        ("side", "hands", "decisions", "µs per decision", "ratio"),
        [
            (
                side,
                f"{len(hands):,}",
                f"{decisions:,}",
                f"{median(times[side]) / decisions * 1e6:.2f}",
                verdict(ratio, REQUIRED) if times[side] is mine else "1",
            )
            for side in sides
        ],
        f"Medians of {repetitions} repetitions, both sides in turn; {count - len(hands)} of {count} recorded hands are"
        " left out, because PokerKit forbids a raise in them.",
    )


def main() -> None:
    """Print the tables."""
    print(run())


if __name__ == "__main__":
    main()
