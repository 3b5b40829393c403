"""Notes on text that a site always writes but a hand lacks, usually because it was cut; they are not errors."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from pokersvc.histories.dialects.grammar import Line
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import Cards, Discarded, Drew, NotShown, Summed, Totals
from pokersvc.text import counted, listed

Note: TypeAlias = tuple[int, str]
"""A line number, and a sentence about that line."""
_HAND: Final = 5
_HIGH: Final = " high"


def of_the_summary(
    hand: HandHistory, last: str, words: Callable[[Cards], str], *, mucks_named: bool, ended: bool
) -> Iterator[Note]:
    """Yield notes on a summary without a line for the pots or for a player dealt in, or with a last line that is cut.

    ``last`` is the last line of the text, which may be cut unless it has a line end (``ended``). ``words`` returns the
    site's name of a hand; ``mucks_named`` says that the site names mucked hands, too.
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
    one: Summed, hand: HandHistory, last: str, words: Callable[[Cards], str], mucks_named: bool, ended: bool
) -> bool:
    """Return whether the last line, a player's line of the summary, lacks words that the site writes at its end."""
    if one.called is not None or one.outcome in ("showed", "lost"):
        return _name_is_cut(one, words)
    if ended:
        return False
    return _muck_is_cut(one, hand, last) if mucks_named else one.outcome == "mucked" and not one.cards


def _name_is_cut(one: Summed, words: Callable[[Cards], str]) -> bool:
    """Return whether the name of a hand in a summary is missing or cut."""
    if one.cards is None or len({*one.cards}) != _HAND:
        return False
    name, whole = one.called or "", words(one.cards)
    if whole.endswith(_HIGH) and not name.endswith(_HIGH):  # Full Tilt may name two cards: Ace King high
        return True
    return name != whole and whole.startswith(name)


def _muck_is_cut(one: Summed, hand: HandHistory, last: str) -> bool:
    """Return whether a summary line lacks its last words: the name of a mucked hand, or ``mucked`` after a winner."""
    silent = any(isinstance(told, NotShown) and told.name == one.name for told in hand.told)
    return one.outcome == "mucked" or (silent and not last.endswith(", mucked"))


def of_the_draw(hand: HandHistory, lines: Iterable[Line], begins: str) -> Iterator[Note]:
    """Yield notes on missing lines of the draw: the line that begins it, or a line that deals cards for a discard."""
    discards = [one for one in hand.told if isinstance(one, Discarded)]
    if discards and not any(text.startswith(begins) for _, text in lines):
        yield discards[0].line, f"No line {begins} stands before this one, as the site writes."
    drew = {one.name for one in hand.told if isinstance(one, Drew)}
    for one in discards:
        if one.count and one.name not in drew:
            yield one.line, f"{one.name} discards {counted(one.count, 'card')}, and no line deals others."
