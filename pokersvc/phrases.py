"""Phrases that sentences everywhere are made with."""


def counted(number: object, what: str) -> str:
    """Write how many there are of something; what a damaged database has in place of a number is written as it is.

    >>> counted(1, "game"), counted(1200, "event"), counted("many", "event")
    ('1 game', '1,200 events', 'many events')
    """
    said = f"{number:,}" if isinstance(number, int) else str(number)
    return f"{said} {what}{'' if number == 1 else 's'}"
