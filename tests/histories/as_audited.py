"""What is written of hands, as an audit finds it."""

from pathlib import Path

from pokersvc.histories.checking import CheckedHand, check


def audited(text: str, file: Path) -> CheckedHand:
    """Return what is written as it is found by the audit, in which nothing is wrong."""
    file.write_text(text, "utf-8")
    (one,) = check([file])
    assert isinstance(one, CheckedHand), text
    assert not one.contradictions, f"{one.contradictions[0]}\n{text}"
    return one
