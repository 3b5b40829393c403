"""The bot ``shark``, which models each opponent from the record and answers the model; and weaker levels of the bot.

`hand_classes` has opponents' possible hands, `choices_seen` their observed choices, `habits` how they play, and
`betting_ahead` the possible continuations of a hand.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.reading import levels as levels
    from pokersvc.games.draw_poker.reading import shark as shark
else:
    __getattr__ = imported_when_used(__name__)
