"""Hands as sites and programs may write them, which the samples do not have, and doctored ones, of many tests."""

from collections.abc import Iterable, Iterator
from typing import Final

from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.reading import dialect_of

from . import test_adversary as adversary
from . import test_adversary_formats as formats
from .doctor import FOLDER
from .edits import sample_hands
from .test_as_boss_writes import BOSS_HAND
from .test_as_full_tilt_writes import ANTES, HEADS_UP
from .test_as_merge_writes import MERGE_HAND, SHORT_BLIND, VERSION
from .test_as_ongame_writes import EQUAL_BLINDS
from .test_as_sites_write import FIVE_BETS
from .test_exports_audited import MOVED_TO_THE_TABLE, ODD_HANDS, SEATED_AND_AWAY
from .test_following import ABSENT, ABSENT_AT_FULL_TILT, CHANGES, SHORT_BIG_BLIND, SHORT_STRADDLE, THE_HAND
from .test_ohh import DEAD_ALONE, LAST_IN
from .test_phh import SHORT_ANTE
from .test_phh_plain import HAND
from .test_text import THREE_POTS

_SMALL: Final = """\
variant = "{variant}"
antes = {antes}
blinds_or_straddles = {blinds}
{more}
starting_stacks = {stacks}
actions = [
  "d dh p1 AsAhKc7d2s", "d dh p2 KdKh9s8s4s", {actions}
]
"""


def _small(
    actions: str = '"p2 cc", "p1 cc", "p1 sd", "p2 sd", "p1 cc", "p2 cc", "p1 sm AsAhKc7d2s", "p2 sm KdKh9s8s4s"',
    *,
    variant: str = "N5CD",
    antes: str = "[0, 0]",
    blinds: str = "[1, 2]",
    more: str = "min_bet = 2",
    stacks: str = "[50, 50]",
) -> str:
    """Return a PHH hand of two players."""
    return _SMALL.format(variant=variant, antes=antes, blinds=blinds, more=more, stacks=stacks, actions=actions)


_CHECKED: Final = '"p1 cc", "p2 cc", "p1 sd", "p2 sd", "p1 cc", "p2 cc", "p1 sm AsAhKc7d2s", "p2 sm KdKh9s8s4s"'

