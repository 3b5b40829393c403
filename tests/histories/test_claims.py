"""Each claim of every format, changed once: it is found where an independent checker finds it, and at its line."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.following.walk import follow

from .checker import contradiction
from .claims import Changed, changed_claims
from .edits import good_hands, sample_hands

DIALECTS = ("pokerstars", "full-tilt", "ongame", "boss", "merge", "phh", "ohh")
AT_ITS_LINE = {
    f"{kind}.{field}"
    for kind, fields in {
        "PotSoFar": "amount",
        "StatedPot": "amount",
        "Returned": "amount name",
        "Showed": "called",
        "Summed": "called did_not_bet net number outcome position stack won",
        "Totals": "pot pots",
    }.items()
    for field in fields.split()
}
"""Facts stated in full by earlier lines, so that no other line can be the first contradiction."""

LEFT_OUT = "what a file leaves out contradicts nothing"
MERE_ORDER = "payments, and the lines of a summary, may stand in any order"
NOT_SAID = "the format does not say so of everybody, and it changes nothing"
NEVER = {
    "Dealt gone": (LEFT_OUT, DIALECTS),
    "Drew gone": (LEFT_OUT, ("pokerstars", "full-tilt", "ongame", "boss", "merge", "ohh")),
    "Mucked gone": (LEFT_OUT, ("boss", "merge", "ohh")),
    "NotShown gone": (LEFT_OUT, ("pokerstars", "merge")),
    "PotSoFar gone": (LEFT_OUT, ("full-tilt", "boss")),
    "StatedPot gone": (LEFT_OUT, ("ongame", "ohh")),
    "Showed gone": (LEFT_OUT, ("ohh", "phh")),
    "Summed gone": (LEFT_OUT, ("pokerstars", "full-tilt", "ongame", "boss", "phh")),
    "Totals gone": (LEFT_OUT, ("pokerstars", "full-tilt", "ongame", "boss", "phh", "ohh")),
    "Mucked order": (MERE_ORDER, ("boss", "merge", "ohh")),
    "NotShown order": (MERE_ORDER, ("pokerstars", "merge")),
    "Returned order": (MERE_ORDER, ("full-tilt",)),
    "Showed order": (MERE_ORDER, ("merge", "ohh", "phh")),
    "Summed order": (MERE_ORDER, ("pokerstars", "full-tilt", "ongame", "phh")),
    "Totals order": (MERE_ORDER, ("pokerstars", "full-tilt", "ongame", "boss")),
    "Won order": (MERE_ORDER, ("pokerstars", "full-tilt", "ongame", "boss", "merge", "ohh")),
    "Called.all_in": (NOT_SAID, ("boss", "merge")),
    "Posted.all_in": (NOT_SAID, ("boss",)),
    "Raised.all_in": (NOT_SAID, ("boss", "merge")),
    "Hand.big_bet": ("nobody bets after the draw of the samples in a fixed limit", ("full-tilt",)),
    "Hand.size": ("one seat more or less than there are players is still enough", ("merge", "ohh", "ongame")),
    "Seat.number": ("the button is after the same player, and nothing else names a seat", ("ohh",)),
    "Seat.sitting_out": ("an event says that who is away sits out", ("merge",)),
    "Reshuffled doubled": ("any program may have written it, whose deck nobody knows", ("phh", "ohh")),
    "Reshuffled gone": (LEFT_OUT, ("phh", "ohh")),
    "Reshuffled order": ("any program may have written it, whose deck nobody knows", ("phh", "ohh")),
}
"""Facts that cannot be contradicted: the reason, and the formats."""


def found(changed: Changed) -> list[Contradiction]:
    """Return the finding, if the independent checker finds an error too."""
    ours, other = follow(changed.hand, "0" * 64, events=False).contradictions, contradiction(changed.hand)
    who = (changed.claim, changed.hand.number, changed.line, str(other), *map(str, ours))
    assert (other is None) == (not ours), who
    by_stacks = changed.claim == "Summed.stack" and changed.hand.dialect == "phh"  # which say its rake too
    if ours and changed.claim in AT_ITS_LINE and not by_stacks:
        assert ours[0].line == changed.line, who
    return list(ours)


def claims_of(dialect: str) -> Iterator[Changed]:
    for _, _, hand in sample_hands():
        if hand.dialect == dialect:
            yield from changed_claims(hand)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_claim_that_can_contradict_is_found(dialect: str) -> None:
    seen: defaultdict[str, bool] = defaultdict(bool)
    for changed in claims_of(dialect):
        if not seen[changed.claim]:
            seen[changed.claim] = bool(found(changed))
    never = {claim for claim, (_, dialects) in NEVER.items() if dialect in dialects}
    assert {claim for claim, is_found in seen.items() if not is_found} == never


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_independent_checker_agrees_on_every_claim_of_every_hand(dialect: str) -> None:
    count = 0
    for _, _, hand in good_hands():
        if hand.dialect == dialect:
            for changed in changed_claims(hand):
                count += 1
                found(changed)
    assert count > 500
