"""The effect of each event: the only place where the state of a game of draw poker changes.

A handler notes what the event says and determines what comes next: whose turn it is, or the dealer's next phase.
Before it changes anything, it refuses an impossible event: one of a seat that cannot act, or one with more chips or
cards than there are. It checks neither whether the rules allow the event nor whether the dealer should have made a
different one.
"""

from collections.abc import Callable, Mapping
from typing import Final, Self, TypeAlias

from pokersvc.betting import bomb_pots, turns
from pokersvc.betting.blinds import all_posted, blind_posted, blind_seats, blinds_due, open_round, posted
from pokersvc.betting.cash import chips_bought, got_up, sat_down, sat_in, sat_out
from pokersvc.betting.chip_race import raced_off
from pokersvc.betting.pots import left, pay_out
from pokersvc.betting.purchases import purchase_admitted, purchase_asked, purchase_refused
from pokersvc.betting.ranking import Exit
from pokersvc.betting.seats import fewer_than_two, has
from pokersvc.betting.stakes import stakes_changed
from pokersvc.betting.state import exists, not_one_of
from pokersvc.cards.unknown import all_known
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import cash_events, earlier_events, events
from pokersvc.games.draw_poker.cash_decisions import wishes_set
from pokersvc.games.draw_poker.entries import add_on_taken, reentered
from pokersvc.games.draw_poker.house.betting_terms import HAND, house_terms, streets_of
from pokersvc.games.draw_poker.house.levels import Levels, stakes_at
from pokersvc.games.draw_poker.house.stakes import Stakes, with_stakes
from pokersvc.games.draw_poker.past_hands import Held, hands_of, may_hide, pack, round_of
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import joined
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.draws import cards_discarded, cards_drawn, deck_reshuffled, forgone_in_draw, stood_pat, without
from pokersvc.streets.phases import ANTES, BETWEEN, BLINDS, OVER, SHUFFLE, Phase
from pokersvc.streets.showdown import (
    hand_mucked,
    hand_shown,
    hands_opened,
    pot_awarded,
    rake_taken,
    remainder_carried,
    show,
)
from pokersvc.streets.showing import cards_shown, shown_by
from pokersvc.streets.state import hidden, repeats
from pokersvc.streets.walk import (
    after_deals,
    begin_street,
    cards_dealt,
    check_commitment,
    commit,
    deck_shuffled,
    opener_chosen,
    uncalled_bet_returned,
)
from pokersvc.text import counted


def _round_started(state: Situation, event: events.RoundStarted) -> None:
    if fewer_than_two(state.sitting()):
        raise ImpossibleEvent(event, "fewer than two players are in the game")
    if event.button is not None:
        exists(state, event, event.button)
    if state.terms.at_cash.bomb_blinds:
        state.streets = streets_of(state.rules, bomb_pot=state.bomb_pot_next)
    if state.round:
        state.record.turn()
        state.clear_round(state.streets[0])
    state.button = event.button or 0
    if state.table is not None or state.rules.straddle:
        open_round(state)
    else:
        state.live = state.seated
        if state.rules.blinds is not None:
            state.small_blind, state.big_blind = blind_seats(state)
    state.round, state.ante = event.round, event.ante
    if state.bomb_pots:
        bomb_pots.round_begun(state)
    if state.is_tournament:
        state.round_stacks, state.round_level = tuple(state.stacks), state.stakes_level
        state.raced = state.stakes_level
    if state.ante and state.rules.ante.when == "before_deal":
        state.phase, state.pending = ANTES, state.live
    else:
        _antes_done(state)


def _antes_done(state: Situation) -> None:
    if state.street:  # antes come after the deal
        after_deals(state)
    elif state.table is not None or state.posts:
        state.phase = SHUFFLE if all_posted(state) else BLINDS
    elif state.rules.blinds is not None:
        state.phase, state.pending = BLINDS, blinds_due(state)
    else:
        state.phase = SHUFFLE


def _ante_posted(state: Situation, event: events.AntePosted) -> None:
    turns.ante_posted(state, event)
    if not state.pending:
        _antes_done(state)


