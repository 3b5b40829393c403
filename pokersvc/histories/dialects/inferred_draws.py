"""Infers the discarded and drawn cards from the hands before and after a draw, if the file has only these."""

from pokersvc.histories.statements import Cards, Discarded, Drew


def changed(line: int, name: str, count: int, old: Cards | None, new: Cards | None) -> tuple[Discarded, Drew | None]:
    """Return the statements of a player's discard and draw, inferred from what is known of the hands before and after.

    If the two hands differ by more or fewer cards than were changed, the new hand is reported as it is, for the rules
    to judge: a card may come back after a reshuffle.
    """
    if new is None or old is None:
        return Discarded(line=line, name=name, cards=None, count=count), _drew(line, name, None, count, new)
    gone, come = tuple(card for card in old if card not in new), tuple(card for card in new if card not in old)
    if len(gone) != count or len(come) != count:
        return Discarded(line=line, name=name, cards=None, count=count), _drew(line, name, None, count, new)
    return Discarded(line=line, name=name, cards=gone, count=count), _drew(line, name, come, count, new)


def _drew(line: int, name: str, cards: Cards | None, count: int, hand: Cards | None) -> Drew | None:
    if count == 0 and hand is None:
        return None
    return Drew(line=line, name=name, cards=cards, count=count, hand=hand)
