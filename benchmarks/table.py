"""Results as Markdown tables, and ratios with their requirements."""

from collections.abc import Iterable, Sequence


def markdown(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *notes: str) -> str:
    """Return a titled table with notes below; its first column is text, the others are numbers."""
    rule = ["---", *["---:"] * (len(columns) - 1)]
    lines = ["| " + " | ".join(cells) + " |" for cells in (columns, rule, *rows)]
    return "\n".join([f"## {title}", "", *lines, *(line for note in notes for line in ("", note))])


def verdict(measured: float, required: float) -> str:
    """Return a ratio with the required one.

    >>> verdict(9.263, 8)
    '9.26 × (required: 8 ×)'
    >>> verdict(0.3941, 0.4)
    '0.394 × (required: 0.4 ×, missed)'
    >>> verdict(121_764, 30_000)
    '122,000 × (required: 30,000 ×)'
    """
    missed = "" if measured >= required else ", missed"
    return f"{float(f'{measured:.3g}'):,g} × (required: {required:,g} ×{missed})"