def _surrendered(state: Situation, event: events.PlayerLeft) -> bool:
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    left(state, event)
    _went_out(state, event.seat)
    state.live &= ~(1 << event.seat)
    if state.only_one_left and state.rules.ante.when == "after_deal":
        state.cursor = event.seat
        state.actor = state.pending = 0
        return True
    turns.ante_settled(state, event.seat)
    if not state.pending:
        _antes_done(state)
    return False


def _blind_posted(state: Situation, event: events.BlindPosted) -> None:
    if (posted if state.posts else blind_posted)(state, event, event.blind):
        state.phase = SHUFFLE


def _posted(state: Situation, event: events.Posted) -> None:
    if posted(state, event, event.kind):
        state.phase = SHUFFLE


def _round_ended(state: Situation, _event: events.RoundEnded) -> None:
    state.phase = BETWEEN
    if state.rules.history == "all" and state.dealt_in() > state.shown.bit_count():  # some hands were not shown
        held = state.held()
        if state.reused:
            held = [_kept(state, hand) for hand in held]
        state.past.append(pack(state.round, state.pot, held))
        state.past_names.append(state.names)
        state.past_unsure.append(state.unsure)
    levels = state.schedule
    if levels is not None and not levels.timed and (level := levels.at(state.round + 1)) != state.stakes_level:
        _begin_level(state, levels, level)


def _begin_level(state: Situation, levels: Levels, number: int) -> None:
    state.stakes_level = number
    _play_for(state, stakes_at(state.rules_at_start, levels, number))


def _level_began(state: Situation, event: events.LevelBegan) -> None:
    levels = state.schedule
    if levels is None or not levels.timed or not 1 < event.level <= len(levels.schedule):
        raise ImpossibleEvent(event, f"no level {event.level} can begin by time")
    _begin_level(state, levels, event.level)


def _chips_raced_off(state: Situation, event: events.ChipsRacedOff) -> None:
    if event.chip != state.chip_to_race:
        raise ImpossibleEvent(event, f"no race for chips below {event.chip} is due")
    stacks = raced_off(state.stacks, state.seated, event.chip)
    if event.stacks != stacks[1:]:
        raise ImpossibleEvent(event, "the race for odd chips leaves other stacks than these")
    state.stacks[:] = stacks
    state.raced = state.stakes_level


def _kept(state: Situation, hand: Held) -> Held:
    """Return a hand with ``reused`` set: true if the hand was folded and its cards were shuffled into a new deck."""
    return hand._replace(reused=has(state.reused, hand.seat) and not state.discarded[hand.seat])


def _hand_dealt(state: Situation, event: events.HandDealt) -> None:
    check_commitment(event)
    cards_dealt(state, event)
    commit(state, event)


def _cards_drawn(state: Situation, event: events.CardsDrawn) -> None:
    check_commitment(event)
    cards_drawn(state, event)
    commit(state, event)


def _player_left(state: Situation, event: events.PlayerLeft) -> None:
    if not has(state.seated, event.seat):
        not_one_of(event, "in the game")
    left(state, event)
    _went_out(state, event.seat)


def _went_out(state: Situation, seat: int) -> None:
    if state.is_tournament:
        began_with = state.round_stacks[seat] if state.round_stacks else 0
        state.exits[seat] = Exit(state.round, state.stacks[seat], began_with)


def _prizes_awarded(state: Situation, event: events.PrizesAwarded) -> None:
    if state.tournament_entry is None or state.prizes is not None:
        raise ImpossibleEvent(event, "there are no prizes to be awarded")
    if {len(event.places), len(event.prices), len(event.prizes)} != {len(state.seats)}:
        raise ImpossibleEvent(event, f"there are {counted(len(state.seats), 'seat')}")
    state.prizes = event


def _sat_down(state: Situation, event: events.SatDown) -> None:
    if sat_down(state, event, event.person):
        state.clear_seat(event.seat)


