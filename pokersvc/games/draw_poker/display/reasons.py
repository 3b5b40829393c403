"""The reasons why a typed choice is not possible now: the rules of the house, or a lack of chips."""

import re
from typing import Final, NamedTuple

from pokersvc.betting.choices import either
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.display.cash_words import between_rounds_only
from pokersvc.games.draw_poker.display.shortcuts import ALL_IN, all_in_or_none
from pokersvc.games.draw_poker.display.telling import amount_of
from pokersvc.games.draw_poker.display.unusual_rules import may_check, opener_must
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.text import counted

_MEANT: Final = {
    "check": "check", "k": "check", "hold": "check", "c": "call", "call": "call", "bet": "bet", "b": "bet",
    "raise": "raise", "r": "raise", "fold": "fold", "f": "fold",
}  # fmt: skip
_POSITIONS: Final = re.compile(r"[\[(]?[1-5](?:[\s,]+[1-5])+[\])]?|(?:discard|draw|keep|pat)\b.*")


class _Meant(NamedTuple):
    """The choice that somebody typed."""

    what: str
    amount: int | None = None


def why_not(text: str, view: DrawPokerView, legal: LegalActions) -> str | None:
    """Return the rule that forbids the typed choice now; None if no rule does, and for any other text."""
    if (later := between_rounds_only(text, view)) is not None:
        return later
    said = " ".join(text.lower().split())
    meant = _meant(said, legal)
    if legal.discard is not None:
        return _not_in_draw(said, meant, view, legal.discard)
    if _POSITIONS.fullmatch(said):
        over = view.stage == "final betting"
        return "The draw is over: no more cards are changed." if over else "The draw comes after this betting."
    if meant is None or view.to_act is None:
        return None
    match meant.what:
        case "check":
            return None if legal.check else _no_check(view, legal)
        case "call":
            return None if legal.call or (legal.check and said == "c") else _no_call(view, legal)
        case "bet":
            return _no_bet(meant.amount, view, legal)
        case "raise":
            return _no_raise(meant.amount, view, legal)
        case "fold":
            return None if legal.fold else "You cannot fold: in this house a hand that costs nothing is not folded."
        case _:
            return None if all_in_or_none(view.seat(view.to_act), legal) else _no_all_in(view, legal)


def _meant(said: str, legal: LegalActions) -> _Meant | None:
    """Return the choice that a text names: an amount alone is a bet or a raise to it, and a bet of 0 is a check."""
    if said in ALL_IN:
        return _Meant("all in")
    word, _, rest = said.partition(" ")
    rest = rest.removeprefix("to ").strip()
    if word.lstrip("+-").isdecimal() and not rest:
        word, rest = ("bet" if legal.raise_to is None else "raise"), word
    what = _MEANT.get(word)
    if what is None or (rest and not re.fullmatch(r"[+-]?[0-9]{1,40}", rest)):
        return None
    amount = int(rest) if rest else None
    if what == "bet" and amount == 0:
        return _Meant("check")
    return _Meant(what, amount)


# In the draw.


def _not_in_draw(said: str, meant: _Meant | None, view: DrawPokerView, most: int) -> str | None:
    named = [word for word in re.split(r"[\s,()\[\]]+", said) if word]
    if len(named) > most and all(re.fullmatch(r"[1-5]|(10|[2-9tjqka])[cdhs♣♦♥♠]", word) for word in named):
        return f"You may discard at most {counted(most, 'card')}{_limited(view, most)}."
    if meant is None or said in ("k", *map(str, range(1, 6))):
        return None
    if said.isdecimal():
        return None
    return "This is the draw, so nobody bets or folds: choose cards to discard, or press Enter to keep all."


def _limited(view: DrawPokerView, most: int) -> str:
    if most == view.rules.discards:
        return " in this house"
    return ": there are no more to be dealt"


# In the betting.


def _say(amount: int, view: DrawPokerView) -> str:
    return amount_of(amount, view.table)


def _instead(legal: LegalActions) -> str:
    return f"you can {either(legal.said())}"


def _no_check(view: DrawPokerView, legal: LegalActions) -> str:
    if view.price == 0 and not may_check(view):
        return f"You cannot check: {opener_must(view)}."
    return f"You cannot check: there is a bet of {_say(view.price, view)}; {_instead(legal)}."


def _no_call(view: DrawPokerView, legal: LegalActions) -> str:
    if view.price == 0:
        return f"You cannot call: there is no bet yet; {_instead(legal)}."
    assert view.to_act is not None
    one = view.seat(view.to_act)
    if one.put >= view.price:
        return f"You cannot call: you have put in as much as the bet; {_instead(legal)}."
    return f"You cannot call: that takes {_say(view.price - one.put, view)}, and you have {_say(one.stack, view)}."


