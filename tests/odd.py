"""Odd wordings, each with the common word: one list for code, help, docs and the changelog."""

import re
from typing import Final

ODD: Final = {
    r"\bis no answer here\b|\bpossible are\b": "I don't understand ... You can: ...",
    r"\bWinner (is|are)\b": "NAME wins with ...",
    r"\b[Gg]o on with (it|a game)\b|\bgone on with\b|\bstart it again to go on\b": "resume, continue",
    r"\bgo(es)? on behind\b|\bfound behind\b": "after",
    r"\b[Ww]here nobody says\b": "by default",
    r"\b([Pp]layers?|[Hh]ouses?|[Ff]iles?|rules) of (one's|your) own\b": "custom",
    r"\bmade again from the events\b": "rebuilt",
    r"\bwill not do\b": "cannot be, is wrong",
    r"\bit has to be\b": "it must be",
    r"\bhang together\b": "are correlated",
    r"\bin the mean\b": "on average",
    r"\bnought\b": "zero",
    r"\b[Ww]hose eyes\b": "point of view",
    r"\b[Ww]hat to make large\b": "what to maximise",
    r"\bmaximize|\banalyze\b|\brecognize": "British spelling, as in the names of commands and options",
    r"\bnobody can foresee\b": "predict",
    r"\b(laid|lays?|lies?|lying) open\b": "shown",
    r"\bhands are opened\b": "Showdown",
    r"\bleast bet\b": "minimum bet",
    r"\bon turn\b": "to act",
    r"\bbeginning of (an id|one)\b|\bwrite more of the id\b": "a unique prefix of a game ID",
    r"\bmistakes? in (the code|this program)\b": "bug in pokersvc",
    r"\b(copy|backup) (of it )?from before\b": "restore a backup",
    r"\boverwrites nothing\b": "never overwrites a file",
    r"\bis there already\b": "already exists",
    r"\b(is|was|are) taken as it is\b|\b[Tt]ake (it|the database) as it is\b": "accept",
    r"\bbring (it|the database) to\b|\bthe newest schema\b": "migrate",
    r"\bcan change no event\b|\bchange none\b": "cannot change events",
    r"\bknows? no roles\b": "has no roles",
    r"\bis whole\.?$|\bwhether it is whole\b|\bchain is whole\b": "intact",
    r"\bwhole or not at all\b": "complete, or not there at all",
    r"\bmay not put right\b": "cannot repair",
    r"\bsomebody acted meanwhile\b": "someone else acted",
    r"\bOnly programs\b|\bonly programs\b|\bagainst programs\b": "bots",
    r"\bprograms? that (thinks?|draws?|plays?)\b": "bot",
    r"\bof which kind the others are\b": "the kinds of the others",
    r"^says nothing (about|without)\b": "does not apply to, needs",
    r"\bkept, go on\b|\bis kept; go on\b": "saved, resume",
    r"\ba line a (seat|round|side|game)\b": "one line per ...",
    r"beside a checkpoint": "with a checkpoint",
    r"of one's own": "custom",
    r"\bno walls\b": "not sandboxed",
    r"in some millionths of a second": "in microseconds",
    r"any beginning of": "a unique prefix of",
    r"where nobody says": "by default",
    r"\b(is|are) told of\b": "shown",
    r"is worth as much as": "is only as trustworthy as",
    r"\banew\b": "again, rebuilt, recomputed, regenerated",
    r"\bone's own\b": "custom, your own",
    r"\bmistakes? in the (program|code)\b|\bmistake in a game's code\b": "bug in pokersvc, in a game",
    r"(?<![Tt]here )\bis no (action|answer|choice|instance|seat|number|export|checkpoint|proof|text)\b": "is not a ...",
    r"\bhas to be\b": "must be",
    r"\blooked through\b": "searched",
    r"\bin some milli|\bin some micro": "in milliseconds",
    r"\b[Ww]hat came out\b": "the result",
    r"\bcut off behind\b": "cut off after",
    r"\bto be had\b": "available",
}
"""Pattern → the common word."""
ANY: Final = re.compile(rf"\b(?:{'|'.join(ODD)})")  # each begins at a word: to look for that first is far quicker


def found_in(text: str) -> list[str]:
    """Return the odd wordings in a text, each with the common word."""
    if ANY.search(text) is None:
        return []
    return [f"{found[0]!r}: rather {rather}" for odd, rather in ODD.items() for found in re.finditer(odd, text)]