def _cards_shown(state: Situation, event: events.CardsShown) -> None:
    cards_shown(state, event)
    if state.rules.history == "all":
        state.past_showed[state.round, event.seat] = shown_by(state, event.seat)


def _hands_revealed(state: Situation, event: events.HandsRevealed) -> None:
    kept = _due_to_be_revealed(state, event)
    if may_hide(kept):  # this copy may not know all of the hands
        opened = {hand.seat: hand.cards for hand in event.hands}
        hands = [hand if hand.shown else hand._replace(cards=opened[hand.seat]) for hand in hands_of(kept)]
        state.past[state.revealed] = pack(*round_of(kept), hands)
    state.revealed += 1
    if event.round == state.round:
        for hand in event.hands:
            if state.hands[hand.seat]:  # an empty hand means that somebody else has taken the seat since
                show(state, hand.seat, hand.cards)


def _due_to_be_revealed(state: Situation, event: events.HandsRevealed) -> bytes:
    """Return the packed round whose hands are due to be revealed; raise `ImpossibleEvent` if the event shows others."""
    if state.revealed == len(state.past):
        raise ImpossibleEvent(event, "all hands were shown already")
    due = state.past[state.revealed]
    round_, _ = round_of(due)
    if event.round != round_:
        raise ImpossibleEvent(event, f"the hands of round {round_} are due, not of round {event.round}")
    held = [hand for hand in hands_of(due) if not hand.shown]
    if [hand.seat for hand in held] != [hand.seat for hand in event.hands]:
        raise ImpossibleEvent(event, f"the hands of the seats {', '.join(str(hand.seat) for hand in held)} are due")
    unsure = state.past_unsure[state.revealed]
    for hand, opened in zip(held, event.hands, strict=True):
        draw = unsure.get(hand.seat)
        if (draw is not None and not draw.fits(hand.cards, opened.cards)) or (
            hand.cards != opened.cards  # a copy that does not know all cards has other ones here
            and (
                len(hand.cards) != len(opened.cards)
                or any(card not in (None, other) for card, other in zip(hand.cards, opened.cards, strict=True))
            )
        ):
            raise ImpossibleEvent(event, f"seat {hand.seat} held other cards")
    return due


def _left_in_the_pot(state: Situation, event: events.PotAwarded) -> None:
    if event.reason != "game_end":
        raise ImpossibleEvent(event, "no round is on")
    pay_out(state, event)


def _stakes_changed(state: Situation, event: events.StakesChanged) -> None:
    if event.by is not None:
        exists(state, event, event.by)
    _play_for(state, event.stakes)


def _play_for(state: Situation, stakes: Stakes) -> None:
    """Bring stakes into force for the rounds to come."""
    state.rules = with_stakes(state.rules, stakes)
    house = house_terms(state.rules, state.engine, state.table, state.cash_rules)
    state.streets = house.streets
    stakes_changed(state, house.terms)


def _bomb_pot_announced(state: Situation, event: cash_events.BombPotAnnounced) -> None:
    if event.by is not None:
        exists(state, event, event.by)
    if not state.cash or event.round != state.round + 2 or event.round in state.bomb_pots:
        raise ImpossibleEvent(event, f"round {event.round} cannot become a bomb pot now")
    bomb_pots.announced(state, event.round)


def _game_closed(state: Situation, event: events.GameClosed) -> None:
    if state.closed:
        raise ImpossibleEvent(event, "the game was closed already")
    state.closed = True


def _game_ended(state: Situation, event: events.GameEnded) -> None:
    if state.revealed < len(state.past):
        raise ImpossibleEvent(event, "there are hands to be revealed first")
    state.ended = event
    state.phase = OVER


Handler: TypeAlias = Callable[..., bool | None]
"""A function that applies an event of one type to the situation; returns true if the event ends a betting round."""


class Handlers(dict[Phase, Mapping[type[Event], Handler]]):
    """The events that each phase accepts, with their handlers; copies of a state share them."""

    def __deepcopy__(self, memo: object) -> Self:
        """Return the handlers themselves, since they never change."""
        return self


