"""Follows a hand: its choices go through the engine, and its claims about the dealer are compared with the result."""

from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from typing import Final, NamedTuple, NoReturn

from pydantic import ValidationError

from pokersvc.betting.choices import either
from pokersvc.betting.state import pots_of
from pokersvc.cards.unknown import all_known
from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.randomness.recorded import FollowedGame
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import actions
from pokersvc.games.draw_poker.actions import DiscardUnknown, LegalActions
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording
from pokersvc.histories import statements as told
from pokersvc.histories.following.cards import HAND, KnownCards
from pokersvc.histories.following.claims import contradicted_claims
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.engine_actions import HandDone, what_was_done
from pokersvc.histories.following.finding import Contradicted, Contradiction, say_amount
from pokersvc.histories.following.house import ShownHouse, check_stakes
from pokersvc.histories.following.lines import lines_of
from pokersvc.histories.following.posting import misplaced
from pokersvc.histories.following.recorded import discards_of, quotation, rake_by_pot, rake_of, recorded_hand
from pokersvc.histories.following.seating import dealt_in
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Cards
from pokersvc.text import counted


class FollowedHand(NamedTuple):
    """A hand that the engine played again."""

    hand: HandHistory
    events: tuple[Event, ...]
    """The events of the hand's game; empty if its players or stakes are impossible, or if no events were requested.

    Among them is the quotation: the hand's origin, text and findings. A hand that cannot be followed to its end gives
    the game of a cancelled hand.
    """
    contradictions: tuple[Contradiction, ...]
    """The contradictions, sorted by line; the first one is to be reported."""
    unchecked: Mapping[str, int]
    """Kind of claim, such as ``unknown hand`` → the number of such claims that could not be checked."""
    followed: FollowedGame | None = None
    """The game's public history and outcome, to spare replaying the game; None if no events were requested."""


def follow(hand: HandHistory, digest: str, *, events: bool = True) -> FollowedHand:
    """Play a hand again under the rules, and find its contradictions; ``digest`` is the file's SHA-256.

    Without ``events`` no game is made, and only the contradictions are returned.
    """
    try:
        house = ShownHouse()
        walk = _walked(hand, rake_of(hand), house, events=events)
        if walk.folds_free:  # sites allow free folds, above all by players who sit out
            house = house._replace(fold_free=True)
            walk = _walked(hand, rake_of(hand), house, events=events)
        if walk.raises_on:  # some sites let two players raise without a cap
            lifted = house._replace(uncapped="two_dealt_in" if len(walk.seating.players) == 2 else "two_left")
            if not (again := _walked(hand, rake_of(hand), lifted, events=events)).raises_on:
                house, walk = lifted, again
        if (by_pot := rake_by_pot(hand, walk.done)) is not None:  # a site may take rake of the side pots too
            walk = _walked(hand, by_pot, house, events=events)
        return walk.followed(digest)
    except Contradicted as found:
        return FollowedHand(hand, (), (found.contradiction,), {})


def _walked(hand: HandHistory, rake: tuple[int, ...], house: ShownHouse, *, events: bool) -> "_Walk":
    """Follow a hand to its end, or as far as possible."""
    walk = _Walk(hand, rake, house, events=events)
    walk.walk()
    return walk


