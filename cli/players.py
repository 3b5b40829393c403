"""Who plays, as a person names it: ``--player NAME=KIND``."""

from typing import TYPE_CHECKING

from pokersvc.errors import InvalidValue

if TYPE_CHECKING:
    from pokersvc.core.seats import Seat


def seat_named(text: str) -> "Seat":
    """Return the seat that a text names; `InvalidValue` where it names none.

    A name may have an equals sign, and so may the path of a file: where what follows the first sign is a file, that
    one ends the name, else the last one does.

    >>> seat_named("Ann=steady"), seat_named("a=b=steady"), seat_named("Ann=x=y/bot.py:Mine")
    (Seat(kind='steady', name='Ann'), Seat(kind='steady', name='a=b'), Seat(kind='x=y/bot.py:Mine', name='Ann'))
    """
    from pokersvc.core.own import own_file
    from pokersvc.core.seats import Seat

    name, equals, kind = text.partition("=")
    if own_file(kind) is None:
        name, equals, kind = text.rpartition("=")
    if not equals or not kind:
        raise InvalidValue(f"--player {text!r} is not NAME=KIND, such as Bob=steady or Ann=mybot.py:MyPlayer.")
    return Seat(kind, name)
