"""What a person may choose before their turn: check or fold, check, call this, call any, or stand pat."""

from typing import Final, NamedTuple

from pokersvc.betting.choices import Choices
from pokersvc.betting.seats import has
from pokersvc.betting.turns import choices_of
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Shortcut
from pokersvc.core.words import InAdvance
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.display.telling import amount_of
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.phases import BETTING, DRAW, SERVE

_FOLDS: Final = ("f", "cf", "fold", "check/fold")


class Facing(NamedTuple):
    """What a seat faces, in its turn or before it."""

    at: tuple[int, int, bool]
    """The round, the betting round, and whether cards are drawn."""
    choices: Choices
    pending: bool
    """Whether the seat's turn still comes if nobody raises."""
    price: int


def facing(state: Situation, seat: int) -> Facing | None:
    """Return what a seat faces in a betting round or a draw that it takes part in; else None."""
    drawing = state.phase in (DRAW, SERVE)
    if not has(state.live, seat) or (not drawing and (state.phase is not BETTING or has(state.all_in, seat))):
        return None
    choices = Choices() if drawing else choices_of(state, seat, Choices)
    return Facing((state.round, state.betting_round, drawing), choices, has(state.pending, seat), state.price)


def offered(state: Situation, seat: int) -> list[Shortcut]:
    """Return what a person may choose in advance while others choose."""
    found = facing(state, seat)
    if found is None or state.actor == seat:
        return []
    if found.at[2]:
        return [Shortcut("pat", "stand pat")] if found.pending else []
    call = found.choices.call
    this = f"call {amount_of(call, state.table)}{', all in' if call == state.stacks[seat] else ''}" if call else "check"
    asked = [Shortcut("c", this)] if found.pending else []  # otherwise the turn comes back only after a raise
    return [Shortcut("f", "fold" if call else "check/fold"), *asked, Shortcut("ca", "call any")]


def chosen(text: str, state: Situation, seat: int) -> InAdvance | None:
    """Return the choice in advance that a person has typed; None for any other text."""
    said = " ".join(text.lower().split())
    found = facing(state, seat)
    if found is None:
        return None
    for one in offered(state, seat):
        kind = one.does.partition(" ")[0] if one.typed == "c" else one.typed
        amount = one.does.partition(",")[0]  # "call 20" of "call 20, all in"
        if said in (one.typed, one.does, amount, kind, *_FOLDS * (kind == "f")):
            return InAdvance(kind, one.does, (found.at, found.price))
    return None


def dropped(choice: InAdvance, state: Situation, seat: int) -> str | None:
    """Return why a choice in advance no longer holds: "" if its betting round, draw or hand is over; else None."""
    found = facing(state, seat)
    at, price = choice.when
    if found is None or found.at != at:
        return ""
    if choice.kind == "check" and found.choices.call:
        return "There is a bet: your check in advance was dropped."
    if choice.kind == "call" and found.price != price:
        return "The price has changed: your call in advance was dropped."
    return None


def action_of(choice: InAdvance, state: Situation, seat: int, legal: LegalActions) -> Action | None:
    """Return the action that a choice in advance is now, in the person's turn; None if it is not possible."""
    found = facing(state, seat)
    if found is None or state.actor != seat:
        return None
    if choice.kind == "pat":
        return Discard(seat, ()) if legal.discard is not None else None
    if legal.discard is not None or (legal.check, legal.call) != (found.choices.check, found.choices.call):
        return None
    if choice.kind in ("call", "ca") and legal.call:
        return Call(seat)
    if choice.kind in ("check", "f", "ca") and legal.check:
        return Check(seat)
    return Fold(seat) if choice.kind == "f" and legal.fold else None