def _no_bet(amount: int | None, view: DrawPokerView, legal: LegalActions) -> str | None:
    assert view.to_act is not None
    one = view.seat(view.to_act)
    if legal.bet is None:
        if view.price:
            return f"You cannot bet: there is a bet of {_say(view.price, view)} already; {_instead(legal)}."
        return (
            f"You cannot bet: that takes {_say(_least_bet(view), view)} or more, and you have {_say(one.stack, view)}."
        )
    if amount is None or legal.bet[0] <= amount <= legal.bet[1]:
        return None
    return f"You cannot bet {_say(amount, view)}: {_bounds(amount, legal.bet, one.stack, 'bet', view)}."


def _least_bet(view: DrawPokerView) -> int:
    rules = view.rules.betting
    final = view.stage == "final betting" and rules.final_minimum is not None
    return (rules.final_minimum or 0) if final else rules.minimum


def _bounds(amount: int, limits: tuple[int, int], reach: int, what: str, view: DrawPokerView) -> str:
    """Return the limit that an amount exceeds or falls below, and where that limit comes from."""
    least, most = limits
    if least == most and most < reach:
        return f"in this house a {what} is {'to ' * (what == 'raise')}{_say(most, view)} now"
    if amount < least:
        return f"the least is {_say(least, view)}"
    if most == reach:
        return (
            f"you have no more than {_say(most, view)}" if what == "bet" else f"your chips reach to {_say(most, view)}"
        )
    by = " by the size of the pot" if view.rules.betting.raises == "pot_limit" else " in this house"
    return f"the most is {_say(most, view)}{by}"


def _no_raise(amount: int | None, view: DrawPokerView, legal: LegalActions) -> str | None:
    assert view.to_act is not None
    one = view.seat(view.to_act)
    if legal.raise_to is not None:
        if amount is None or legal.raise_to[0] <= amount <= legal.raise_to[1]:
            return None
        limit = _bounds(amount, legal.raise_to, one.put + one.stack, "raise", view)
        return f"You cannot raise to {_say(amount, view)}: {limit}."
    if view.price == 0:
        return f"You cannot raise: there is no bet yet; {_instead(legal)}."
    return f"You cannot raise: {_no_raise_at_all(view)}; {_instead(legal)}."


def _no_raise_at_all(view: DrawPokerView) -> str:
    assert view.to_act is not None
    rules, one, price = view.rules.betting, view.seat(view.to_act), view.price
    if rules.raises == "none":
        return "in this house a bet is called or not, never raised"
    reach = one.put + one.stack
    if rules.raises == "double":
        if 2 * price > (rules.cap or 0):
            return f"a raise doubles the bet, and in this house none goes above {_say(rules.cap or 0, view)}"
        return f"a raise doubles the bet to {_say(2 * price, view)}, and you reach {_say(reach, view)}"
    if reach <= price:
        return "your chips do not go beyond the bet"
    others = [seat for seat in view.seats if seat.cards and seat.standing == "in" and seat.seat != one.seat]
    if not any(not seat.all_in and seat.put + seat.stack > price for seat in others):
        return "nobody else has chips for more" if len(others) > 1 else "the other player has no chips for more"
    if _has_acted(view) and not _risen_enough(view, price - one.put):
        return "you have acted, and what came since was less than a full raise"
    return f"in this house a round of betting has {counted(rules.most_bets or 0, 'bet')}, raises among them"


def _risen_enough(view: DrawPokerView, risen: int) -> bool:
    """Return whether ``risen``, the rise of the price, is at least half a bet; False unless the limit is fixed."""
    return view.rules.betting.raises == "fixed_limit" and 2 * risen >= _least_bet(view)


def _has_acted(view: DrawPokerView) -> bool:
    """Return whether the player to act has already acted in this round of betting."""
    acted = False
    for event in view.record.round:
        if isinstance(
            event, events.CardsDiscarded | events.CardsDrawn | earlier_events.CardsDrawn | events.HandsOpened
        ):
            acted = False
        elif isinstance(event, events.Checked | events.Bet | events.Called | events.Raised):
            acted = acted or event.seat == view.to_act
    return acted


def _no_all_in(view: DrawPokerView, legal: LegalActions) -> str:
    assert view.to_act is not None
    stack = view.seat(view.to_act).stack
    limits = legal.bet or legal.raise_to
    if limits is None:
        return f"You cannot go all in: {_instead(legal)}."
    what = "bet" if legal.bet is not None else "raise to"
    return f"You cannot go all in with {_say(stack, view)}: the most you may {what} now is {_say(limits[1], view)}."