TEXTS: Final = {
    **{f"PokerStars, a line of {length}": f"{THE_HAND}\n{'y' * length}\n" for length in (79, 80, 81)},
    "PHH, two players": _small(),
    "PHH, no blinds": _small(_CHECKED, blinds="[0, 0]"),
    "PHH, nothing is put in": _small(_CHECKED, blinds="[0, 0]", more="_x = 1"),
    "PHH, antes alone": _small(_CHECKED, blinds="[0, 0]", antes="[3, 3]", more="_x = 1"),
    "PHH, one player": _small("", antes="[0]", blinds="[0]", stacks="[50]").replace('"d dh p2 KdKh9s8s4s", ', ""),
    "PHH, the least blinds": _small(blinds="[1, 1]", more="min_bet = 1"),
    "PHH, blinds the other way round": _small(blinds="[2, 1]", more="min_bet = 1"),
    "PHH, blinds that the house does not have": _small(blinds="[1, 2]", more="min_bet = 2\n_blinds = [2, 2]"),
    "PHH, a blind more": _small(blinds="[1, 2]", more="min_bet = 2\n_blinds = [1, 2, 3]"),
    "PHH, stacks of a blind": _small(stacks="[2, 1]"),
    "PHH, stacks of nothing": _small(stacks="[0, 50]"),
    "PHH, the largest stacks": _small(stacks="[999999999999999, 1000000000]"),
    "PHH, a stack too large": _small(stacks="[1000000000000000, 50]"),
    "PHH, more than is counted": _small(stacks="[1000000001, 50]"),
    "PHH, a fixed limit": _small(variant="F5CD", more="small_bet = 2\nbig_bet = 4"),
    "PHH, a second bet that is less": _small(variant="F5CD", more="small_bet = 4\nbig_bet = 2"),
    "PHH, a first bet that is no blind": _small(variant="F5CD", more="small_bet = 3\nbig_bet = 6"),
    "PHH, a pot limit": _small('"p2 cbr 6", "p1 cc", "p1 sd AhKc", "d dh p1 TdTc", "p2 sd"', variant="P5CD"),
    "PHH, more than the pot": _small('"p2 cbr 7", "p1 cc"', variant="P5CD"),
    "PHH, an all-in": _small('"p2 cbr 50", "p1 cc", "p1 sd As", "d dh p1 Td", "p2 sd", "p1 sm TdAhKc7d2s"'),
    "PHH, a bet that nobody calls": _small('"p2 cbr 4", "p1 f"'),
    "PHH, trimmed antes": _small(antes="[1, 2]", more="min_bet = 2\nante_trimming_status = true"),
    "PHH, more dead than posted": _small(antes="[1, 1]", more="min_bet = 2\n_dead = [2, 0]"),
    "PHH, dead money": _small(antes="[1, 0]", more="min_bet = 2\n_dead = [1, 0]"),
    "Boss": BOSS_HAND.replace("{backs}", '<CARD LINK="b"></CARD>' * 5),
    "Full Tilt, antes": ANTES,
    "Full Tilt, two players": HEADS_UP,
    "Full Tilt, five bets": FIVE_BETS,
    "Full Tilt, three pots": THREE_POTS,
    "Full Tilt, absent": ABSENT_AT_FULL_TILT,
    "Merge": MERGE_HAND,
    "Merge, versions": VERSION,
    "Merge, a short blind": SHORT_BLIND.format(main=100, side=600),
    "OnGame, equal blinds": EQUAL_BLINDS,
    "PokerStars, absent": ABSENT,
    "PokerStars, seated and away": SEATED_AND_AWAY,
    "PokerStars, moved": MOVED_TO_THE_TABLE,
    "PokerStars, last in": LAST_IN,
    "Full Tilt, dead money alone": DEAD_ALONE,
    "PHH, plain": HAND,
    "PHH, a short ante": SHORT_ANTE,
    "PHH, a short big blind": SHORT_BIG_BLIND,
    "PHH, a short straddle": SHORT_STRADDLE,
    **{f"odd, {name}": text for name, text in ODD_HANDS.items()},
    **{f"PHH, {path.stem}": path.read_text("utf-8") for path in sorted(FOLDER.glob("*.phh"))},
}


def odd_hands() -> Iterator[tuple[str, Dialect, Block]]:
    """Yield the hands of these texts, each with its name."""
    for name, text in TEXTS.items():
        dialect = dialect_of(text)
        assert dialect is not None, name
        for block in dialect.blocks(text.splitlines(keepends=True)):
            yield name, dialect, block


def doctored_hands() -> Iterator[tuple[str, Dialect, Block]]:
    """Yield the samples' hands with other words in them, as tests name these changes."""
    blocks = {hand.number: (dialect, block) for dialect, block, hand in sample_hands()}
    for module in (adversary, formats):
        for table in (module.FOUND, module.UNREADABLE, module.RIGHT):
            for name, (number, *rest) in table.items():
                dialect, block = blocks[number]
                yield name, dialect, changed(block, [(rest[0], rest[1])] if isinstance(rest[0], str) else rest[0])
    (dialect, block) = next((dialect, block) for dialect, block in blocks.values() if block.text == THE_HAND.strip())
    for name, pair in CHANGES.items():
        yield name, dialect, changed(block, [pair])


def changed(block: Block, pairs: Iterable[tuple[str, str]]) -> Block:
    """Return a hand with words replaced, in its text or in the rest of its file."""
    for old, new in pairs:
        block = block._replace(text=block.text.replace(old, new), context=block.context.replace(old, new))
    return block
