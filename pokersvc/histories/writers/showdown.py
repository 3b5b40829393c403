"""Finds who shows and who mucks in a showdown, including players whom only a summary mentions."""

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Folded, Mucked, Showed, Summed, Won
from pokersvc.histories.writers.outcome import HandEnd


def showdown_of(hand: HandHistory, end: HandEnd | None) -> list[Showed | Mucked]:
    """Return a show or muck for each player still in, in the text's order and then by seat; empty if only one was left.

    The first one is a show: sites that only list the results may name a player who mucks first. A winner whose cards
    are not stated is left out, because a winning hand is not mucked.
    """
    won = {} if end is None else end.won
    folded = {told.name for told in hand.told if isinstance(told, Folded)}
    live = [player.name for player in hand.dealt_in() if player.name not in folded]
    if len(live) < 2 or not any(isinstance(told, Won | Summed | Showed | Mucked) for told in hand.told):
        return []
    shown = {told.name: told.cards for told in hand.told if isinstance(told, Showed)}
    known = {told.name: told.cards for told in hand.told if isinstance(told, Summed | Mucked) and told.cards}
    told = [one.name for one in hand.told if isinstance(one, Showed | Mucked)]
    mucked = {one.name for one in hand.told if isinstance(one, Mucked)}
    done: list[Showed | Mucked] = []
    for name in dict.fromkeys([*told, *live]):
        cards = shown.get(name, known.get(name))
        if name in shown or (cards and name not in mucked):
            done.append(Showed(line=hand.last_line, name=name, cards=cards or ()))
        elif name in mucked or not won.get(name):
            done.append(Mucked(line=hand.last_line, name=name, cards=cards))
    return sorted(done, key=lambda one: one is not next((one for one in done if isinstance(one, Showed)), None))