class _Walk:
    """Plays one hand in the engine, statement by statement."""

    def __init__(self, hand: HandHistory, rake: tuple[int, ...], house: ShownHouse, *, events: bool) -> None:
        self.hand = hand
        self.events = events
        """Whether the game's events are requested."""
        self.house = house
        self.folds_free = False
        """Whether a player folded without facing a bet, which the house does not allow."""
        self.raises_on = False
        """Whether a player raised above the cap, which the house does not allow."""
        self.at = hand.first_line
        """The line of the current statement."""
        check_stakes(hand)
        self.seating = dealt_in(hand)
        self.found: list[Contradiction] = []
        self.known = self._cards()
        try:
            self.recorded = recorded_hand(hand, self.seating, self.known, rake, house)
            self.recording = Recording(self.recorded, for_the_log=events)
        except InvalidValue as error:
            if wrong := sorted(misplaced(hand, self.seating)):
                raise Contradicted(wrong[0]) from None
            self._refuse("stakes and stacks", str(error).rstrip("."))
        except ValidationError as error:  # a field of the rules or of the table is invalid
            first = error.errors(include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            self._refuse(f"{field} {first['input']!r}", first["msg"].removeprefix("Input should be "))
        self.state = self.recording.state
        self.customs = CONVENTIONS[hand.dialect]
        self.draws = hand.draw or self.customs.draws
        self.dealt = False
        """Whether a line has stated that a hand was dealt."""
        self.to_draw: list[str] = []
        """The players who have discarded and may be dealt new cards, in this order."""
        self.pat: str | None = None
        """The player who has just stood pat; the next line may state this player's unchanged hand."""
        self.chosen_at: dict[int, int] = {}
        """Place of an event that a seat chose → the line that states it."""
        self.before_draw: tuple[int, ...] = ()
        """The main pot and the side pots when the draw began."""
        self.done: HandDone | None = None
        """The engine's actions in the hand; None if it could not be followed to its end."""

    def _cards(self) -> KnownCards:
        """Return the cards that the text states, up to the first impossible one."""
        known = KnownCards()
        try:
            for one in self.hand.told:
                known.take(one)
        except Contradicted as found:
            self.found.append(found.contradiction)
        return known

    def walk(self) -> None:
        """Follow the statements as far as they can be followed."""
        try:
            self._statements()
        except Contradicted as found:
            self.found.append(found.contradiction)
        except ImpossibleEvent as error:  # impossible cards, whose line was reported before
            self.found.append(Contradiction(self.at, "cards or chips", str(error).rstrip(".")))
        else:
            self.done = what_was_done(self.state, self.recording.events, self.before_draw)

    def followed(self, digest: str) -> FollowedHand:
        """Return the result of following the hand."""
        recording = self.recording
        found = [*self.found, *misplaced(self.hand, self.seating)]
        if self.done is not None:
            found += contradicted_claims(self.hand, self.seating, self.done)
            # Report the books' mismatches only if no claim of the text is wrong: only claims have a line.
            if not found:
                found = [self._wrong(event, *mismatch) for event, mismatch in recording.wrong]
        else:  # the end of the hand is unknown, so only its text can be kept
            recorded = recorded_hand(self.hand, self.seating, self.known, (), self.house)
            recording = Recording(recorded, for_the_log=self.events)
            recording.cancel()
            self.chosen_at = {}
        sorted_ = tuple(sorted(set(found)))
        if not self.events:
            return FollowedHand(self.hand, (), sorted_, recording.unchecked)
        lines = lines_of(self.hand, self.seating, recording.events, self.chosen_at)
        quote = quotation(self.hand, self.seating, digest, lines, sorted_)
        game = tuple(recording.finished(quote))
        return FollowedHand(self.hand, game, sorted_, recording.unchecked, recording.followed)

    def _wrong(self, event: Event, found: str, implied: str) -> Contradiction:
        """Return a mismatch of chips or cards as a contradiction at the line of the event or of the last choice."""
        place = next(place for place, taken in enumerate(self.recording.events) if taken is event)
        line = next((line for at, line in reversed(self.chosen_at.items()) if at <= place), self.hand.first_line)
        return Contradiction(line, found, implied)

    def _statements(self) -> None:
        if any(one.__class__ is told.Cancelled for one in self.hand.told):
            self._cancelled()
            return
        self.recording.deal()
        self._follow(self.hand.told)
        if self.state.actor:
            self._refuse("nothing more", f"that {self._whose()} is to choose")

    def _cancelled(self) -> None:
        """Follow a hand to its cancellation; its game has no choices, because everybody gets their chips back."""
        before = list(takewhile(lambda one: one.__class__ is not told.Cancelled, self.hand.told))
        if any(one.__class__ not in (told.Posted, told.Dealt, told.Away) for one in before):
            self.recording.deal()
        self._follow(before)
        self.recording = Recording(self.recorded, for_the_log=self.events)
        self.recording.cancel()
        self.state, self.chosen_at = self.recording.state, {}

    def _follow(self, statements: Iterable[told.Statement]) -> None:
        for one in statements:
            self.at = one.line
            if (following := _FOLLOWS.get(one.__class__)) is not None:
                following(self, one)

    def _posted(self, one: told.Posted) -> None:
        if self.chosen_at or self.dealt:
            self._refuse(f"that {one.name} posts", "that the hands are dealt")

    def _check_seen(self, one: told.PlayerStatement, does: str, cards: Iterable[Cards | None]) -> None:
        """Refuse private cards of another player in a file that belongs to one player."""
        if any(cards) and self.hand.hero not in (None, one.name):
            self._refuse(f"what {one.name} {does}", f"that the file is of {self.hand.hero}")

    def _drawing(self, one: told.Discarded) -> None:
        self._check_seen(one, "discards", (one.cards, one.kept))
        state = self.state
        if not self.before_draw:
            self.before_draw = tuple([pot.amount for pot in pots_of(state.pot, state.staked, state.live)])
        self._choose(one, self._discard(one))
        before = self.to_draw if self.draws != "in_turn" else []
        self.to_draw = [*before, one.name] if one.count else before
        self.pat = None if one.count else one.name

    def _dealt(self, one: told.Dealt) -> None:
        self.dealt = True
        if self.chosen_at:
            self._refuse(f"that {one.name} is dealt a hand", "that the hands are dealt")
        self._check_seen(one, "is dealt", (one.cards,))

    def _pot_so_far(self, _one: told.PotSoFar) -> None:
        if (legal := self._choices()) is None or legal.discard is None or self.to_draw:
            self._refuse("the pot before the draw", "that the draw does not begin here")

    def _returned(self, one: told.Returned) -> None:
        if self.state.actor and self.state.legal(self.state.actor).discard is None:
            self._refuse(_said(one), f"that {self._whose()} is to choose")

    def _ending(self, one: told.Statement) -> None:
        """Refuse a statement about the end of the hand while a seat still has to choose."""
        if self.state.actor:
            self._refuse(_said(one), f"that {self._whose()} is to choose")
        self.to_draw, self.pat = [], None

    def _choices(self) -> LegalActions | None:
        """Return the legal actions of the seat whose turn it is; None if no seat is to act."""
        return self.state.legal(self.state.actor) if self.state.actor else None

    def _check_drawn(self, one: told.Drew) -> None:
        """Refuse cards dealt to a player who is not due to be dealt cards now."""
        self._check_seen(one, "draws", (one.cards, one.kept, one.hand))
        if self.draws == "together":
            if (legal := self._choices()) is not None and legal.discard is not None:
                self._refuse(f"that {one.name} is dealt cards", "that not all have discarded")
            # Skip players who were already dealt cards, or for whom the text has no line.
            while one.name in self.to_draw[1:]:
                self.to_draw.pop(0)
        if one.name not in self.to_draw and (one.count != 0 or one.name != self.pat):
            self._refuse(f"that {one.name} is dealt cards", "that no card is due to that player now")
        self.pat = None

    def _whose(self) -> str:
        return self.seating.name(self.state.actor)

    def _choose(self, one: told.PlayerStatement, action: Action) -> None:
        try:
            self.recording.choose(action)
        except IllegalAction as refused:
            self._refuse(_said(one), str(refused).rstrip("."))
        self.chosen_at[len(self.recording.events) - 1] = one.line
        self.recording.deal()

    def _on_turn(self, one: told.PlayerStatement) -> tuple[int, LegalActions]:
        """Return the player's seat and its legal actions; refuse a player who is not to act."""
        seat = self.seating.seats.get(one.name, 0)
        if not self.state.actor:
            self._refuse(_said(one), "that nobody has to choose any more")
        if seat != self.state.actor:
            self._refuse(_said(one), f"that {self._whose()} is to choose")
        return seat, self.state.legal(seat)

    def _discard(self, one: told.Discarded) -> Action:
        seat, legal = self._on_turn(one)
        if legal.discard is None:
            self._refuse(_said(one), f"that {one.name} may {either(legal.said(self._chips))}")
        if one.count > HAND:
            self._refuse(_said(one), "five cards at most")
        cards = discards_of(self.known.of(one.name), one.count)
        return actions.Discard(seat, cards) if all_known(cards) else DiscardUnknown(seat, cards)

    def _folding(self, one: told.Folded) -> None:
        seat, legal = self._to_bet(one)
        self.folds_free = not legal.fold
        self._choose(one, actions.Fold(seat))

    def _checking(self, one: told.Checked) -> None:
        seat, _ = self._to_bet(one)
        self._choose(one, actions.Check(seat))

    def _calling(self, one: told.Called) -> None:
        seat, legal = self._to_bet(one)
        if legal.call != one.amount:
            may = (
                f"a call of {self._chips(legal.call)}"
                if legal.call
                else f"that {one.name} may {either(legal.said(self._chips))}"
            )
            self._refuse(f"a call of {self._chips(one.amount)}", may)
        self._all_in(one, one.all_in, self.state.stacks[seat] - one.amount)
        self._choose(one, actions.Call(seat))

    def _betting(self, one: told.Bet) -> None:
        seat, _ = self._to_bet(one)
        self._all_in(one, one.all_in, self.state.stacks[seat] - one.amount)
        self._choose(one, actions.Bet(seat, one.amount))

    def _raising(self, one: told.Raised) -> None:
        seat, _ = self._to_bet(one)
        put = self.state.put[seat]
        for found, expected, what in ((one.by, one.to - self.state.price, "by"), (one.adds, one.to - put, "with")):
            if found is not None and found != expected:
                self._refuse(f"a raise {what} {self._chips(found)}", f"{self._chips(expected)}")
        self._all_in(one, one.all_in, self.state.stacks[seat] + put - one.to)
        self.raises_on = self.state.capped
        self._choose(one, actions.Raise(seat, one.to))

    def _to_bet(self, one: told.PlayerStatement) -> tuple[int, LegalActions]:
        """Return the seat and legal actions of a player who bets, and expect no more drawn cards after that."""
        seat, legal = self._on_turn(one)
        if legal.discard is not None:
            self._refuse(_said(one), f"that {one.name} is to draw")
        self.to_draw = []
        return seat, legal

    def _all_in(self, one: told.PlayerStatement, said: bool | None, left: int) -> None:
        if said and left > 0:
            self._refuse(f"that {one.name} is all in", f"that {self._chips(left)} are left")
        if said is False and left == 0 and self.customs.all_ins:
            self._refuse(f"that {one.name} is not all in", "that nothing is left")

    def _chips(self, amount: int) -> str:
        return say_amount(amount, self.hand.currency)

    def _refuse(self, says: str, implied: str) -> NoReturn:
        raise Contradicted(Contradiction(self.at, says, implied))


_FOLLOWS: Final[Mapping[type[told.Statement], Callable[..., None]]] = {
    told.Posted: _Walk._posted,
    told.Discarded: _Walk._drawing,
    told.Folded: _Walk._folding,
    told.Checked: _Walk._checking,
    told.Called: _Walk._calling,
    told.Bet: _Walk._betting,
    told.Raised: _Walk._raising,
    told.Dealt: _Walk._dealt,
    told.PotSoFar: _Walk._pot_so_far,
    told.Drew: _Walk._check_drawn,
    told.Returned: _Walk._returned,
    told.Showed: _Walk._ending,
    told.Mucked: _Walk._ending,
    told.NotShown: _Walk._ending,
    told.Won: _Walk._ending,
    told.Totals: _Walk._ending,
    told.StatedPot: _Walk._ending,
    told.Summed: _Walk._ending,
}
"""Statement → its check during the walk; the other statements are checked before or after."""


def _said(one: told.Statement) -> str:
    """Return a statement in a few words."""
    match one:
        case told.Folded():
            return f"that {one.name} folds"
        case told.Checked():
            return f"that {one.name} checks"
        case told.Called():
            return f"that {one.name} calls"
        case told.Bet():
            return f"that {one.name} bets"
        case told.Raised():
            return f"that {one.name} raises"
        case told.Discarded():
            return f"that {one.name} discards {counted(one.count, 'card')}"
        case told.PlayerStatement():
            return f"how the hand ended for {one.name}"
        case _:
            return "how the hand ended"
