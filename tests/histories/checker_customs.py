"""The independent checker's facts about each format, from docs/histories.md: what it always and never states."""

from typing import Final, NamedTuple


class Customs(NamedTuple):
    """The conventions of a format."""

    together: bool | None = False
    """Whether all discard before anybody is dealt cards; None if the actions show the order."""
    returns: bool = False
    """Whether an uncalled bet has a line."""
    shows: bool = False
    """Whether everybody in a showdown has a line before a pot is paid."""
    all_ins: bool = True
    """Whether a bet that is not marked as all-in leaves the player chips."""
    numbered: bool = False
    """Whether seat numbers never exceed the number of seats."""
    ordered: bool = True
    """Whether the small blind's line precedes the big blind's."""
    reshuffles: bool = False
    """Whether a reshuffle has a line."""
    main_rake: bool = False
    """Whether all rake is of the main pot."""
    winners: bool = False
    """Whether only the winners' hands tell who wins which of several pots."""
    pays: bool = True
    """Whether payments have lines."""


CUSTOMS: Final = {
    "pokerstars": Customs(returns=True, numbered=True, shows=True, reshuffles=True, main_rake=True),
    "full-tilt": Customs(together=True, returns=True, shows=True, reshuffles=True, main_rake=True),
    "ongame": Customs(),
    "boss": Customs(all_ins=False, ordered=False, winners=True),
    "merge": Customs(all_ins=False),
    "phh": Customs(together=None, all_ins=False, pays=False),
    "ohh": Customs(together=None),
}
