"""Names that look alike, of which only one may be at a table."""

import unicodedata


def alike(name: str) -> str:
    r"""Return what is the same for names that look alike: in small letters, and in one of Unicode's forms of each.

    >>> alike("Zoe\u0308") == alike("ZO\xcb")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
