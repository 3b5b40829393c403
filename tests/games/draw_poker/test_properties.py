"""Invariants at every event of every game, tested with random games."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings

from pokersvc.cards import CARDS, FRESH_DECK, Card
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.core.seats import HUMAN
from pokersvc.core.state import Outcome
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Fold, LegalActions

from .played import Cards, Plan, Played, any_action, boundary_actions, plans, play
from .scenario import RISING_ANTE

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

FAST = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(FAST, max_examples=10)


# Each property is a function of a plan, so that a few games can be tried each time and thousands when asked.


def chips_are_conserved(plan: Plan) -> None:
    game = Played(plan)
    total = plan.stack * len(plan.kinds)
    for event in game.steps():
        view = game.state.view(EVERYONE)
        assert sum(seat.stack for seat in view.seats) + view.pot == total, event
        assert all(seat.stack >= 0 for seat in view.seats), event
    assert game.state.outcome is not None
    assert sum(game.state.outcome.scores) == total, "and in the end all of them are somebody's"


def replaying_gives_an_equal_state_at_every_event(plan: Plan) -> None:
    game = Played(plan)
    codec = DRAW_POKER.codec
    replayed = DRAW_POKER.new(game.started)
    first = codec.decode(*codec.encode(game.started))
    assert isinstance(first, events.GameStarted)
    decoded = DRAW_POKER.new(first)
    assert game.state == replayed == decoded
    for event in game.steps():
        read = codec.decode(*codec.encode(event))
        assert read == event
        replayed.apply(event)
        decoded.apply(read)
        assert game.state == replayed == decoded, event


def a_copy_without_the_secrets_has_the_same_view(plan: Plan, viewers: tuple[Viewer, ...]) -> None:
    game = Played(plan)
    copies = {viewer: DRAW_POKER.new(redact(game.started, viewer)) for viewer in viewers}
    for event in game.steps():
        for viewer, copy in copies.items():
            copy.apply(redact(event, viewer))
            assert copy.view(viewer) == game.state.view(viewer), (viewer, event)
            assert copy.entry(event, viewer) == game.state.entry(event, viewer)
            assert copy.to_act == game.state.to_act
            assert copy.outcome == game.state.outcome
            if copy.to_act is not None:
                assert copy.legal(copy.to_act) == game.state.legal(copy.to_act), (viewer, event)


def a_refused_action_changes_nothing(plan: Plan) -> None:
    game, random = Played(plan), Random(plan.seed)
    twin = DRAW_POKER.new(game.started)
    for event in game.steps():
        twin.apply(event)
        for _ in range(3):
            action = any_action(game.state, random)
            try:
                decided = game.state.decide(action)
            except IllegalAction:
                decided = None
            if decided is not None:
                assert action.seat == game.state.to_act or (game.state.pausing and isinstance(action, Leave))
            assert game.state == twin, f"to decide on {action} changed the state"


def a_view_does_not_depend_on_hidden_cards(plan: Plan) -> None:
    started, happened = play(plan)
    random = Random(plan.seed)
    viewer = random.choice([EVERYONE, *range(1, len(plan.kinds) + 1)])
    real, other = DRAW_POKER.new(started), DRAW_POKER.new(started)
    for event, changed in zip(happened, with_other_hidden_cards(happened, viewer, random), strict=True):
        if isinstance(event, events.HandsRevealed):
            return  # after the game its cards are hidden no longer
        real.apply(event)
        other.apply(changed)
        assert real.view(viewer) == other.view(viewer), (viewer, event)
        assert real.entry(event, viewer) == other.entry(changed, viewer)
        assert redact(event, viewer) == redact(changed, viewer)
        if real.to_act is not None:
            assert real.legal(real.to_act) == other.legal(real.to_act)


def with_other_hidden_cards(happened: list[Event], viewer: Viewer, random: Random) -> list[Event]:
    """Return the events with the cards that the viewer never sees in a round exchanged among themselves."""
    changed: list[Event] = []
    of_round: list[Event] = []
    for event in happened:
        of_round.append(event)
        if isinstance(event, events.RoundEnded | events.GameEnded):
            seen = {card for e in of_round for card in cards_seen(e, viewer)}
            hidden = [card for card in CARDS if card not in seen]
            others = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
            changed += (_exchanged(e, others) for e in of_round)
            of_round = []
    return changed


WITH_CARDS: Final = (
    *(events.HandDealt, events.CardsDrawn, events.CardsDiscarded, earlier_events.HandDealt, earlier_events.CardsDrawn),
)


def cards_seen(event: Event, viewer: Viewer) -> tuple[Card, ...]:
    if isinstance(event, events.HandsOpened):
        return tuple(card for hand in event.hands for card in hand.cards)
    if isinstance(event, events.HandShown):
        return event.cards
    if isinstance(event, WITH_CARDS) and event.seat == viewer:
        return known_among(event.cards or ())
    return ()


def _exchanged(event: Event, others: dict[Card, Card]) -> Event:
    if isinstance(event, WITH_CARDS):
        assert event.cards is not None
        return replace(event, cards=tuple(others.get(card, card) for card in known_among(event.cards)))
    return event


def no_card_is_in_two_places(plan: Plan) -> None:
    game, cards, stage = Played(plan), Cards(), ""
    for event in game.steps():
        cards.follow(event, stage)
        view = game.state.view(AUDITOR)
        stage = view.stage
        if isinstance(event, events.RoundStarted):
            cards = Cards()
        if not cards.seed:
            continue
        assert cards.all == list(FRESH_DECK), event
        assert view.deck_left == len(cards.deck), event
        for seat, hand in cards.hands.items():
            assert list(view.seat(seat).cards) == hand, event


def exactly_one_of_dealer_seat_and_end(plan: Plan) -> None:
    game = Played(plan)
    while True:
        seat, over = game.state.to_act, game.state.outcome is not None
        dealer = game.state.dealer_event(game.entropy) is not None
        assert [dealer, seat is not None, over].count(True) == 1
        if seat is not None:
            announced = list(boundary_actions(game.state, seat))
            assert announced not in ([], [Fold(seat)]), "a seat that must choose can, and not only fold"
            assert all(isinstance(game.state.decide(action), Event) for action in announced)
        for other in range(1, len(plan.kinds) + 1):
            if other != seat:
                with pytest.raises(IllegalAction):
                    game.state.legal(other)
        if (event := game.next_event()) is None:
            break
        game.state.apply(event)


def legal_is_what_the_house_says(plan: Plan) -> None:
    """The betting rules restated in a few lines, independent of the engine."""
    game, least = Played(plan), plan.rules.betting.minimum
    for _ in game.steps():
        if (seat := game.state.to_act) is None:
            continue
        view = game.state.view(EVERYONE)
        stack = view.seat(seat).stack
        bet = (least, stack) if stack >= least else None
        if view.stage == "draw":
            continue
        if view.price:
            assert stack >= view.price
            assert view.seat(seat).put == 0, "nobody acts twice after the bet"
            expected = LegalActions(fold=True, call=view.price)
        elif view.stage == "first betting":
            assert bet is not None
            expected = LegalActions(fold=True, bet=bet)
        else:
            expected = LegalActions(check=True, fold=True, bet=bet)
        assert game.state.legal(seat) == expected


def the_final_betting_is_short(plan: Plan) -> None:
    game, taken, still_in = Played(plan), 0, 0
    stage = ""
    for event in game.steps():
        view = game.state.view(EVERYONE)
        if view.stage == "final betting" and stage != "final betting":
            taken, still_in = 0, sum(seat.standing == "in" for seat in view.seats)
        elif stage == "final betting":
            taken += isinstance(event, events.Checked | events.Bet | events.Called | events.Folded | events.Forfeited)
            assert taken <= 2 * still_in - 1
        stage = view.stage


class RecordedSeed:
    """The seed in the log, as an audit gives it to the dealer."""

    def __init__(self, event: Event) -> None:
        self.recorded = event.seed if isinstance(event, events.DeckShuffled) else None

    def seed(self, index: int) -> bytes:
        assert self.recorded is not None, "the dealer asked for a seed where none was recorded"
        return self.recorded


def the_log_of_a_game_can_be_audited(plan: Plan) -> None:
    started, happened = play(plan)
    state = DRAW_POKER.new(started)
    for event in happened:
        if isinstance(event, events.PlayerLeft) and event.reason == "withdrew":
            assert state.decide(Leave(event.seat)) == event
        elif state.to_act is None:
            assert state.dealer_event(RecordedSeed(event)) == event
        else:
            assert getattr(event, "seat", None) == state.to_act
        state.apply(event)
    assert state.dealer_event(RecordedSeed(started)) is None


def the_game_ends(plan: Plan) -> None:
    game = Played(plan)
    happened = list(game.steps())
    rounds = sum(isinstance(event, events.RoundStarted) for event in happened)
    assert rounds == sum(isinstance(event, events.RoundEnded) for event in happened)
    assert plan.rounds is None or rounds <= plan.rounds
    ended = happened[-1]
    assert isinstance(ended, events.GameEnded)
    assert ended.reason == "last_player" or rounds == plan.rounds
    sitting = {seat for seat in range(1, len(plan.kinds) + 1) if game.state.playing(seat)}
    among = sitting or set(range(1, len(plan.kinds) + 1))
    most = max(ended.stacks[seat - 1] for seat in among)
    assert set(ended.winners) == {seat for seat in among if ended.stacks[seat - 1] == most}
    assert game.state.outcome == Outcome.won_by(ended.winners, ended.stacks)


def some_copies_have_the_same_view(plan: Plan) -> None:
    seat = Random(plan.seed).randint(1, len(plan.kinds))
    a_copy_without_the_secrets_has_the_same_view(plan, (EVERYONE, seat))


PROPERTIES = [
    chips_are_conserved,
    replaying_gives_an_equal_state_at_every_event,
    a_refused_action_changes_nothing,
    a_view_does_not_depend_on_hidden_cards,
    no_card_is_in_two_places,
    exactly_one_of_dealer_seat_and_end,
    legal_is_what_the_house_says,
    the_final_betting_is_short,
    the_log_of_a_game_can_be_audited,
    the_game_ends,
]


# Games found by their seeds, for what chance seldom deals: three hands of which two tie, so that a chip is carried,
# into the next round and, in the last one, to the largest stack.
CARRIES = Plan(("minimum",) * 3, 3, RISING_ANTE, 6617, 1000)
CARRIES_LAST = Plan(("minimum",) * 3, 3, RISING_ANTE, 40587, 1000)


def test_the_games_in_which_a_chip_is_carried_are_such_games() -> None:
    for plan, reason in ((CARRIES, "showdown"), (CARRIES_LAST, "game_end")):
        _, happened = play(plan)
        assert events.RemainderCarried(1) in happened
        award = [event for event in happened if isinstance(event, events.PotAwarded)][-1]
        assert award.reason == reason


@pytest.mark.parametrize("holds", [*PROPERTIES, some_copies_have_the_same_view], ids=lambda p: p.__name__)
def test_property(holds: Callable[[Plan], None]) -> None:
    example(CARRIES)(example(CARRIES_LAST)(FEW(given(plans())(holds))))()


@pytest.mark.slow
def test_every_property_in_more_games() -> None:
    for holds in (*PROPERTIES, some_copies_have_the_same_view):
        FAST(given(plans())(holds))()


@pytest.mark.slow
@pytest.mark.parametrize("games", [200, pytest.param(800, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda p: p.__name__)
def test_property_in_hundreds_of_games(holds: Callable[[Plan], None], games: int) -> None:
    settings(FAST, max_examples=games)(given(plans(most_rounds=6))(holds))()


@pytest.mark.slow
@pytest.mark.parametrize("games", [60, pytest.param(500, marks=pytest.mark.exhaustive)])
def test_the_copy_of_every_seat_has_the_same_view(games: int) -> None:
    def holds(plan: Plan) -> None:
        a_copy_without_the_secrets_has_the_same_view(plan, (EVERYONE, AUDITOR, *range(1, len(plan.kinds) + 1)))

    settings(FAST, max_examples=games)(given(plans())(holds))()


ONLY_PROGRAMS = plans(most_rounds=None).filter(lambda plan: HUMAN not in plan.kinds and plan.rules.ante.increase > 0)


@pytest.mark.slow
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_every_game_of_programs_ends_without_a_limit_of_rounds(games: int) -> None:
    settings(FAST, max_examples=games)(given(ONLY_PROGRAMS)(the_game_ends))()
