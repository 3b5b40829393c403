"""The dialects that are read, one module per format."""

from pokersvc.histories.dialect import Dialect
from pokersvc.histories.dialects.boss import Boss
from pokersvc.histories.dialects.full_tilt import FullTilt
from pokersvc.histories.dialects.merge import Merge
from pokersvc.histories.dialects.ohh import Ohh
from pokersvc.histories.dialects.ongame import OnGame
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.dialects.pokerstars import PokerStars

DIALECTS: tuple[Dialect, ...] = (PokerStars(), FullTilt(), OnGame(), Boss(), Merge(), Phh(), Ohh())
"""All dialects, in the order in which they are tried; the first one that recognises a text reads it."""
