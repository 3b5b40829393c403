"""The eight signs that people give each other at a server's table."""

from typing import Final, Literal

from pokersvc.core.words import InvalidAnswer, not_understood

Sign = Literal["hello", "good_luck", "well_played", "thanks", "wow", "oops", "your_turn", "back_soon"]
SIGNS: Final[dict[Sign, str]] = {
    "hello": "👋 Hello",
    "good_luck": "🍀 Good luck",
    "well_played": "👏 Well played",
    "thanks": "🙏 Thanks",
    "wow": "😮 Wow",
    "oops": "😅 Oops",
    "your_turn": "⏰ Your turn",
    "back_soon": "☕ Back soon",
}
"""Sign → the line that it says."""


def sign_of(typed: str) -> Sign:
    """Return the sign that a person names, with spaces or underscores; raise `InvalidAnswer` if there is none.

    >>> sign_of(" Good  luck")
    'good_luck'
    """
    named = "_".join(typed.lower().split())
    for sign in SIGNS:
        if sign == named:
            return sign
    raise InvalidAnswer(f"{not_understood(typed)} The signs are: {', '.join(SIGNS).replace('_', ' ')}.")
