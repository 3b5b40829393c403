"""What a site always writes and a text leaves out. It contradicts nothing, so it is a note: mostly the text was cut."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from pokersvc.histories.dialects.grammar import Line
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.statements import Cards, Discarded, Drew, NotShown, Summed, Totals
from pokersvc.text import counted, listed

Note: TypeAlias = tuple[int, str]
"""Line and sentence."""
_HAND: Final = 5
_HIGH: Final = " high"


def of_the_summary(
    hand: ToldHand, last: str, words: Callable[[Cards], str], *, mucks_named: bool, ended: bool
) -> Iterator[Note]:
    """Yield what a summary lacks that has a line for the pots and one for each player who was dealt in.

    ``last`` is the last line of the text, which has an end (``ended``) or may be cut. ``words`` is what the site calls
    a hand, also one that is mucked (``mucks_named``).
    """
    summed = [one for one in hand.told if isinstance(one, Summed)]
    of_whom = {one.name for one in summed}
    missing = [] if any(isinstance(one, Totals) for one in hand.told) else ["the pots"]
    missing += [player.name for player in hand.dealt_in() if player.name not in of_whom]
    if missing:
        yield hand.last_line, f"The summary says nothing of {listed(missing)}: the text may be cut after this line."
    elif summed[-1].line == hand.last_line and _stops_short(summed[-1], hand, last, words, mucks_named, ended):
        yield hand.last_line, "This line lacks what the site writes at its end: the text may be cut here."


def _stops_short(
    one: Summed, hand: ToldHand, last: str, words: Callable[[Cards], str], mucks_named: bool, ended: bool
) -> bool:
    """Tell whether a player's line, the last of the text, may go on as the site writes it."""
    if one.called is not None or one.outcome in ("showed", "lost"):
        return _name_is_cut(one, words)
    if ended:
        return False
    return _muck_is_cut(one, hand, last) if mucks_named else one.outcome == "mucked" and not one.cards


def _name_is_cut(one: Summed, words: Callable[[Cards], str]) -> bool:
    """Tell whether a hand has no name in a summary, or a name that is cut."""
    if one.cards is None or len({*one.cards}) != _HAND:
        return False
    name, whole = one.called or "", words(one.cards)
    if whole.endswith(_HIGH) and not name.endswith(_HIGH):  # Full Tilt may name two cards: Ace King high
        return True
    return name != whole and whole.startswith(name)


def _muck_is_cut(one: Summed, hand: ToldHand, last: str) -> bool:
    """Tell whether a hand that is mucked, by a loser or a winner whom nobody called, is not named so or not named."""
    silent = any(isinstance(told, NotShown) and told.name == one.name for told in hand.told)
    return one.outcome == "mucked" or (silent and not last.endswith(", mucked"))


def of_the_draw(hand: ToldHand, lines: Iterable[Line], begins: str) -> Iterator[Note]:
    """Yield that no line begins the draw, and who has discarded cards and is told none, where a site tells both."""
    discards = [one for one in hand.told if isinstance(one, Discarded)]
    if discards and not any(text.startswith(begins) for _, text in lines):
        yield discards[0].line, f"No line {begins} stands before this one, as the site writes."
    drew = {one.name for one in hand.told if isinstance(one, Drew)}
    for one in discards:
        if one.count and one.name not in drew:
            yield one.line, f"{one.name} discards {counted(one.count, 'card')}, and no line deals others."
