"""Docstrings as Markdown, with the names of the API as links."""

import re

import griffe

from tests.docs.signatures import plain


def first_line(home: griffe.Object, links: dict[str, str]) -> str:
    """Return the first sentence of a docstring."""
    return in_table(linked(text_of(home).split("\n\n")[0].replace("\n", " "), links))


def in_table(text: str) -> str:
    """Escape a text for a table cell."""
    return text.replace("|", "\\|")


def text_of(home: griffe.Object) -> str:
    """Return a docstring without its margin."""
    return "" if home.docstring is None else home.docstring.value.strip()


def markdown(home: griffe.Object, links: dict[str, str]) -> str:
    """Return a docstring as Markdown: examples in fences, and names of this API as links."""
    parts = []
    for part in re.split(r"\n\n+", text_of(home)):
        is_example = part.startswith(">>>")
        parts.append(f"```pycon\n{part}\n```" if is_example else linked(part, links))
    return "\n\n".join(parts)


def linked(text: str, links: dict[str, str]) -> str:
    """Return a text with names of this API as links, and code as Markdown writes it.

    Names of errors are links where they stand without quotes too, as in "Raises UnknownGame".
    """
    text = re.sub(r":\w+:(?=`)", "", text)  # a role of reStructuredText
    text = text.replace("``", "`")
    errors = "|".join(name for name, link in links.items() if link.startswith("errors."))
    text = re.sub(rf"(?<![\w.`])({errors})(?![\w.]*`|\w)", r"`\1`", text)
    return re.sub(
        r"(?<!\[)`(\w+)((?:\.\w+)*)(\(.*?\))?`",
        lambda found: f"[{found[0]}]({link})" if (link := link_of(found[1], found[2], links)) else found[0],
        text,
    )


def link_of(name: str, member: str, links: dict[str, str]) -> str | None:
    """Return the link to the description of a name, which may end with a member."""
    return links.get(name + member) or links.get(name)


def led(signature: str, parts: str, *more: str) -> str:
    """Return a description that begins with its signature: in the first sentence's line, or above it if it is long.

    `more` are sentences for the end of the first paragraph.
    """
    first, gap, rest = parts.partition("\n\n")
    first = " ".join([first, *more])
    *labels, last = signature.replace("'", '"').split("\n")
    if all(label.startswith("@") for label in labels):
        return " ".join(f"`{line}`" for line in [*labels, last]) + f" -- {first}{gap}{rest}"
    return f"{code(signature)}\n\n{first}{gap}{rest}"


def code(text: str) -> str:
    """Return a Markdown code block."""
    return f"```python\n{text}\n```".replace("'", '"')


def listed(field: griffe.Attribute, links: dict[str, str]) -> str:
    """Return an attribute or a property as an item of a list."""
    type_ = "" if field.annotation is None else f": {plain(field.annotation)}"
    if field.annotation is None and "class-attribute" in field.labels and field.value is not None:
        type_ = f" = {field.value}"
    text = re.sub(r"\n+", " ", markdown(field, links)) if field.docstring else ""
    return f"- `{field.name}{type_}`" + (f" -- {text}" if text else "")
