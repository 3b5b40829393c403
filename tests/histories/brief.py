"""A short notation for hands, compared with notes that a person made by reading them."""

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import (
    Away,
    Bet,
    Called,
    Cancelled,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    NotShown,
    Posted,
    PotSoFar,
    Raised,
    Reshuffled,
    Returned,
    Showed,
    StatedPot,
    Statement,
    Summed,
    Totals,
    Won,
)


def brief(hand: HandHistory) -> list[str]:
    """Return the lines of a hand in short notation: its header, its players, and each statement."""
    bets = f", bets {hand.small_bet}/{hand.big_bet}" if hand.small_bet else ""
    stakes = f"{hand.limit} {hand.small_blind}/{hand.big_blind}{bets}{f', ante {hand.ante}' if hand.ante else ''}"
    size = f" of {hand.size}" if hand.size else ""
    when = f"{hand.played.utc:%Y-%m-%d %H:%M:%S}" if hand.played else "?"
    seats = [
        f"{player.line} seat {player.number} {player.name} {player.stack}{' out' if player.sitting_out else ''}"
        for player in hand.players
    ]
    return [
        f"{hand.first_line}-{hand.last_line} {hand.site} {hand.number} {stakes}, {hand.currency.code or 'chips'}",
        f"{hand.table}{size}, button {hand.button}, {when}, hero {hand.hero}",
        *seats,
        *(f"{told.line} {in_brief(told)}" for told in hand.told),
    ]


def _cards(cards: Cards | None, before: str = " ") -> str:
    return "" if cards is None else before + " ".join(card.notation for card in cards)


def _if(value: object, text: str) -> str:
    return text if value is not None and value is not False else ""


def in_brief(told: Statement) -> str:
    """Return one statement in short notation."""
    match told:
        case Posted(name=name, kind=kind, amount=amount, all_in=all_in):
            return f"{name} posts {kind} {amount}{_if(all_in, ' all in')}"
        case Dealt(name=name, cards=cards):
            return f"{name} dealt{_cards(cards)}"
        case Discarded(name=name, count=count, cards=cards, kept=kept):
            return f"{name} discards {count}{_cards(cards or None, ': ')}{_cards(kept, ' keeps ')}"
        case Drew(name=name, count=count, cards=cards, kept=kept, hand=hand):
            return f"{name} draws {count}{_cards(cards, ': ')}{_cards(kept, ' to ')}{_cards(hand, ' and holds ')}"
        case Folded(name=name):
            return f"{name} folds"
        case Checked(name=name):
            return f"{name} checks"
        case Called(name=name, amount=amount, all_in=all_in):
            return f"{name} calls {amount}{_if(all_in, ' all in')}"
        case Bet(name=name, amount=amount, all_in=all_in):
            return f"{name} bets {amount}{_if(all_in, ' all in')}"
        case Raised(name=name, to=to, by=by, adds=adds, all_in=all_in):
            return f"{name} raises to {to}{_if(by, f' by {by}')}{_if(adds, f' adding {adds}')}{_if(all_in, ' all in')}"
        case Returned(name=name, amount=amount):
            return f"{name} takes back {amount}"
        case Showed(name=name, cards=cards, called=called):
            return f"{name} shows{_cards(cards)}{_if(called, f' = {called}')}"
        case Mucked(name=name, cards=cards):
            return f"{name} mucks{_cards(cards)}"
        case NotShown(name=name):
            return f"{name} does not show"
        case Won(name=name, amount=amount, pot=pot, called=called):
            return f"{name} wins {amount} of pot {pot}{_if(called, f' = {called}')}"
        case StatedPot(pot=pot, amount=amount):
            return f"pot {pot} holds {amount}"
        case PotSoFar(amount=amount):
            return f"pots hold {amount}"
        case Totals(pot=pot, rake=rake, pots=pots):
            return f"total {pot}, rake {rake}{_if(pots or None, f', pots {pots}')}"
        case Summed():
            return _summed(told)
        case Away(name=name, what=what):
            return f"{name} {what}"
        case Reshuffled():
            return "reshuffled"
        case Cancelled():
            return "cancelled"
    raise AssertionError(told)


def _summed(told: Summed) -> str:
    return (
        f"sum {told.number} {told.name}{_if(told.position or None, f' {told.position}')}"
        f"{_if(told.outcome, f' {told.outcome}')}{_if(told.did_not_bet, ' unbet')}{_cards(told.cards)}"
        f"{_if(told.won, f' won {told.won}')}{_if(told.net, f' net {told.net}')}"
        f"{_if(told.stack, f' stack {told.stack}')}"
        f"{_if(told.called, f' = {told.called}')}"
    ).replace("'", "")
