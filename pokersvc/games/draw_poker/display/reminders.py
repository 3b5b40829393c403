"""Reminders for a person's choice: the rules of this house that matter now, and the ranking of hands."""

from textwrap import wrap
from typing import Final

from pokersvc.cards import Hand
from pokersvc.cards.ranking import Category
from pokersvc.cards.unknown import all_known
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.display.stakes_words import say_level
from pokersvc.games.draw_poker.display.telling import amount_of
from pokersvc.games.draw_poker.display.tournament_words import say_entry
from pokersvc.games.draw_poker.display.unusual_rules import opener_must
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.text import counted, listed

_COLUMNS: Final = 60
"""The narrowest terminal that the lines fit."""


def moment(view: DrawPokerView, legal: LegalActions) -> list[str]:
    """Return the rules that matter for the choice, then the ranking of hands, as lines for any terminal."""
    now = _of_draw(view, legal.discard) if legal.discard is not None else _of_betting(view)
    end = [] if view.stage == "first betting" else [_showdown(view.rules)]
    assert view.to_act is not None
    cards = view.seat(view.to_act).cards
    own = Hand(cards).category if len(cards) == 5 and all_known(cards) else None
    return _in_lines([_house(view), " ".join(now), *end, _ranking(own)])


def about(view: DrawPokerView) -> list[str]:
    """Return the rules of the house, then the ranking of hands, as lines for any terminal."""
    rules = view.rules
    betting = [_size(view, first=True), _raises(view), _short(rules)]
    draw = f"Then each player may change up to {counted(rules.discards, 'card')}, and bets once more."
    table = [*_rake(view), *_cash(view), *say_entry(view)]
    return _in_lines([_house(view), " ".join(betting), draw, _showdown(rules), *table, _ranking(None)])


def _cash(view: DrawPokerView) -> list[str]:
    """Return a sentence on what people may do between the rounds of a cash game; empty for other games."""
    if view.table is None or not view.table.cash:
        return []
    wishes = any(seat.at_cash is not None and seat.at_cash.person is not None for seat in view.seats)
    return [_CASH.format(most=view.rules.stack, wishes=_WISHES if wishes else "")]


_CASH: Final = (
    "Cash game: between rounds, `leave` gets up with all your chips, `buy 60` buys more, up to {most} in all, `sit out`"
    " and `sit in` stop and start being dealt hands,{wishes} and `sit down with 100 as Carl` takes a free seat. With"
    " several people at one screen, end with a name: `buy 60 Ann`. Who missed blinds posts them when they come back."
)
_WISHES: Final = (
    " `sit out at blind` and `sit in with blind` wait for the big blind, `top up to 100` buys before each round,"
)
"""Commands that are refused in games of earlier engines, in which people have no numbers."""


def _rake(view: DrawPokerView) -> list[str]:
    """Return the rake in a sentence; empty in a house without rake."""
    rake = view.rules.rake
    if rake is None or not rake.share:
        return []
    first, *others = [_say(cap, view) for cap in rake.caps] or [""]
    most = f", at most {first}" if first else ""
    if others:
        more = [f"{cap} with {players}" for players, cap in enumerate(others, 3)]
        most += f", or {listed([*more[:-1], f'{more[-1]} or more players'], 'or')}"
    no_draw = "; a round that ends before the draw pays nothing" if rake.no_draw_no_rake else ""
    return [f"The house takes {rake.share / 100:g}% of each pot{most}{no_draw}."]


def _in_lines(said: list[str]) -> list[str]:
    return [line for one in said for line in wrap(one, _COLUMNS, subsequent_indent="  ", break_on_hyphens=False)]


def _house(view: DrawPokerView) -> str:
    level = say_level(view)
    return f"House {view.rules.name}: {_forced(view)}" + (f" {level}" if level else "")


def _say(amount: int, view: DrawPokerView) -> str:
    return amount_of(amount, view.table)


def _forced(view: DrawPokerView) -> str:
    """Return the forced bets in words."""
    rules, parts = view.rules, []
    if view.round in view.bomb_pots:
        return f"this round is a bomb pot: everybody antes {_say(view.ante, view)}, and there are no blinds."
    if rules.ante.increase:
        parts.append(f"the ante is {_say(view.ante, view)}, and {_say(rules.ante.increase, view)} more each round")
    elif view.ante:
        parts.append(f"the ante is {_say(view.ante, view)}")
    if rules.blinds is not None:
        parts.append(f"the blinds are {_say(rules.blinds.small, view)} and {_say(rules.blinds.big, view)}")
        if rules.straddle:
            chosen = ", for those who wish to," if view.cash is not None and view.cash.straddle_by_choice else ""
            parts[-1] += f", and the straddle is {_say(rules.straddle, view)}{chosen} with three players or more"
    return (" and ".join(parts) or "nothing is put in before the deal") + "."


