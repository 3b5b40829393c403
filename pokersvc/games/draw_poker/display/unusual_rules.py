"""Choices that a person would expect to be legal but are not, explained before they try."""

from pokersvc.games.draw_poker.display.telling import amount_of
from pokersvc.games.draw_poker.view import DrawPokerView


def not_as_expected(view: DrawPokerView) -> str | None:
    """Return why the viewer cannot now make a choice that is legal at most tables; None if nothing is unusual."""
    if view.to_act is None or view.to_act != view.viewer or view.stage not in ("first betting", "final betting"):
        return None
    rules, one = view.rules.betting, view.seat(view.to_act)
    if view.price == 0:
        return None if may_check(view) else f"You cannot check: {opener_must(view)}."
    if view.price > one.put and rules.raises == "none":
        return "You cannot raise: in this house a bet is called or not, never raised."
    return None


def may_check(view: DrawPokerView) -> bool:
    """Return whether a seat that faces no bet may check."""
    return view.stage == "final betting" or view.rules.betting.check == "always"


def opener_must(view: DrawPokerView) -> str:
    """Return what the opener must do if nobody may check."""
    rules = view.rules.betting
    least = amount_of(rules.minimum, view.table)
    amount = least if rules.maximum == rules.minimum else f"{least} or more"
    return f"in this house the opener bets {amount}{' or folds' if rules.fold_free else ''}"
