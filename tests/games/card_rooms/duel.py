"""The same hand here and in PokerKit, with the same deck and choices; every unnamed difference is an error."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from pokersvc.betting.seats import clockwise
from pokersvc.cards import CARDS, FRESH_DECK, Card
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action, Forfeit
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.house.cash_table import CashTable, Post
from pokersvc.streets.phases import Phase

from .pokerkit_table import Difference, PokerKitTable
from .rooms import house

ANTES: Final = (0, 0, 1, 3)
BLINDS: Final = ((1, 2), (1, 2), (5, 10), (3, 7))
_BETTING_OVER: Final = (Phase.RETURN, Phase.DRAW, Phase.SERVE, Phase.SHOWDOWN, Phase.AWARD)


def short_stacks(random: Random, players: int, big: int) -> list[int]:
    """Return random stacks, either of up to 30 big blinds with many below the blinds, or all of similar size.

    Stacks much alike make raises of a chip or two.
    """
    if random.random() < 0.3:
        least = random.randint(1, 20 * big)
        return [least + random.randint(0, 3 * big) for _ in range(players)]
    sizes = [(1, 2 * big), (1, 30 * big), (5 * big, 30 * big), (100 * big, 100 * big)]
    return [random.randint(*random.choices(sizes, (3, 4, 4, 1))[0]) for _ in range(players)]


def stacked(random: Random) -> list[Card]:
    """Return a deck, its top last, whose first four hands tie: five faces, the suits turned from hand to hand."""
    faces = random.sample(range(13), 5)
    suits = [0, 0, 1, 2, 3]
    top = [CARDS[4 * face + (hand + suit) % 4] for hand in range(4) for face, suit in zip(faces, suits, strict=True)]
    rest = [card for card in FRESH_DECK if card not in top]
    return [*random.sample(rest, len(rest)), *reversed(top)]


class Duel:
    """One hand, played here and followed in PokerKit. Players are indices, clockwise from the left of the button.

    ``without_small`` is a hand by the rule of the dead button, in which the player left of the button has gone.
    ``at_table`` is a hand at a table of its own: its stacks, numbers, button and straddle are data of its start; some
    straddle as their house says. ``blinds`` are those of the house, else they are chosen.
    """

    def __init__(
        self,
        name: str,
        players: int,
        seed: str,
        *,
        without_small: bool = False,
        at_table: bool = False,
        blinds: tuple[int, int] | None = None,
        uncapped: str = "never",
    ) -> None:
        self.random = Random(seed)
        ante, blinds = self.random.choice(ANTES), blinds or self.random.choice(BLINDS)
        self.fixed = name == "fixed-limit"
        self.source = EntropySource.from_text(seed)
        seats = tuple(Seat("random", f"Player{seat}") for seat in range(1, players + without_small + 1))
        own = at_table and players > 2 and self.random.random() < 0.4
        """Whether the house has a straddle; else one may be stated."""
        self.straddle = 2 * blinds[1] if own else 0
        rules = house(
            name,
            ante=ante,
            blinds=blinds,
            button_rule="dead" if without_small else "forward",
            straddle=self.straddle,
            uncapped=uncapped,
        )
        if at_table:
            stacks = short_stacks(self.random, players, blinds[1])
            button = self.random.randint(1, players)
            table = self._table(stacks, button, ante, blinds)
            self.state = DRAW_POKER.new(
                DRAW_POKER.start(Setup(seats, self.source, 1, {"rules": rules, "table": table}))
            )
        else:
            self.state = DRAW_POKER.new(DRAW_POKER.start(Setup(seats, self.source, 1, {"rules": rules})))
            self.state.stacks[1:] = short_stacks(self.random, len(seats), blinds[1])
            self.state.button = self.random.randrange(players)
            button = self.state.button + 1
        if without_small:
            self._empty_small_blind(button)
        self.total = sum(self.state.stacks)
        self.order = clockwise(self.state.seated, button)
        self.met: Counter[Difference] = Counter()
        self.decisions = 0
        posted: tuple[int, ...] = blinds[1:] if without_small else blinds
        if self.straddle:
            posted = (*blinds, self.straddle)
        self.kit = PokerKitTable(
            name, [self.state.stacks[seat] for seat in self.order], ante, posted, self.met, capped=uncapped == "never"
        )
        self.bold = self.random.choice((0.5, 1.0, 3.0))
        self.stacked = self.random.random() < 0.2
        """Whether the deck is stacked so that hands tie; then nobody draws, and few fold."""
        self.stack = stacked(self.random)
        self.reshuffled = False
        self.finished = 0
        self.discards: list[tuple[Card, ...]] = [()] * players
        self.drawn: list[tuple[Card, ...]] = [()] * players
        self.shown: list[tuple[int, bool]] = []
        self.awarded: dict[int, dict[int, int]] = {}
        self.pots: list[tuple[int, tuple[int, ...]]] = []
        self._new_street(posted[-1])

    def _table(self, stacks: list[int], button: int, ante: int, blinds: tuple[int, int]) -> CashTable:
        """Return a table with gaps between its numbers, whose button may be at an empty place after its seat."""
        random, players = self.random, len(stacks)
        numbers = sorted(random.sample(range(2 * players + 1), players))
        after = numbers[button] if button < players else 2 * players + 1
        small, big, third, *_ = (*clockwise((2 << players) - 2, button), 0)
        posts = None
        if not self.straddle and players > 2 and stacks[third - 1] >= ante + 2 * blinds[1] and random.random() < 0.4:
            self.straddle = 2 * blinds[1]
            kinds = (("small", small, blinds[0]), ("big", big, blinds[1]), ("straddle", third, self.straddle))
            posts = tuple([Post(amount=amount, kind=kind, seat=seat) for kind, seat, amount in kinds])  # type: ignore[arg-type]  # kinds are texts
        place = random.randrange(numbers[button - 1], after)
        return CashTable(button=place, numbers=tuple(numbers), posts=posts, stacks=tuple(stacks))

    def _empty_small_blind(self, button: int) -> None:
        """Leave the table as after a round whose small blind was where the button is next, and whose big blind left."""
        gone = button + 1
        self.state.small_blind, self.state.big_blind = button, gone
        self.state.seated &= ~(1 << gone)
        self.state.stacks[gone] = 0

    def _new_street(self, level: int) -> None:
        self.acted: dict[int, int] = {}
        """The price when each player last acted."""
        self.level = level
        """The last full bet or raise of a fixed limit."""
        self.largest = 0
        """The largest bet or raise of this street."""

    def play(self) -> None:
        """Play the hand to its end in both engines."""
        for _ in self.events():
            pass

    def events(self) -> Iterator[Event]:
        """Play the hand to its end in both engines, and yield each event after it was applied."""
        entropy = self.source.entropy()
        while not isinstance(event := self._next(entropy), events.RoundEnded):
            if self.stacked and isinstance(event, earlier_events.HandDealt):
                event = replace(event, cards=tuple([self.stack.pop() for _ in range(5)]))
            self.state.apply(event)
            self._follow(event)
            yield event
        self._compare_payout()
        self.state.apply(event)
        yield event

    def _next(self, entropy: Any) -> Event:
        event = self.state.dealer_event(entropy)
        if event is not None:
            return event
        seat = self.state.to_act
        assert seat is not None
        self.decisions += 1
        assert self._stacks() == self.kit.state.stacks
        if self.state.phase is Phase.BETTING:
            self._compare_choices(seat)
        action = self._choose(seat)
        decided = self.state.decide(action)
        if self.state.phase is Phase.BETTING:
            self._play_there(self.order.index(seat), action)
        return decided

    def _stacks(self) -> list[int]:
        return [self.state.stacks[seat] for seat in self.order]

    # What may be chosen.

    def _compare_choices(self, seat: int) -> None:
        legal, kit, player = self.state.legal(seat), self.kit, self.order.index(seat)
        assert kit.actor == player
        assert kit.state.checking_or_calling_amount == legal.call
        assert legal.check == (legal.call == 0)
        assert kit.state.can_fold() == legal.fold
        ours = legal.raise_to if kit.price else legal.bet
        assert (legal.bet is None) or not kit.price
        assert ours == self._expected_range(player)

    def _expected_range(self, player: int) -> tuple[int, int] | None:
        """Return PokerKit's legal bets or raises, corrected by the named differences."""
        kit = self.kit
        theirs = kit.range()
        open_to_all = kit.range_if_open(0)
        risen = kit.price - self.acted.get(player, -kit.unit * 1000)
        full = max(kit.unit, self.largest)
        reopened = 2 * risen >= kit.unit if self.fixed else risen >= full
        expected = open_to_all if reopened else None
        if theirs is not None and expected is None:
            assert 0 < risen < kit.unit, "only a raise of less than the least is measured by itself"
            self.met[Difference.LITTLE_REOPENS] += 1
        if theirs is None and expected is not None:
            self.met[Difference.HALF_A_UNIT if self.fixed else Difference.SHORTS_ADD_UP] += 1
        if expected is not None and self._uncompleted:
            completed = kit.range_if_open(self._uncompleted)
            if completed != expected:
                self.met[Difference.COMPLETION] += 1
            expected = completed
        return expected

    @property
    def _uncompleted(self) -> int:
        return self.kit.price - self.level if self.fixed else 0

    # Choosing.

    def _choose(self, seat: int) -> Action:
        legal, random = self.state.legal(seat), self.random
        if random.random() < 0.02:
            return Forfeit(seat, "timeout")
        if legal.discard is not None:
            if legal.discard < 5:
                self.met[Difference.DISCARD_LIMIT] += 1
            hand = known_among(self.state.hands[seat])
            return Discard(seat, tuple(random.sample(hand, 0 if self.stacked else random.randint(0, legal.discard))))
        weighed: list[tuple[Action, float]] = []
        if legal.check:
            weighed.append((Check(seat), 4))
        if legal.fold:
            weighed.append((Fold(seat), 0.3 if self.stacked else 2))
        if legal.call:
            weighed.append((Call(seat), 5))
        if (limits := legal.bet or legal.raise_to) is not None:
            make = Bet if legal.bet else Raise
            least, most = limits
            for amount, weight in ((least, 2.0), (most, 1.5), (random.randint(least, most), 2.0)):
                weighed.append((make(seat, amount), weight * self.bold))
        actions, weights = zip(*weighed, strict=True)
        chosen: Action = random.choices(actions, weights)[0]
        return chosen

    def _play_there(self, player: int, action: Action) -> None:
        kit = self.kit
        match action:
            case Fold() | Forfeit():
                kit.fold()
            case Check() | Call():
                self.acted[player] = kit.price
                kit.call()
            case Bet(amount=to) | Raise(to=to):
                self._raise_there(player, to)

    def _raise_there(self, player: int, to: int) -> None:
        kit = self.kit
        rise, above, unit = to - kit.price, to - self.level, kit.unit
        kit.raise_to(to, self._uncompleted)
        self.acted[player] = to
        self.largest = max(self.largest, rise)
        if self.fixed and 2 * above < unit:
            self.met[Difference.NOT_A_RAISE] += 1
            kit.discount_raise()
        elif self.fixed:
            self.level = to

    # What happens here, told to PokerKit.

    def _follow(self, event: Event) -> None:
        match event:
            case earlier_events.HandDealt(seat=seat, cards=tuple(cards)):
                self.kit.deal(self.order.index(seat), known_among(cards))
            case events.CardsDiscarded(seat=seat, cards=tuple(cards)):
                self.discards[self.order.index(seat)] = known_among(cards)
            case earlier_events.CardsDrawn(seat=seat, cards=tuple(cards)):
                self.drawn[self.order.index(seat)] += known_among(cards)
            case events.DeckReshuffled():
                self.reshuffled = True
            case events.HandShown(seat=seat) | events.HandMucked(seat=seat):
                self.shown.append((self.order.index(seat), isinstance(event, events.HandShown)))
            case events.PotAwarded(pot=pot, shares=shares):
                self.awarded[pot] = {self.order.index(share.seat): share.amount for share in shares}
        self._follow_phase()

    def _follow_phase(self) -> None:
        """End PokerKit's betting round after ours; after the first one, prepare the draw."""
        state = self.state
        if not self.finished and (state.betting_round == 2 or state.phase in _BETTING_OVER):
            self._finish()
        if state.betting_round == 2 and any(self.kit.state.standing_pat_or_discarding_statuses):
            self._draw_there()
        if state.betting_round == 2 and self.finished == 1 and state.phase in _BETTING_OVER:
            self._finish()

    def _finish(self) -> None:
        self.kit.finish_betting()
        self.finished += 1

    def _draw_there(self) -> None:
        self.met[Difference.DRAW_AFTER_ALL] += any(self.discards)
        self.met[Difference.RESHUFFLE] += self.reshuffled
        self.kit.discard(self.discards, self.drawn, reshuffled=self.reshuffled)
        self._new_street(0)

    # Pots and payout.

    def _compare_payout(self) -> None:
        kit, state = self.kit, self.state
        if state.live.bit_count() == 1:
            self._compare_last_in()
            return
        pots = kit.pots()
        expected = {}
        for number, (amount, players) in enumerate(pots, 1):
            winners = kit.best(players)
            share, odd = divmod(amount, len(winners))
            expected[number] = {player: share + (at < odd) for at, player in enumerate(winners)}
        assert self.awarded == expected
        assert list(self.awarded) == sorted(self.awarded, reverse=True), "the last made first"
        before = [stack - self._won(player) for player, stack in enumerate(self._stacks())]
        assert before == kit.state.stacks
        assert kit.show() == self.shown
        self._compare_paid(odd=any(amount % len(expected[number]) for number, (amount, _) in enumerate(pots, 1)))

    def _won(self, player: int) -> int:
        return sum(shares.get(player, 0) for shares in self.awarded.values())

    def _compare_paid(self, *, odd: bool) -> None:
        paid = self.kit.pay()
        if paid == self._stacks():
            return
        assert sum(paid) == self.total, "PokerKit burns what is nobody's"
        assert odd, "only odd chips may be paid otherwise"
        self.met[Difference.ODD_CHIPS] += 1

    def _compare_last_in(self) -> None:
        kit, state = self.kit, self.state
        last = self.order.index(state.live.bit_length() - 1)
        assert list(self.awarded) == [1]
        assert list(self.awarded[1]) == [last]
        assert self.shown == []
        assert kit.pay() == self._stacks()
