"""Changes of form, in a text of JSON."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from .hand import json_of

Rewriting = Callable[[str, Random], str | None]
"""A function that returns a text of the same or nearly the same meaning, or None."""


def _put(text: str, at: int, added: str, *, instead: int = 0) -> str:
    return text[:at] + added + text[at + instead :]


def _places(text: str, wanted: str) -> list[int]:
    """Return the places of a kind of token outside of texts: ``number``, ``text`` or ``key``; or of a character."""
    found, inside, start, at = [], False, 0, 0
    while at < len(text):
        char = text[at]
        if inside:
            if char == "\\":
                at += 1
            elif char == '"':
                inside = False
                kind = "key" if text[at + 1 : at + 2] == ":" else "text"
                if kind == wanted:
                    found.append(start)
        elif char == '"':
            inside, start = True, at
        elif char == wanted or (wanted == "number" and char.isdigit() and not text[at - 1].isdigit()):
            found.append(at)
        at += 1
    return found


def _at(wanted: str, added: str, *, before: int = 0) -> Rewriting:
    def rewrite(text: str, random: Random) -> str | None:
        places = _places(text, wanted)
        return _put(text, random.choice(places) + 1 - before, added) if places else None

    return rewrite


def _after_number(added: str) -> Rewriting:
    def rewrite(text: str, random: Random) -> str | None:
        if not (places := _places(text, "number")):
            return None
        end = random.choice(places)
        while text[end].isdigit():
            end += 1
        return _put(text, end, added)

    return rewrite


def _for_number(made: Callable[[str], str]) -> Rewriting:
    def rewrite(text: str, random: Random) -> str | None:
        if not (places := _places(text, "number")):
            return None
        start = end = random.choice(places)
        while text[end].isdigit():
            end += 1
        return _put(text, start, made(text[start:end]), instead=end - start)

    return rewrite


def _keys_turned(text: str, random: Random) -> str | None:
    said = json.loads(text)
    objects = [one for one in _objects(said) if len(one) > 1]
    if not objects:
        return None
    one = random.choice(objects)
    for key in reversed(list(one)):
        one[key] = one.pop(key)
    return json_of(said)


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return a value and the objects within it, if they are JSON objects."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict) else []), *(one for part in inner for one in _objects(part))]


def _key_doubled(text: str, random: Random) -> str | None:
    said = json.loads(text)
    if not said:
        return None
    key = random.choice(list(said))
    return json_of({key: said[key]})[:-1] + "," + text[1:]


def _key_dropped(text: str, random: Random) -> str | None:
    said = json.loads(text)
    if not said:
        return None
    del said[random.choice(list(said))]
    return json_of(said)


def _key_added(text: str, random: Random) -> str | None:
    said = json.loads(text)
    said[random.choice(["zebra", "amount", "seat", "Seat", ""])] = random.choice([1, None, "x"])
    changed = json_of(dict(sorted(said.items())))
    return changed if changed != text else None


def _key_renamed(text: str, random: Random) -> str | None:
    places = _places(text, "key")
    return _put(text, at := random.choice(places) + 1, text[at].upper(), instead=1) if places else None


def _letter_escaped(text: str, random: Random) -> str | None:
    places = [at for kind in ("key", "text") for at in _places(text, kind) if text[at + 1] not in '"\\']
    if not places:
        return None
    at = random.choice(places) + 1
    return _put(text, at, f"\\u{ord(text[at]):04x}", instead=1)


def _text_grown(text: str, random: Random) -> str | None:
    places = _places(text, "text")
    return _put(text, random.choice(places) + 1, random.choice(["?", " ", "\\n", "\\u0000"])) if places else None


def _text_nulled(text: str, random: Random) -> str | None:
    if not (places := _places(text, "text")):
        return None
    start = random.choice(places)
    return _put(text, start, "null", instead=text.index('"', start + 1) + 1 - start)


def _no_object(text: str, random: Random) -> str | None:
    return random.choice([f"[{text}]", "null", "1", '"x"', "", text[:-1], text + text])


FORMS: Final[Mapping[str, Rewriting]] = {
    "a space after a comma": _at(",", " "),
    "a space after a colon": _at(":", " "),
    "a space before a brace": _at("}", " ", before=1),
    "a line feed": lambda text, _: text + "\n",
    "a tab in front": lambda text, _: "\t" + text,
    "fields in another order": _keys_turned,
    "a field twice": _key_doubled,
    "a field too few": _key_dropped,
    "a field too many": _key_added,
    "a field of another name": _key_renamed,
    "a letter as an escape": _letter_escaped,
    "a letter more": _text_grown,
    "null for a text": _text_nulled,
    "a number with a point": _after_number(".0"),
    "a number with an exponent": _after_number("e0"),
    "a number with a zero in front": _for_number("0".__add__),
    "a number as a text": _for_number(lambda digits: f'"{digits}"'),
    "a number below zero": _for_number("-".__add__),
    "true for a number": _for_number(lambda _: "true"),
    "null for a number": _for_number(lambda _: "null"),
    "a list for a number": _for_number(lambda digits: f"[{digits}]"),
    "a number of thirty digits": _for_number(lambda _: "9" * 30),
    "no object": _no_object,
}
