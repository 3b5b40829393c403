"""What the independent checker knows of each format, from docs/histories.md: what it says unasked, and what never."""

from typing import Final, NamedTuple


class Customs(NamedTuple):
    """How a format tells a hand."""

    together: bool | None = False
    """Whether all discard before anybody is dealt cards; None where the actions say it themselves."""
    returns: bool = False
    """Whether what nobody called has a line."""
    shows: bool = False
    """Whether everybody in a showdown has a line before a pot is paid."""
    all_ins: bool = True
    """Whether what is not said to be the last chip is not."""
    numbered: bool = False
    """Whether no seat has a number above how many there are."""
    ordered: bool = True
    """Whether the small blind is told before the big one."""
    reshuffles: bool = False
    """Whether a new deck has a line."""
    main_rake: bool = False
    """Whether all rake is of the main pot."""
    winners: bool = False
    """Whether of several pots the winners' hands alone say who wins which."""
    pays: bool = True
    """Whether payments are told."""


CUSTOMS: Final = {
    "pokerstars": Customs(returns=True, numbered=True, shows=True, reshuffles=True, main_rake=True),
    "full-tilt": Customs(together=True, returns=True, shows=True, reshuffles=True, main_rake=True),
    "ongame": Customs(),
    "boss": Customs(all_ins=False, ordered=False, winners=True),
    "merge": Customs(all_ins=False),
    "phh": Customs(together=None, all_ins=False, pays=False),
    "ohh": Customs(together=None),
}