# The betting.


def _of_betting(view: DrawPokerView) -> list[str]:
    rules = view.rules
    first = view.stage == "first betting"
    said = [_opener(view), _size(view, first=first), _raises(view), _short(rules)]
    if first:
        said.append(f"Then each player may change up to {counted(rules.discards, 'card')}, and bets once more.")
    return said


def _opener(view: DrawPokerView) -> str:
    rules = view.rules.betting
    who = {
        "first": "The first seat still in opens",
        "random": "Who opens is drawn at random",
        "button": "The first player left of the button opens",
    }[rules.opener]
    if view.stage == "first betting" and view.rules.blinds is not None:
        last = "the straddle" if _straddled(view) else "the big blind"
        who = f"The first player left of {last} begins"
    if view.stage == "first betting" and rules.check == "final":
        return f"{who}: {opener_must(view)}. Nobody may check before the draw."
    may = "may check, which ends the betting" if rules.check_ends else "whoever faces no bet may check"
    return f"{who}; {may}."


def _straddled(view: DrawPokerView) -> bool:
    """Return whether somebody has straddled in this round."""
    return any(isinstance(event, events.Posted) and event.kind == "straddle" for event in view.record.round)


def _size(view: DrawPokerView, *, first: bool) -> str:
    rules = view.rules.betting
    least = rules.minimum if first or rules.final_minimum is None else rules.final_minimum
    if rules.raises == "fixed_limit":
        return f"Fixed limit: bets and raises are {_say(least, view)} {'before' if first else 'after'} the draw."
    if rules.maximum == least:
        return f"A bet is {_say(least, view)}."
    if rules.raises == "pot_limit":
        return f"Pot limit: a bet is {_say(least, view)} or more, up to what is in the pot."
    most = "up to all your chips" if rules.maximum is None else f"up to {_say(rules.maximum, view)}"
    return f"A bet is {_say(least, view)} or more, {most}."


def _raises(view: DrawPokerView) -> str:
    rules = view.rules.betting
    match rules.raises:
        case "none":
            return "A bet is called or not: there are no raises."
        case "double":
            return f"A raise doubles the bet, up to {_say(rules.cap or 0, view)} in a round of betting."
        case "fixed_limit":
            most = f"; at most {counted(rules.most_bets, 'bet')} and raises together" if rules.most_bets else ""
            return f"A raise adds one bet{most}{_UNCAPPED[rules.uncapped]}."
        case "pot_limit":
            return "A raise adds at least as much as the last one, and at most the pot after your call."
        case "no_limit":
            return "A raise adds at least as much as the last one, and at most all your chips."


_UNCAPPED: Final = {
    "never": "",
    "two_dealt_in": ", and no limit where only two are dealt in",
    "two_left": ", and no limit where only two can still bet as a round of betting begins",
}
"""For each value of `Betting.uncapped`, the words for when two players may raise without limit."""


def _short(rules: DrawPokerRules) -> str:
    if rules.all_in:
        return "Who has less than the bet may call with all they have; side pots are made."
    return "Who has less than the bet folds: nobody goes all in for less."


# The draw, and what comes after it.


def _of_draw(view: DrawPokerView, most: int) -> list[str]:
    rules = view.rules
    least = f"You may change up to {counted(most, 'card')}"
    fewer = "" if most == rules.discards else ", as there are no more to be dealt"
    how = "all discard, then all are dealt new cards" if rules.draw == "together" else "new cards come at once"
    shown = " After the draw all hands are shown." if rules.open_hands == "after_draw" else ""
    return [f"{least}{fewer}; {how}.{shown} Then there is one more round of betting."]


def _showdown(rules: DrawPokerRules) -> str:
    shown = {
        "after_draw": "The hands are open when you bet after the draw",
        "showdown": "At the end all hands still in are shown",
        "in_order": "At the end hands are shown in order, and a beaten one may stay hidden",
    }[rules.open_hands]
    odd = "waits for the next round" if rules.remainder == "carry" else "goes to who sits first after the button"
    return f"{shown}. The best one wins; equal ones share, and an odd chip {odd}."


def _ranking(own: Category | None) -> str:
    """Return the ranking of hands, with the category of a person's own hand marked."""
    labels = [f"[{one.label}]" if one is own else one.label for one in reversed(Category)]
    marked = " ([yours])" if own is not None else ""
    return f"From the best{marked}: {', '.join(labels)}."