HANDLERS: Final = Handlers(
    {
        Phase.BETWEEN: {
            events.RoundStarted: _round_started,
            events.PlayerLeft: _player_left,
            events.PotAwarded: _left_in_the_pot,
            events.HandsRevealed: _hands_revealed,
            events.SatDown: _sat_down,
            events.GotUp: got_up,
            events.ChipsBought: chips_bought,
            events.SatOut: sat_out,
            events.SatIn: sat_in,
            cash_events.PurchaseAsked: purchase_asked,
            cash_events.PurchaseAdmitted: purchase_admitted,
            cash_events.PurchaseRefused: purchase_refused,
            cash_events.WishesSet: wishes_set,
            cash_events.ToppedUp: chips_bought,
            cash_events.SatOutAtBlind: sat_out,
            cash_events.SatInWithBlind: sat_in,
            cash_events.SeatFreed: got_up,
            cash_events.BombPotAnnounced: _bomb_pot_announced,
            events.CardsShown: _cards_shown,
            events.StakesChanged: _stakes_changed,
            events.LevelBegan: _level_began,
            events.ChipsRacedOff: _chips_raced_off,
            events.GameClosed: _game_closed,
            events.Reentered: reentered,
            events.AddOnTaken: add_on_taken,
            events.PrizesAwarded: _prizes_awarded,
            events.GameEnded: _game_ended,
        },
        Phase.ANTES: {events.AntePosted: _ante_posted, events.PlayerLeft: _surrendered},
        Phase.BLINDS: {events.BlindPosted: _blind_posted, events.Posted: _posted},
        Phase.SHUFFLE: {events.DeckShuffled: deck_shuffled},
        Phase.DEAL: {events.HandDealt: _hand_dealt},
        Phase.OPENER: {events.OpenerChosen: opener_chosen},
        Phase.BETTING: {
            events.Checked: turns.checked,
            events.Bet: turns.opened,
            events.Called: turns.called,
            events.Raised: turns.raised,
            events.Folded: turns.folded,
            events.Forfeited: turns.forfeited,
            events.RoundForgone: turns.forgone,
        },
        Phase.RETURN: {events.UncalledBetReturned: uncalled_bet_returned},
        Phase.DRAW: {
            events.CardsDiscarded: cards_discarded,
            events.Forfeited: stood_pat,
            events.RoundForgone: forgone_in_draw,
        },
        Phase.SERVE: {events.CardsDrawn: _cards_drawn, events.DeckReshuffled: deck_reshuffled},
        Phase.OPEN: {events.HandsOpened: hands_opened},
        Phase.SHOWDOWN: {events.HandShown: hand_shown, events.HandMucked: hand_mucked},
        Phase.RAKE: {events.RakeTaken: rake_taken},
        Phase.AWARD: {events.PotAwarded: pot_awarded},
        Phase.CARRY: {events.RemainderCarried: remainder_carried},
        Phase.ROUND_END: {events.RoundEnded: _round_ended},
        Phase.OVER: {},
    }
)
"""The events that each phase accepts, with their handlers."""


def _between_without(*types: type[Event]) -> Mapping[type[Event], Handler]:
    return {type_: take for type_, take in HANDLERS[Phase.BETWEEN].items() if type_ not in types}


HANDLERS_WITHOUT_COMMITMENTS: Final = Handlers(
    {
        **HANDLERS,
        Phase.BETWEEN: _between_without(events.CardsShown),
        Phase.DEAL: {earlier_events.HandDealt: cards_dealt},
        Phase.SERVE: {earlier_events.CardsDrawn: cards_drawn, events.DeckReshuffled: deck_reshuffled},
    }
)
"""The handlers of a game of bots alone, whose dealer does not commit to single cards because nobody will show one."""
HANDLERS_OF_EARLIER_ENGINES: Final = Handlers(
    {
        **HANDLERS_WITHOUT_COMMITMENTS,
        Phase.BETWEEN: _between_without(
            events.CardsShown,
            events.StakesChanged,
            events.LevelBegan,
            events.ChipsRacedOff,
            events.Reentered,
            events.AddOnTaken,
            events.PrizesAwarded,
            *cash_events.CASH_EVENTS,
        ),
    }
)
"""The handlers of engines 1 to 4; there, besides, stakes do not change and people have no standing wishes."""


