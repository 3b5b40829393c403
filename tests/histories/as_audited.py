"""Written hands, as the audit of files reads them."""

from pathlib import Path

from pokersvc.histories.checking import CheckedHand, check


def audited(text: str, file: Path) -> CheckedHand:
    """Audit a written text; check that there are no findings, and return the result."""
    file.write_text(text, "utf-8")
    (one,) = check([file])
    assert isinstance(one, CheckedHand), text
    assert not one.contradictions, f"{one.contradictions[0]}\n{text}"
    return one
