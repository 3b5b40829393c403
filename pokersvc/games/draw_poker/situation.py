"""The situation in a game of draw poker: what the events so far have made, and what follows from it at a glance.

Seats count from 1; lists by seat have an unused place 0. Sets of seats are those of `pokersvc.games.draw_poker.seats`.
Amounts are chips. The *price* is what each seat has to have put into a betting round to stay in; a seat faces a bet
when it has put in less.
"""

from typing import Final, TypeAlias

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.event import Event
from pokersvc.core.record import Happened
from pokersvc.core.seats import HUMAN, OPEN
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.cash_table import Post, seats_at_start, stacks_of
from pokersvc.games.draw_poker.past import Held
from pokersvc.games.draw_poker.phases import BETWEEN
from pokersvc.games.draw_poker.pots import Pot, pots_of
from pokersvc.games.draw_poker.seats import fewer_than_two, has, seats_in

Cards: TypeAlias = tuple[AnyCard | None, ...]
"""Cards of which some may be hidden from this copy of the game: None."""


class Situation:
    """Chips, hands, deck, and whose turn it is. Only `pokersvc.games.draw_poker.apply` changes it."""

    __slots__ = (
        "acted", "actor", "aggressor", "all_in", "ante", "bets", "big_blind", "brought", "button", "cached_deck",
        "cached_legal", "cash", "closed", "cursor", "deck_cards", "deck_label", "deck_left", "deck_seed", "discarded",
        "drew", "ended", "engine", "forgone", "former", "hands", "hidden_kinds", "level", "live", "names", "need",
        "out", "owes_big", "owes_small", "past", "past_names", "pending", "persons", "phase", "posts", "pot", "pots",
        "price", "put", "rake_due", "raked", "record", "reshuffles", "reused", "revealed", "round", "rounds", "rules",
        "seated", "seats", "settled", "shown", "small_blind", "stacks", "staked", "step", "street", "table", "taken",
        "two", "unserved", "unsure", "won",
    )  # fmt: skip

    def __init__(self, started: events.GameStarted) -> None:
        count = len(started.seats)
        self.engine = started.engine
        self.hidden_kinds = started.hidden_kinds
        self.rules = started.rules
        self.rounds = started.rounds
        self.seats = seats_at_start(started.seats, started.table)
        """Who sits where; who has got up keeps the seat until somebody else sits down there."""
        self.names = ("", *(seat.name for seat in started.seats))
        self.persons = sum(1 << seat for seat, who in enumerate(started.seats, 1) if who.kind == HUMAN)
        self.table = started.table
        self.stacks = stacks_of(started.table, count, started.rules.stack)
        self.cash = started.table is not None and started.table.cash
        """Whether people sit down, get up and buy chips between rounds."""
        self.seated = (2 << count) - 2
        self.out = self.owes_small = self.owes_big = 0
        """Seats that sit out; those that have missed a small blind, and those that have missed a big one."""
        self.brought = [0] * len(self.stacks)
        """The chips that each seat has brought to the table since the game began."""
        self.taken = [0] * len(self.stacks)
        """The chips that each seat has taken from it."""
        self.former = [0] * len(self.stacks)
        """What all those won or lost who held each seat before its holder."""
        self.raked = 0
        """The chips that the house has kept."""
        if self.table is not None:
            self.out = sum(1 << seat for seat in self.table.out)
        if self.cash:  # a seat without chips is open
            self.seated = sum(1 << seat for seat, stack in enumerate(self.stacks) if stack)
        self.phase = BETWEEN
        self.round = self.ante = self.button = self.pot = 0
        self.small_blind = self.big_blind = 0
        """The seats of the blinds, in this round or the last; by the rule of the dead button that of the small one
        may be empty."""
        self.two = 0
        """Who was dealt into this round or the last, where it was a round of two by engine 4; else nobody."""
        self.past: list[bytes] = []
        """Rounds with hands that were not shown, where the history tells all: see `pokersvc.games.draw_poker.past`."""
        self.past_names: list[tuple[str, ...]] = []
        """The names of the seats in each of them."""
        self.revealed = 0
        """How many of them were shown after the game."""
        self.closed = False
        """Whether no more rounds are played, however many the game was started for."""
        self.ended: events.GameEnded | None = None
        self.cached_legal: LegalActions | None = None
        self.record: Happened[Event] = Happened()
        self.clear_round()

    @property
    def hand(self) -> int:
        """The number of this round, or of the last, as the table counts its hands; 0 before the first."""
        first = 1 if self.table is None else self.table.hand
        return first + self.round - 1 if self.round else 0

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers that the seats have at the table, from seat 1."""
        return tuple(range(1, len(self.stacks))) if self.table is None else self.table.numbers

    @property
    def place_of_button(self) -> int | None:
        """The number of the place that has the button, where nobody need sit; None without a button."""
        if not self.button:
            return None
        first = self.table is not None and self.round == 1
        stated = self.table.button if self.table is not None and first else None
        return self.places[self.button - 1] if stated is None else stated

    @property
    def names_revealed(self) -> tuple[str, ...]:
        """The names that the seats had in the round whose hands were shown last after the game."""
        return self.past_names[self.revealed - 1] if self.past_names else self.names

    def clear_round(self) -> None:
        """Forget the round; stacks, pot and who is in the game remain."""
        places = len(self.stacks)
        self.live = self.pending = self.all_in = self.actor = self.cursor = 0
        self.staked = [0] * places
        """What each seat put in this round."""
        self.hands: list[Cards] = [()] * places
        self.discarded: list[Cards] = [()] * places
        self.unsure: list[Cards] = [()] * places
        """What each seat was dealt, where the deck is known to this copy and what the seat discarded of it is not."""
        self.reused = 0
        """Seats whose folded hand or discards were shuffled into a new deck."""
        self.forgone = 0
        """Seats that had to fold, as their share of the shuffle was missed."""
        self.shown = self.settled = 0
        """Seats whose hands are shown; seats that have shown or mucked in the showdown."""
        self.won = [0] * places
        self.pots: list[Pot] = []
        self.need = self.reshuffles = 0
        self.unserved = 0
        """Seats that have discarded and are dealt new cards when all have."""
        self.posts: tuple[Post, ...] = ()
        """What is still to be posted, at a table of its own or in a house with a straddle."""
        self.rake_due = 0
        self.drew = False
        """Whether the round has come to the draw, or past it."""
        self.deck_seed: bytes | None = None
        self.deck_label = "deck"
        self.deck_cards: Cards = FRESH_DECK
        self.deck_left = len(FRESH_DECK)
        self.cached_deck: tuple[Card, ...] | None = None
        self.street = 0
        self.clear_betting()

    def clear_betting(self) -> None:
        """Forget the betting round."""
        places = len(self.stacks)
        self.put = [0] * places
        """What each seat put in this betting round."""
        self.acted = [-1] * places
        """The price when each seat last acted in this betting round; -1 before it did."""
        self.price = self.level = self.bets = self.aggressor = 0
        self.step = 0

    def __eq__(self, other: object) -> bool:
        """Equal states have had equal events; what is only kept to save work does not count."""
        if not isinstance(other, Situation):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in COMPARED)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    @property
    def keeps_seats(self) -> bool:
        """Whether who has too few chips keeps the seat, and is dealt in again after buying some."""
        return self.table is not None and (self.table.cash or self.table.recorded)

    @property
    def stated_posts(self) -> tuple[Post, ...] | None:
        """What a record says is posted in the first round, before that; None where it follows from play."""
        return None if self.round or self.table is None else self.table.posts

    def sitting(self) -> int:
        """Return the seats that can be dealt a round: at a table of its own, those with chips that do not sit out."""
        if self.table is None:
            return self.seated
        price = max(self.price_to_stay(), 1)
        return sum(1 << seat for seat in seats_in(self.seated & ~self.out) if self.stacks[seat] >= price)

    def owing(self, sitting: int) -> int:
        """Return those of them that missed a blind and have to post it; nobody, unless two others and they can play.

        After a round of two so does everybody else, who posts nothing for it and waits for the big blind.
        """
        owing = sitting & (self.owes_small | self.owes_big | (~self.two if self.two else 0))
        return 0 if sitting.bit_count() == 2 or fewer_than_two(sitting & ~owing) else owing

    @property
    def pausing(self) -> bool:
        """Whether a person may leave or come now, between two rounds; who cannot go on is out before that.

        Since engine 4 somebody may come where bots alone play on, once all people have got up.
        """
        if self.cash:
            if self.phase is not BETWEEN or not self.round or not self.persons or self.rounds_played():
                return False
            return self.persons & self.seated > 0 or (self.engine >= 4 and not self.ending())
        if self.phase is not BETWEEN or not self.round or not self.persons & self.seated or self.ending():
            return False
        if self.engine == 1:
            return True
        price = self.price_to_stay()
        return all(self.stacks[seat] >= price for seat in seats_in(self.seated)) and any(
            self.stacks[seat] for seat in seats_in(self.persons & self.seated)
        )

    def minimum(self) -> int:
        """Return the least opening bet of this betting round, and its unit under a fixed limit."""
        rules = self.rules.betting
        return rules.final_minimum if self.street == 2 and rules.final_minimum is not None else rules.minimum

    def may_check(self) -> bool:
        """Tell whether a seat that faces no bet may check."""
        return self.street == 2 or self.rules.betting.check == "always"

    def must_fold(self, seat: int) -> bool:
        """Tell whether a seat in turn has one legal choice, to fold: then it is not asked."""
        stack = self.stacks[seat]
        owed = self.price - self.put[seat]
        short = stack < owed if owed > 0 else not self.may_check() and stack < self.minimum()
        return short and self.rules.betting.short == "fold"  # else it calls or bets for what it has

    @property
    def big_blind_alternates(self) -> bool:
        """Whether, when two are left, nobody has the big blind twice in a row: since engine 2."""
        return self.engine >= 2

    @property
    def waits_after_heads_up(self) -> bool:
        """Whether who owes a blind waits where the button would be a blind of a round of three: since engine 4."""
        return self.engine >= 4

    @property
    def price_settles(self) -> bool:
        """Whether a short big blind is priced at what is in, once fewer than two can bet: since engine 2."""
        return self.engine >= 2

    def able(self) -> int:
        """Return the seats still in that have chips to bet."""
        return self.live & ~self.all_in

    @property
    def only_one_left(self) -> bool:
        """Whether all but one have folded or left, in this round."""
        return fewer_than_two(self.live)

    @property
    def small_blind_missing(self) -> bool:
        """Whether nobody has the small blind: by the rule of the dead button its seat may be empty."""
        return self.small_blind != 0 and not has(self.seated, self.small_blind)

    def settle_price(self) -> None:
        """Ask for no more than somebody has put in, once fewer than two can bet.

        The price is above that only while a short big blind counts in full, for those who can still play for it.
        """
        able = self.able()
        if self.price_settles and fewer_than_two(able):
            self.price = max((self.put[seat] for seat in seats_in(self.live)), default=0)

    def nobody_left(self) -> bool:
        """Tell whether betting is over because fewer than two have chips and none of them faces a bet."""
        able = self.able()
        return fewer_than_two(able) and all(self.put[seat] >= self.price for seat in seats_in(able))

    def uncalled(self) -> tuple[int, int] | None:
        """Return the seat that put in more than anyone could call, and how much more; only where stacks go all in.

        What a seat put in that forwent the round stays in the pot.
        """
        if self.rules.betting.short == "fold":
            return None
        second, most = sorted(self.staked)[-2:]
        seat = self.staked.index(most)
        return (seat, most - second) if most > second and not has(self.forgone, seat) else None

    def measure_raise(self, price: int) -> None:
        """Note what a bet or raise to a new price means for the next one: its least size, and how many there were."""
        if self.rules.betting.raises == "fixed_limit":
            if (price - self.level) * 2 >= self.step:  # half a unit or more counts as a raise
                self.level = price
                self.bets += 1
        else:
            self.step = max(self.step, price - self.price)

    def levels(self) -> list[Pot]:
        """Return the main pot and the side pots so far: a new one above each level at which a seat is all in."""
        found: list[Pot] = []
        for amount, eligible in pots_of(self.pot, self.staked, self.live):
            same = found and found[-1].eligible & self.all_in == eligible & self.all_in
            below = found.pop().amount if same else 0
            found.append(Pot(below + amount, eligible))
        return found

    def several_pots(self) -> bool:
        """Tell whether the round has side pots; so also after some of them were awarded."""
        return self.rules.all_in and len({self.staked[seat] for seat in seats_in(self.live)}) > 1

    @property
    def ends_next(self) -> bool:
        """Whether a cash game pauses in which fewer than two can be dealt in, unless somebody does something."""
        return self.pausing and self.ending()

    def ending(self) -> bool:
        """Tell whether the game ends before another round."""
        return self.rounds_played() or not self.two_able(self.price_to_stay())

    def held(self) -> list[Held]:
        """Return the hands of the round as they were last held, those of folded and left players too."""
        return [
            Held(seat, hand, has(self.shown, seat), self.won[seat], has(self.forgone, seat))
            for seat, hand in enumerate(self.hands)
            if hand
        ]

    def net(self) -> list[int]:
        """Return what the holder of each seat has won or lost since they came, with an unused place 0."""
        began = stacks_of(self.table, len(self.seats), self.rules.stack)
        parts = zip(self.stacks, self.taken, self.brought, began, self.former, strict=True)
        return [stack + taken - brought - first - former for stack, taken, brought, first, former in parts]

    @property
    def still_open(self) -> tuple[int, ...]:
        """The seats at which nobody has sat yet."""
        return tuple([seat for seat, who in enumerate(self.seats, 1) if who.kind == OPEN])

    def leaders(self) -> tuple[int, ...]:
        """Return who wins if the game ends now: whoever won most in a cash game, else the largest stacks.

        Those are of who still sits, or of all where nobody does.
        """
        if self.cash:
            net, nobodys = self.net(), self.still_open
            held = [seat for seat in range(1, len(net)) if seat not in nobodys]
            most = max(net[seat] for seat in held)
            return tuple([seat for seat in held if net[seat] == most])
        sitting = seats_in(self.seated) if self.engine > 1 else ()
        among = sitting or range(1, len(self.stacks))
        largest = max(self.stacks[seat] for seat in among)
        return tuple(seat for seat in among if self.stacks[seat] == largest)

    def rounds_played(self) -> bool:
        """Tell whether the game has had all the rounds it was started for, or was closed."""
        return self.closed or (self.rounds is not None and self.round >= self.rounds)

    def price_to_stay(self) -> int:
        """Return the least stack that is dealt another round."""
        return self.rules.price_to_stay(self.round + 1)

    def two_able(self, price: int) -> bool:
        """Tell whether two players can pay the price of another round and have chips to play it for."""
        least = max(price, 1)
        return len([seat for seat in seats_in(self.seated & ~self.out) if self.stacks[seat] >= least]) >= 2


COMPARED: Final = tuple(name for name in Situation.__slots__ if not name.startswith("cached_"))
