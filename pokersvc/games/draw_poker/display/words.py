"""Draw poker in words: its output for people, and the parsing of what they type. Plain text, no terminal codes."""

import re
from collections.abc import Sequence
from textwrap import shorten
from typing import Final

from pokersvc.betting.choices import either, say_range
from pokersvc.core.actions import Action, BetweenRounds
from pokersvc.core.drawing import Line, Room, Shortcut
from pokersvc.core.event import Event
from pokersvc.core.seats import OPEN
from pokersvc.core.setup import Options
from pokersvc.core.state import Entry
from pokersvc.core.words import InAdvance, InvalidAnswer, Words, not_understood
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import best_for_person, own_hand, say_advised, table_for_person
from pokersvc.games.draw_poker.display import in_advance
from pokersvc.games.draw_poker.display.bomb_pot_words import announces_bomb_pot, bomb_pot_next, read_bomb_pot
from pokersvc.games.draw_poker.display.cash_words import (
    chips_for_who_is_broke,
    no_round_comes,
    read_answer,
    read_between,
    read_newcomer,
    what_may_be_typed,
    what_newcomers_type,
    who_asks,
    why_not_between,
)
from pokersvc.games.draw_poker.display.history_words import DrawPokerHistoryWords
from pokersvc.games.draw_poker.display.picked_cards import picked, read_discard
from pokersvc.games.draw_poker.display.reasons import why_not
from pokersvc.games.draw_poker.display.reminders import about, moment
from pokersvc.games.draw_poker.display.seat_rows import say_number
from pokersvc.games.draw_poker.display.short_stacks import folded_unasked
from pokersvc.games.draw_poker.display.shortcuts import (
    ALL_IN,
    PLAIN,
    SHOWS_ADVICE,
    TAKES_ADVICE,
    all_in,
    check_or_call,
    completions,
    sample,
    shortcuts,
)
from pokersvc.games.draw_poker.display.showing_words import may_show, read_show
from pokersvc.games.draw_poker.display.stakes_words import next_level, read_stakes, what_a_host_types
from pokersvc.games.draw_poker.display.table_drawn import drawn
from pokersvc.games.draw_poker.display.telling import TELL, amount_of, dollars, held
from pokersvc.games.draw_poker.display.terms import short_title, terms
from pokersvc.games.draw_poker.display.tournament_words import read_entry, say_standing, what_to_enter_with
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import YOU, cells, counted, does, padded, whose