# What takes the place of a deck in a hand that was dealt elsewhere


def _hand_quoted(state: Situation, event: HandQuoted) -> None:
    if state.round and state.ended is None:
        raise ImpossibleEvent(event, "a hand may only be quoted before its round begins, or after it has ended")
    if event.hero is not None:
        exists(state, event, event.hero)
    assert state.recorded is not None
    state.recorded.quoted.append(event)


def _deal_recorded(state: Situation, event: DealRecorded) -> None:
    assert state.recorded is not None
    state.recorded.deal = event
    begin_street(state)


def _recorded_dealt(state: Situation, event: RecordedHandDealt) -> None:
    cards_dealt(state, event)
    assert state.recorded is not None
    state.recorded.dealt[event.seat] = state.hands[event.seat]


def _recorded_drawn(state: Situation, event: RecordedCardsDrawn) -> None:
    cards_drawn(state, event)
    assert state.recorded is not None
    state.recorded.drawn[event.seat] += hidden(event.count) if event.cards is None else event.cards


def _awarded(state: Situation, event: events.PotAwarded) -> None:
    eligible = state.pots[-1].eligible
    pot_awarded(state, event)
    assert state.recorded is not None
    state.recorded.awarded.append((eligible, event))


def _hands_told(state: Situation, event: events.HandsRevealed) -> None:
    if event.round != state.round or state.revealed:
        raise ImpossibleEvent(event, f"no hands of round {event.round} are due")
    for hand in event.hands:
        exists(state, event, hand.seat)
        if has(state.shown, hand.seat) or not state.hands[hand.seat] or len(hand.cards) != HAND or repeats(hand.cards):
            raise ImpossibleEvent(event, f"seat {hand.seat} has no hand to be revealed")
    for hand in event.hands:
        show(state, hand.seat, hand.cards)
    state.revealed = 1


def _cards_learned(state: Situation, event: CardsLearned) -> None:
    recorded, seat = state.recorded, event.seat
    exists(state, event, seat)
    if not state.hands[seat]:
        raise ImpossibleEvent(event, f"seat {seat} was dealt no hand")
    assert recorded is not None
    recorded.learned.append(event)
    recorded.dealt[seat] = joined(recorded.dealt[seat], event.dealt)
    recorded.drawn[seat] = joined(recorded.drawn[seat], event.drawn)
    state.discarded[seat] = joined(state.discarded[seat], event.discarded)
    left = without(recorded.dealt[seat], state.discarded[seat])
    if event.held:
        state.hands[seat] = event.held
    elif left is not None and not all_known(state.hands[seat]):
        state.hands[seat] = (*left, *recorded.drawn[seat])


_OF_A_DECK: Final = {
    *(events.DeckShuffled, events.HandDealt, events.CardsDiscarded, events.CardsDrawn, events.CardsShown)
}
_OTHERWISE: Final = Handlers(
    {
        Phase.BETWEEN: {HandQuoted: _hand_quoted, events.HandsRevealed: _hands_told},
        Phase.SHUFFLE: {DealRecorded: _deal_recorded},
        Phase.DEAL: {RecordedHandDealt: _recorded_dealt},
        Phase.DRAW: {RecordedCardsDiscarded: cards_discarded},
        Phase.SERVE: {RecordedCardsDrawn: _recorded_drawn},
        Phase.AWARD: {events.PotAwarded: _awarded},
        Phase.OVER: {HandQuoted: _hand_quoted, CardsLearned: _cards_learned},
    }
)
HANDLERS_AS_RECORDED: Final = Handlers(
    {
        phase: {**{type_: taken[type_] for type_ in taken if type_ not in _OF_A_DECK}, **_OTHERWISE.get(phase, {})}
        for phase, taken in HANDLERS.items()
    }
)
"""The handlers for a hand that was dealt elsewhere, which has no events of a deck."""
