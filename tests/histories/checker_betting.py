"""Posts and betting for the independent checker: turns, prices, minimum raises, and uncalled bets."""

from collections import Counter

from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cancelled,
    Cards,
    Checked,
    Folded,
    PlayerStatement,
    Posted,
    Raised,
    Returned,
    Statement,
)

from .checker_customs import CUSTOMS
from .checker_end import Contradiction, End, Player, may_be_held

MOST_RAISES = 4


class Betting:
    """The players, their money, and whose turn it is."""

    def __init__(self, hand: HandHistory) -> None:
        self.hand = hand
        self.customs = CUSTOMS[hand.dialect]
        if hand.draw is not None:  # as PHH and OHH may state it
            self.customs = self.customs._replace(together=hand.draw == "together")
        dealt_in = sorted(hand.dealt_in(), key=lambda player: player.number)
        button = self._button(dealt_in) if hand.button is None else hand.button
        ordered = [one for one in dealt_in if one.number > button] + [one for one in dealt_in if one.number <= button]
        self.players = [Player(one, one.stack) for one in ordered]
        self.by_name = {one.name: one for one in self.players}
        self.heads_up_button = len(ordered) == 2 and ordered[-1].number == button
        self.round = 0
        self.price = self.step = self.raises = 0
        self.two = False
        """Whether only two players could bet when this betting round began; sites may let them raise without limit."""
        self.to_act: list[Player] = []
        self.drawing: list[Player] = []
        self.served: list[Player] = []
        self.left_in_deck = 52 - 5 * len(ordered)
        self.given_up = 0
        """How many cards have been given up since the deck was made."""
        self.decks = 0
        """How often the deck was reshuffled."""
        self.cancelled = any(isinstance(told, Cancelled) for told in hand.told)
        self.over = self.return_due = 0
        self.came_back = Counter[str]()
        """The uncalled bets that each player got back."""
        self.over_of = ""
        self.pot_said = self.totals_said = False
        self.straddler: Player | None = None
        self.phase = "posts"
        self.end = End(hand, self.players)
        self.posts = self.end.posts

    def _button(self, players: list[HistoryPlayer]) -> int:
        """Return the seat of the button if only the blinds tell it: right of the small blind, or the same seat."""
        small = next((one.name for one in self.hand.told if isinstance(one, Posted) and one.kind == "small"), None)
        numbers = [one.number for one in players]
        if small not in [one.name for one in players]:
            return numbers[0] if len(players) == 2 else numbers[-1]
        place = [one.name for one in players].index(small)
        return numbers[place if len(players) == 2 else place - 1]

    def _expect(self, told: Statement, phase: str) -> None:
        self._say(told, self.phase == phase, f"not in {self.phase}")

    def _say(self, told: Statement, right: bool, why: str) -> None:
        if not right:
            raise Contradiction(told.line, f"{type(told).__name__}: {why}")

    def _player(self, told: PlayerStatement) -> Player:
        self._say(told, told.name in self.by_name, "who is not dealt in")
        return self.by_name[told.name]

    def pot(self) -> int:
        return sum(player.paid for player in self.players)

    def still_in(self) -> list[Player]:
        return [player for player in self.players if player.folded is None]

    # Posts.

    def _post(self, told: Posted) -> None:
        player = self._player(told)
        hand = self.hand
        nominal = {
            "ante": hand.ante,
            "small": hand.small_blind or told.amount,
            "big": hand.big_blind,
            "extra": hand.big_blind,
            "dead": hand.small_blind or told.amount,
            "both": hand.small_blind + hand.big_blind,
            "straddle": hand.straddle or max(told.amount, hand.big_blind + 1),
        }[told.kind]
        self._say(told, 0 < told.amount == min(nominal, player.stack), f"{nominal} is due")
        if told.kind == "straddle":
            self._straddle(told, player)
        kinds = [(one.name, one.kind) for one in self.posts]
        self._say(told, (told.name, told.kind) not in kinds, "posted already")
        if told.kind == "small":
            self._say(told, not self.customs.ordered or all(kind != "big" for _, kind in kinds), "after the big blind")
            self._say(told, player is self._order()[0], "the small blind is another's")
            self._say(told, not 0 < hand.big_blind < told.amount, "more than the big blind")
        elif told.kind == "ante":
            self._say(told, not self.customs.ordered or all(kind == "ante" for _, kind in kinds), "after a blind")
        self.posts.append(told)
        dead = {"dead": told.amount, "both": max(told.amount - hand.big_blind, 0)}.get(told.kind, 0)
        live = 0 if told.kind == "ante" else told.amount - dead
        player.dead += dead
        self._pay(told, player, told.amount, told.all_in, live)
        player.beside_ante += 0 if told.kind == "ante" else told.amount
        if told.kind == "straddle":
            self.straddler = player

    def _straddle(self, told: Posted, player: Player) -> None:
        """Refuse a straddle below two big blinds, unless all-in, and a first one above the limit."""
        double = 2 * self.hand.big_blind
        self._say(told, told.amount >= min(double, player.stack), "less than twice the big blind")
        if self.straddler is None and double and self.hand.limit != "no-limit":
            small = self.hand.small_blind or sum(one.amount for one in self.posts if one.kind == "small")
            pot = self.hand.big_blind + small  # as the stakes say it, whatever was posted
            most = double if self.hand.limit == "fixed-limit" else double + pot
            self._say(told, told.amount <= most, "more than the limit")

    def _pay(self, told: Statement, player: Player, amount: int, all_in: bool | None, live: int) -> None:
        self._say(told, 0 < amount <= player.stack, "more than the stack")
        player.stack -= amount
        player.paid += amount
        player.street += live
        silent = all_in is None or not self.customs.all_ins
        self._say(told, player.stack == 0 if all_in else silent or player.stack > 0, "all in or not")

    def _order(self) -> list[Player]:
        """Return the players, beginning with the small blind."""
        return self.players[1:] + self.players[:1] if self.heads_up_button else self.players

    def _end_posts(self) -> None:
        """Find the big blind among the posts, whose lines may have any order; the others are newcomers' posts."""
        bigs = {post.name: post for post in self.posts if post.kind == "big"}
        small = self.heads_up_button or any(post.kind == "small" for post in self.posts)
        passed = {post.name for post in self.posts if post.kind in ("extra", "dead", "both")}
        passed |= {one.name for one in self.players if not one.stack and not one.beside_ante}  # the ante was all
        order = [one for one in self._order() if small or one.name not in passed] or self._order()
        due = order[1 if small else 0]
        if bigs and due.name not in bigs:
            raise Contradiction(next(iter(bigs.values())).line, "the big blind is another's")
        self.end.big_blind = due.name if bigs else None

    def _begin_play(self, line: int) -> None:
        hand = self.hand
        kinds = Counter(one.kind for one in self.posts)
        self._end_posts()
        self.round = 1
        if self.cancelled and hand.big_blind and not kinds["big"]:  # at any time, also before all have posted
            self.phase = "betting"
            return
        if hand.ante and kinds["ante"] != len(self.players) and not self.cancelled:
            raise Contradiction(line, "an ante is missing")
        if hand.big_blind and not kinds["big"]:
            raise Contradiction(line, "the big blind is missing")
        if self.heads_up_button and not kinds["small"] and kinds["big"] and hand.small_blind and not self.cancelled:
            raise Contradiction(line, "the small blind is missing")
        self.price = max([hand.big_blind, hand.straddle, *(player.street for player in self.players)])
        self.step = max(hand.big_blind, self.price - hand.big_blind if self.straddler else 0)
        self.raises = 1 + (self.straddler is not None)
        big = self.end.big_blind
        last = self.straddler or (self.by_name[big] if big else self.players[-1])
        start = (self.players.index(last) + 1) % len(self.players)
        self._open(start)

    def _open(self, start: int) -> None:
        self.phase = "betting"
        order = self.players[start:] + self.players[:start]
        self.to_act = [player for player in order if player.folded is None and player.stack]
        self.two = len(self.to_act) == 2
        for player in self.players:
            player.acted_at = None
        self._skip_if_nobody_bets()

    def _skip_if_nobody_bets(self) -> None:
        able = [player for player in self.still_in() if player.stack]
        owing = [player for player in able if player.street < max(one.street for one in self.players)]
        if len(able) < 2 and not owing:
            self.to_act = []
        if not self.to_act:
            self._close()

    def _know(self, told: Statement, player: Player, cards: Cards | None, count: int) -> None:
        self._say(told, len(cards or ()) == count, f"{count} cards")
        why = may_be_held(player, cards or (), self.players)
        self._say(told, why is None, str(why))
        player.hand = {card.notation for card in cards or ()}

    # Betting.

    def _some(self, told: Statement, player: Player, cards: Cards) -> None:
        """Check cards of a hand that may be incomplete."""
        named = {card.notation for card in cards}
        self._say(told, len(named) == len(cards) <= 5, "a card twice, or too many")
        if player.hand is not None and len(player.hand) == 5:
            self._say(told, named <= player.hand, "other cards than the player's")
        else:
            why = may_be_held(player, cards, self.players)
            self._say(told, why is None, str(why))

    def _act(self, told: Folded | Checked | Called | Bet | Raised) -> None:
        player = self._player(told)
        self._say(told, bool(self.to_act) and self.to_act[0] is player, "not the player's turn")
        rivals = [one for one in self.still_in() if one is not player]
        most = self.price if any(one.stack for one in rivals) else max(one.street for one in rivals)
        owes = most - player.street  # of a short blind no more than was posted, where nobody else can call
        match told:
            case Folded():
                self._some(told, player, told.cards or ())
                player.give_up({card.notation for card in told.cards or ()}, self.decks)
                player.folded = self.round
                self.given_up += 5
                player.give_up(player.hand or set(), self.decks)
            case Checked():
                self._say(told, owes <= 0, "there is a bet")
            case Called():
                self._say(told, owes > 0 and told.amount == min(owes, player.stack), f"{owes} is owed")
                self._put_in(told, player, told.amount, told.all_in)
            case Bet():
                self._say(told, self.price == 0, "there is a bet")
                self._raise(told, player, told.amount, told.all_in)
            case Raised():
                self._say(told, self.price > 0, "there is no bet")
                self._say(told, told.by in (None, told.to - self.price), "another step")
                self._say(told, told.adds in (None, told.to - player.street), "another amount added")
                self._raise(told, player, told.to, told.all_in)
        player.acted_at = self.price
        self.to_act = [one for one in self.to_act if one is not player and one.folded is None and one.stack]
        if len(self.still_in()) == 1:
            self.to_act = []
        if not self.to_act:
            self._close()

    def _put_in(self, told: Statement, player: Player, amount: int, all_in: bool | None) -> None:
        self._pay(told, player, amount, all_in, amount)
        player.beside_ante += amount

    def _raise(self, told: Bet | Raised, player: Player, to: int, all_in: bool | None) -> None:
        hand = self.hand
        fixed = hand.limit == "fixed-limit"
        unit = (hand.small_bet if self.round == 1 else hand.big_bet) or hand.big_blind
        least = self.price + (unit if fixed else max(self.step, hand.big_blind))
        whole = player.street + player.stack
        self._say(told, self.price < to <= whole, "more than the stack, or no raise")
        self._say(told, to >= least or to == whole, f"at least {least}")
        if fixed:
            self._say(told, to == least or to == whole < least, f"exactly {least}")
            self._say(told, self.raises < MOST_RAISES or self.two, "no more raises")
        elif hand.limit == "pot-limit":
            self._say(told, to <= self.price + self.pot() + self.price - player.street, "more than the pot")
        reopened = player.acted_at is None or self.price - player.acted_at >= self.step
        self._say(told, fixed or reopened, "the betting is not open to the player")
        rivals = [one for one in self.still_in() if one is not player and one.street + one.stack > self.price]
        self._say(told, bool(rivals), "nobody could call it")
        self._put_in(told, player, to - player.street, all_in)
        if to >= least:
            self.step = to - self.price
            self.raises += 1
        self.price = to
        place = self.players.index(player)
        order = self.players[place + 1 :] + self.players[:place]
        self.to_act = [player, *(one for one in order if one.folded is None and one.stack and one.street < to)]

    def _close(self) -> None:
        """End a betting round, and return the uncalled bet."""
        most, second = sorted((player.street for player in self.players), reverse=True)[:2]
        self.over = most - second
        if self.over:
            back = next(player for player in self.players if player.street == most)
            back.stack += self.over
            back.paid -= self.over
            back.beside_ante -= self.over
            self.over_of = back.name
            self.came_back[back.name] += self.over
        self.return_due = self.over if self.customs.returns else 0
        for player in self.players:
            player.street = 0
        self.price, self.raises = 0, 0
        self.step = self.hand.big_blind
        if len(self.still_in()) == 1:
            self.phase = "end"
        elif self.round == 1:
            self.phase = "draw"
            self.drawing = list(self.still_in())
        else:
            self.phase = "end"

    def _returned(self, told: Returned) -> None:
        due = self.return_due
        self._say(told, 0 < due == told.amount and told.name == self.over_of, f"{due} comes back")
        self.return_due = 0

    def _nothing_due(self, told: Statement) -> None:
        self._say(told, not self.return_due, "what nobody called has not come back")
