"""Texts in the formats of sites, checked by the follower and by the independent checker."""

from pathlib import Path

from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects.boss import Boss
from pokersvc.histories.dialects.full_tilt import FullTilt
from pokersvc.histories.dialects.merge import Merge
from pokersvc.histories.dialects.ongame import OnGame
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.following.walk import FollowedHand, follow
from pokersvc.histories.hand import HandHistory

from .checker import contradiction

SAMPLES = Path(__file__).parent / "samples"
STARS, TILT, ONGAME, BOSS, MERGE = PokerStars(), FullTilt(), OnGame(), Boss(), Merge()
TEXTS: dict[str, Dialect] = {"pokerstars": STARS, "full-tilt": TILT, "ongame": ONGAME}


def sample(name: str, number: int = 0) -> Block:
    dialect = TEXTS[name.removesuffix("-more")]
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    return list(dialect.blocks(text.splitlines(keepends=True)))[number]


def changed(name: str, *pairs: tuple[str, str], number: int = 0) -> HandHistory:
    block = sample(name, number)
    text = block.text
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return TEXTS[name.removesuffix("-more")].read(Block(1, text))


def one_of(dialect: Dialect, text: str) -> HandHistory:
    (block,) = dialect.blocks(text.splitlines(keepends=True))
    return dialect.read(block)


def right(hand: HandHistory) -> FollowedHand:
    """Return a hand in which neither the follower nor the checker finds an error."""
    followed = follow(hand, "0" * 64)
    assert followed.contradictions == ()
    assert contradiction(hand) is None
    return followed


def wrong_at(hand: HandHistory) -> int:
    """Return the first wrong line, which both the follower and the checker must find."""
    assert contradiction(hand) is not None
    return follow(hand, "0" * 64).contradictions[0].line