class DrawPokerWords(DrawPokerHistoryWords, Words[events.GameStarted, DrawPokerState, DrawPokerView, LegalActions]):
    """The words of draw poker, shown to people and read from them; see `pokersvc.core.words.Words`."""

    heads_of_advice = 1

    def terms(self, options: Options) -> list[str]:
        """Return the blinds or the ante, the stacks, and what else the options change."""
        return terms(options)

    def short_title(self, options: Options) -> str | None:
        """Return the kind of game with its blinds, or with its house if it has no blinds."""
        return short_title(options)

    def tell(self, event: Event, state: DrawPokerState) -> str:
        """Return an event in a sentence; several hands take one line each."""
        return TELL[type(event)](event, state)

    def show(self, view: DrawPokerView) -> list[str]:
        """Return the table, one line per seat."""
        if view.round == 0:
            head = "Before the first round"
        elif view.stage == "over":
            head = f"The game is over after round {view.round}"
        else:
            head = f"Round {view.round}, {view.stage}: pot {amount_of(view.pot, view.table)}{_say_pots(view)}"
            if view.price:
                head += f", the bet is {amount_of(view.price, view.table)}"
            if view.to_act is not None:
                head += f"; it is {whose(view.seat(view.to_act).name, 'turn')}"
        width = max(cells(_label(seat, view)) for seat in view.seats)
        chips = max(len(dollars(seat.stack, view.table)) for seat in view.seats)
        return [head, *(_show_seat(seat, view, width, chips) for seat in view.seats)]

    def draw(self, view: DrawPokerView, room: Room) -> list[Line]:
        """Return the table, drawn as large as fits."""
        return drawn(view, room)

    def draw_picked(self, text: str, view: DrawPokerView, legal: LegalActions, room: Room) -> list[Line] | None:
        """Return the table with the cards marked that a text would discard; None if it would discard no card."""
        found = picked(text, view, legal)
        return None if found is None else drawn(view, room, found)

    def ask(self, view: DrawPokerView, legal: LegalActions) -> str:
        """Return the question with the possible answers and, in the draw, with advice."""
        if not legal.discard or not _seen(view):
            return self.question(view, legal)
        advised = best_for_person(view, legal)
        asked = f'{_ask_for_discards(sample(view, advised.thrown), legal.discard)}, "table" to compare'
        return f"Advice: {say_advised(view, advised)}\n{asked}, or Enter to keep all"

    def question(self, view: DrawPokerView, legal: LegalActions) -> str:
        """Return the question with the possible answers."""
        if legal.discard is not None:
            if not legal.discard:
                return "No cards are left to draw: press Enter to keep your hand"
            if not _seen(view):
                return "You have not seen this hand: press Enter to keep all"
            return f"{_ask_for_discards(sample(view), legal.discard)}, or Enter to keep all"
        said = legal.said()
        if legal.call and legal.call == view.seat(view.to_act or 0).stack:
            said[said.index(f"call {legal.call}")] += " (all in)"
        question = either(said)
        return question[0].upper() + question[1:]

    def ask_briefly(self, view: DrawPokerView, legal: LegalActions, *, advised: bool) -> str:
        """Return the question in one line: in the draw, the advice or the number of cards that may be discarded."""
        if not legal.discard or not _seen(view):
            return self.question(view, legal)
        if not advised:
            return f"Discard up to {counted(legal.discard, 'card')}, or keep all"
        return f"Best: {say_advised(view, best_for_person(view, legal))}"

    def explain(self, text: str, view: DrawPokerView, legal: LegalActions) -> list[str] | None:
        """Return the table of all discards if the text asks for it, such as ``table``."""
        return self.advise(view, legal) if text.strip().lower() in SHOWS_ADVICE else None

    def advise(self, view: DrawPokerView, legal: LegalActions) -> list[str] | None:
        """Return the table of all discards; None if nothing may be discarded, or if the hand is not shown."""
        return table_for_person(view, legal) if self.advises(view, legal) else None

    def advise_within(self, columns: int, view: DrawPokerView, legal: LegalActions) -> list[str] | None:
        """Return the table of all discards as in `advise`, or a subclass's own advice, at most ``columns`` wide."""
        if type(self).advise is not DrawPokerWords.advise:
            return super().advise_within(columns, view, legal)
        return table_for_person(view, legal, columns) if self.advises(view, legal) else None

    def advises(self, view: DrawPokerView, legal: LegalActions) -> bool:
        """Return whether there is advice: cards may be discarded, and the viewer has seen the hand."""
        return bool(legal.discard) and _seen(view)

    def takes_advice(self, text: str, legal: LegalActions) -> bool:
        """Return whether an answer in the draw takes the advice, such as ``ok``, or shows it, such as ``table``."""
        return legal.discard is not None and text.strip().lower() in (*TAKES_ADVICE, *SHOWS_ADVICE)

    def before_round(self, view: DrawPokerView, seat: int) -> list[str]:
        """Return a warning of a short stack that the house may fold unasked, or of too few players to deal in."""
        folded = folded_unasked(view, seat)
        if folded is None:
            return no_round_comes(view) or bomb_pot_next(view, lambda amount: amount_of(amount, view.table))
        one = view.seat(seat)
        if folded == "surrenders":
            due = f"less than the ante of {view.next_ante}"
            lost_by = does(one.name, "is") if one.name != YOU else "you are"
            lost = f"The next round takes it and {lost_by} out; leave to keep it."
            return [f"{does(one.name, 'has')} ${one.stack:,}, {due}. {lost}"]
        ante = "the ante and " if view.next_ante else ""
        if folded == "surely":
            due = f"less than {ante}the minimum bet"
            has = f"{does(one.name, 'has')} ${one.stack:,}"
            return [f"{has}, {due}. Unless all others fold, the hand is folded without asking."]
        more = f"If {ante}the bets of the next round come to more"
        return [f"{does(one.name, 'has')} ${one.stack:,}. {more}, the hand is folded without asking."]

    def between_rounds(self, view: DrawPokerView, seat: int) -> list[Shortcut]:
        """Return a person's commands between rounds, such as ``show``, ``re-enter`` or, in a cash game, ``buy 50``."""
        return [*what_may_be_typed(view, seat), *what_to_enter_with(view, seat), *may_show(view, seat)]

    def needs_between(self, view: DrawPokerView, seat: int) -> tuple[str, list[Shortcut]] | None:
        """Return amounts to buy for somebody who has no chips in a cash game."""
        return chips_for_who_is_broke(view, seat)

    def read_between(self, text: str, view: DrawPokerView, seat: int) -> BetweenRounds | None:
        """Return the action of a person between two rounds."""
        return read_show(text, view, seat) or read_entry(text, view, seat) or read_between(text, view, seat)

    def next_level(self, view: DrawPokerView) -> str:
        """Return the blinds and the ante of the next level, such as "10/20, ante 2,"."""
        return next_level(view)

    def in_advance(self, state: DrawPokerState, seat: int) -> list[Shortcut]:
        """Return what a person may choose before their turn, such as ``f`` for check/fold."""
        return in_advance.offered(state, seat)

    def read_in_advance(self, text: str, state: DrawPokerState, seat: int) -> InAdvance | None:
        """Return the choice in advance that a person has typed."""
        return in_advance.chosen(text, state, seat)

    def dropped(self, choice: InAdvance, state: DrawPokerState, seat: int) -> str | None:
        """Return why a choice in advance no longer holds, such as a changed price."""
        return in_advance.dropped(choice, state, seat)

    def act_in_advance(self, choice: InAdvance, state: DrawPokerState, seat: int, legal: LegalActions) -> Action | None:
        """Return the action that a choice in advance is now."""
        return in_advance.action_of(choice, state, seat, legal)

    def stakes(self, view: DrawPokerView) -> list[Shortcut]:
        """Return the host's commands to change the stakes, such as ``blinds 5/10``, and to announce a bomb pot."""
        return [*what_a_host_types(view), *announces_bomb_pot(view)]

    def read_stakes(self, text: str, view: DrawPokerView) -> Options | None:
        """Return the stakes that a host has typed."""
        return read_stakes(text, view) or read_bomb_pot(text, view)

    def purchases(self, view: DrawPokerView) -> list[Shortcut]:
        """Return the host's answers to requests to buy chips, such as ``admit Ann``."""
        return who_asks(view)

    def read_purchase(self, text: str, view: DrawPokerView) -> tuple[int, bool] | None:
        """Return the seat that a host's text answers, and whether it admits the purchase."""
        return read_answer(text, view)

    def newcomers(self, view: DrawPokerView, free: Sequence[int]) -> list[Shortcut]:
        """Return the command to sit down at one of the free seats of a cash game."""
        return what_newcomers_type(view, free)

    def read_newcomer(self, text: str, view: DrawPokerView, free: Sequence[int]) -> BetweenRounds | None:
        """Return the action of a newcomer's text in a cash game, such as ``sit down with 100 as Carl``."""
        return read_newcomer(text, view, free)

    def why_not_between(self, text: str, view: DrawPokerView, seats: Sequence[int], free: Sequence[int]) -> str | None:
        """Return a sentence saying that a name is missing or unknown in a cash game, or that no seat is free."""
        return why_not_between(text, view, seats, free)

    def read(self, text: str, view: DrawPokerView, legal: LegalActions) -> Action:
        """Return the action that an answer names: ``bet 50``, ``fold``; in the draw ``1,3,5``, cards, or ``ok``."""
        assert view.to_act is not None
        if legal.discard is not None:
            if text.strip().lower() in TAKES_ADVICE and _seen(view):
                return Discard(view.to_act, best_for_person(view, legal).thrown)
            return read_discard(text, view, view.to_act)
        return self._read_betting(text, view, legal, view.to_act)

    def shortcuts(self, view: DrawPokerView, legal: LegalActions) -> list[Shortcut]:
        """Return the short commands of this choice."""
        return shortcuts(view, legal)

    def shortcuts_advised(self, view: DrawPokerView, legal: LegalActions) -> list[Shortcut]:
        """Return the short commands of this choice; the example of a discard is the advised one."""
        if not self.advises(view, legal):
            return shortcuts(view, legal)
        return shortcuts(view, legal, best_for_person(view, legal).thrown)

    def completions(self, view: DrawPokerView, legal: LegalActions) -> list[str]:
        """Return all full commands for this choice."""
        return completions(view, legal)

    def about(self, view: DrawPokerView) -> list[str]:
        """Return the rules of this house, and the ranking of hands."""
        return about(view)

    def moment(self, view: DrawPokerView, legal: LegalActions) -> list[str]:
        """Return the rules of this house that matter for this choice, and the ranking of hands."""
        return moment(view, legal)

    def why_not(self, text: str, view: DrawPokerView, legal: LegalActions) -> str | None:
        """Return the rule that forbids the typed choice now."""
        return why_not(text, view, legal)

    def net(self, entry: Entry) -> list[tuple[int, int]]:
        """Return the net result of each seat that put in or won chips in a round."""
        return list(entry.net)

    def _read_betting(self, text: str, view: DrawPokerView, legal: LegalActions, seat: int) -> Action:
        word, _, rest = text.strip().lower().partition(" ")
        rest = rest.strip().removeprefix("to ").strip()
        if word == "c" and not rest:
            return check_or_call(seat, legal)
        if word in PLAIN and not rest:
            return PLAIN[word](seat)
        if word in ("call", "c") and rest == str(legal.call):
            return Call(seat)
        if legal.check and not view.price and " ".join([word, rest]).strip() in _NO_BET:
            return Check(seat)
        amounts = legal.bet or legal.raise_to
        if " ".join([word, rest]).strip() in ALL_IN:
            return all_in(view.seat(seat), legal)
        if word.lstrip("-+").isdigit() and not rest:
            word, rest = ("bet" if legal.bet is not None else "raise"), word
        if word in ("bet", "b", "raise", "r") and amounts is not None and not rest and amounts[0] == amounts[1]:
            rest = str(amounts[0])
        if word in ("bet", "b", "raise", "r") and (amounts is not None or rest.isdecimal()):
            amount = _read_chips(rest, "bet" if legal.bet is not None else "raise", amounts)
            return Bet(seat, amount) if word.startswith("b") else Raise(seat, amount)
        raise InvalidAnswer(f"{not_understood(text)} You can: {self.ask(view, legal).lower()}.")


