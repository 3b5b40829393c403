"""The forms that the page's verifier holds events to are those of the service."""

from pathlib import Path

from tests.web.forms import FORMS, forms, plain


def test_the_forms_of_the_page_are_those_of_the_service() -> None:
    made = plain(Path(FORMS).read_text(encoding="ascii"))
    assert made == plain(forms()), "python -m tests.web.forms makes them"
