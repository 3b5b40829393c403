"""The bot ``shark``, which models each opponent from the record and answers the model; and weaker levels of it.

What opponents may hold is in `hand_classes`, what they were seen to do in `choices_seen`, how they play in `habits`,
and how a hand may go on in `betting_ahead`.
"""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.reading import levels as levels
    from pokersvc.games.draw_poker.reading import shark as shark
else:
    __getattr__ = imported_when_used(__name__)