def _seen(view: DrawPokerView) -> bool:
    """Return whether the viewer has seen their hand; False if they took the seat over during the round."""
    hand = view.seat(own_hand(view)[0]).cards
    return bool(hand) and None not in hand


def _ask_for_discards(example: list[str], most: int) -> str:
    return f"Discard up to {most} by number ({','.join(example)})"


_NO_BET: Final = ("0", "bet 0", "b 0")
"""Texts for a bet of 0, which are read as a check."""


def _read_chips(text: str, what: str, limits: tuple[int, int] | None) -> int:
    example = f"{what} {say_range(limits)}" if limits is not None else f"{what} and a number"
    if re.fullmatch(r"[+-]?[0-9]{1,40}", text):
        return int(text)
    wrong = f"{shorten(text, 40)!r} is not a number of chips" if text else "A number of chips is missing"
    raise InvalidAnswer(f"{wrong}. You can: {example}.")


def _say_pots(view: DrawPokerView) -> str:
    """Return the pots if there are several."""
    if len(view.pots) < 2:
        return ""
    main, *sides = [amount_of(pot, view.table) for pot in view.pots]
    return f" (main pot {main}, {', '.join(f'side pot {number} {side}' for number, side in enumerate(sides, 1))})"


def _label(seat: SeatView, view: DrawPokerView) -> str:
    """Return a seat's name, marked if it has the dealer button, after its number if the table has its own numbers."""
    number = "" if view.table is None else f"{say_number(seat, view)} "
    return f"{number}{seat.name} (D)" if view.button_at == seat.number else f"{number}{seat.name}"


def _show_seat(seat: SeatView, view: DrawPokerView, width: int, chips: int) -> str:
    parts = [f"  {padded(_label(seat, view), width)}  {dollars(seat.stack, view.table):<{chips}}"]
    if seat.put:
        parts.append(f"put in {amount_of(seat.put, view.table)}")
    if seat.all_in:
        parts.append("all in")
    if seat.cards and view.stage != "over":
        parts.append(held(seat.cards))
    if seat.sitting_out:
        parts.append("sits out")
    if seat.standing != "in" or seat.place:
        parts.append("open" if seat.kind == OPEN else say_standing(seat, seat.standing))
    return "  ".join(parts)
