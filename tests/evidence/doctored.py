"""Make doctored files, to be judged by every verifier: ``python -m tests.evidence.doctored FOLDER [COUNT [SEED]]``.

Exports of real games of every kind and engine, each changed in one place, with every hash made again where that is what
hides the change. The same seed makes the same files.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.core.chance import EntropySource
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS, Record, event_hash, secret_digest
from pokersvc.evidence.export import FORMAT
from pokersvc.evidence.jsonl import line_of
from pokersvc.games.draw_poker.recorded import is_same_hand
from pokersvc.service import Service
from pokersvc.service.elsewhere import Elsewhere
from tests.clock import ticking
from tests.games.draw_poker.test_recorded import MUCKED, MUCKED_ACTIONS
from tests.games.draw_poker.told import quote, told
from tests.logs.write import LOGS, decode
from tests.web import at_table, shuffled, vectors
from tests.web.played import play, repeatable

SEED: Final = 26
COUNT: Final = 500
_TRIES: Final = 1000
"""How many places are tried for a change; numbers stand in the secrets of hands from elsewhere only."""

Line = dict[str, Any]
"""A line of an export: of an event with its secret, or the first."""


class Game(NamedTuple):
    """A whole game, as its log has it."""

    name: str
    kind: str
    game_id: str
    lines: list[Line]
    """One for each event; those with a secret have it, with its salt."""

    @property
    def owes_seeds(self) -> bool:
        """Whether its table shuffled together, and opened the seeds to all after the game."""
        return any(line["type"] == "DealingSet" for line in self.lines)


class Doctored(NamedTuple):
    """A file, and what was done to it."""

    change: str
    """What was changed, as the table of changes names it; empty for a file that is as it was made."""
    where: str
    """The game, the viewer and the event."""
    content: bytes


# The games.


def _line(record: Record) -> Line:
    line = record._asdict()
    del line["game_id"]
    return {**line, "salt": None if record.salt is None else record.salt.hex(), "hash": record.hash.hex()}


def _game(name: str, kind: str, records: list[Record]) -> Game:
    return Game(name, kind, records[0].game_id, list(map(_line, records)))


def released() -> Iterator[Game]:
    """Yield games of the engines of before."""
    for path in sorted(LOGS.glob("*/*.jsonl")):
        kind = json.loads((path.parent / "expected.json").read_text())[path.stem]["kind"]
        yield _game(f"{path.parent.name}/{path.stem}", kind, list(map(decode, path.read_text().splitlines())))


def _played(folder: Path) -> Iterator[Game]:
    """Yield games of today's engines: of programs, at tables, shuffled together, and a hand from elsewhere."""
    for vector in vectors.GAMES:
        if vector.missed is None and not vector.game:
            with repeatable(len(vector.name)):
                source = EntropySource.fresh() if vector.text is None else EntropySource.from_text(vector.text)
                setup = Setup(vector.seats, source, vector.rounds, dict(vector.options))
                yield _game(vector.name, vector.kind, play(folder / vector.name, vector.name, vector.kind, setup))
    with repeatable(1):
        for evening in (
            *at_table.cash_evenings(folder, Random(200), 1),
            *at_table.evenings_with_newcomers(folder, Random(4), 1),
        ):
            yield _game(evening.name, evening.kind, evening.records)
    for game in shuffled.SHUFFLED:
        yield _game(game.name, game.kind, shuffled.whole(game, folder))
    with repeatable(2), Database.for_writing(":memory:") as database:
        log = EventLog(database)
        elsewhere = Elsewhere("elsewhere", told(MUCKED, MUCKED_ACTIONS).finished(quote(hero=4, text="6d 8s 2c Td 5c")))
        Service(log, clock=ticking()).with_secrets.record("draw", [elsewhere], same=is_same_hand)
        yield _game("elsewhere", "draw", list(log.read("elsewhere")))


@cache
def games() -> tuple[Game, ...]:
    """Return every game that is doctored."""
    with tempfile.TemporaryDirectory() as folder:
        return (*released(), *_played(Path(folder)))


# Files.


def exported(game: Game, lines: list[Line], viewer: Viewer, *, opens: bool) -> list[Line]:
    """Return a game as an export's lines, every hash made again; ``opens`` opens the dealer's secrets to all."""
    head, written, opened = GENESIS, list[Line](), list[int]()
    command, n = "", 0
    for seq, line in enumerate(lines, 1):
        n = n + 1 if line["command_id"] == command else 1
        command = line["command_id"]
        secret, salt = line["secret"], line["salt"]
        digest = secret_digest(None if salt is None else bytes.fromhex(salt), secret)
        said = {name: line[name] for name in ("type", "version", "recorded_at", "command_id", "payload")}
        head = event_hash(head, seq=seq, n=n, game_id=game.game_id, digest=digest, **said)
        one = {**said, "hash": head.hex(), "n": n, "seq": seq}
        if digest:
            one["digest"] = digest.hex()
            own = viewer == AUDITOR or _seat(line) == viewer
            if own or (opens and _seat(line) is None):
                one |= {"salt": salt, "secret": secret}
                opened += [] if own else [seq]
        written.append(one)
    header = {
        "as": viewer, "count": len(written), "format": FORMAT, "game": game.game_id, "head": head.hex(),
        "kind": game.kind, "opened": opened,
    }  # fmt: skip
    return [header, *written]


def _seat(line: Line) -> object:
    """Return the seat that an event is of, which may see its secret; None for a secret of the dealer's."""
    try:
        said = json.loads(line["payload"])
    except ValueError:
        return None
    return said.get("seat") if isinstance(said, dict) else None


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


# Changes of form, in a text of JSON: each returns another text that says the same or nearly so, or None.

Rewriting = Callable[[str, Random], str | None]


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
    return _text(said)


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return a value's objects, itself and those within it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict) else []), *(one for part in inner for one in _objects(part))]


def _key_doubled(text: str, random: Random) -> str | None:
    said = json.loads(text)
    if not said:
        return None
    key = random.choice(list(said))
    return _text({key: said[key]})[:-1] + "," + text[1:]


def _key_dropped(text: str, random: Random) -> str | None:
    said = json.loads(text)
    if not said:
        return None
    del said[random.choice(list(said))]
    return _text(said)


def _key_added(text: str, random: Random) -> str | None:
    said = json.loads(text)
    said[random.choice(["zebra", "amount", "seat", "Seat", ""])] = random.choice([1, None, "x"])
    changed = _text(dict(sorted(said.items())))
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


# Changes of what is said.


@dataclass
class Hand:
    """A game in the hands of who doctors it: its lines, one of which is chosen."""

    game: Game
    lines: list[Line]
    at: int
    random: Random
    viewer: Viewer
    opens: bool

    @property
    def line(self) -> Line:
        return self.lines[self.at]

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.line["payload"])
        return said

    def say(self, said: object) -> bool:
        before: str = self.line["payload"]
        self.line["payload"] = _text(said)
        return bool(before != self.line["payload"])


Change = Callable[[Hand], bool]
"""Changes a game, and tells whether it could."""
_WORDS: Final = (
    "chosen", "short", "withdrew", "showdown", "last_in", "game_end", "last_player", "rounds", "small", "big", "extra",
    "dead", "straddle", "illegal", "raised", "timeout", "no_beans", "forfeit", "human", "random",
)  # fmt: skip
_NAMES: Final = ("Ann", "Bo ", "x" * 65, "A\u3164", "Zo\u00eb")
_FACES: Final = [face + suit for face in "23456789TJQKA" for suit in "cdhs"]


def _leaves(value: Any, wanted: Callable[[Any], bool], found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return where values of a kind stand in something: in what, and at which key."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            _leaves(inner, wanted, found)
        elif wanted(inner):
            found.append((value, key))
    return found


def _leaf(wanted: Callable[[Any], bool], other: Callable[[Any, Random], object], *, secret: bool = False) -> Change:
    """Return what changes one value of a kind in what an event says, or in its secret."""
    field = "secret" if secret else "payload"

    def change(hand: Hand) -> bool:
        if hand.line[field] is None:
            return False
        said = json.loads(hand.line[field])
        if not (places := _leaves(said, wanted, [])):
            return False
        where, key = hand.random.choice(places)
        before = where[key]
        where[key] = other(before, hand.random)
        hand.line[field] = _text(said)
        return bool(where[key] != before)

    return change


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_card(value: object) -> bool:
    return value in _FACES


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) >= 64


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value in _WORDS


def _is_name(value: object) -> bool:
    return isinstance(value, str) and not (_is_card(value) or _is_hex(value) or _is_word(value))


def _removed(hand: Hand) -> bool:
    del hand.lines[hand.at]
    return bool(hand.lines)


def _doubled(hand: Hand) -> bool:
    hand.lines.insert(hand.at, dict(hand.line))
    return True


def _moved(hand: Hand) -> bool:
    hand.lines.insert(hand.random.randrange(len(hand.lines)), hand.lines.pop(hand.at))
    return True


def _cut(hand: Hand) -> bool:
    del hand.lines[hand.at + 1 :]
    return True


def _dated(hand: Hand) -> bool:
    """Move a command in time: its events, and none else."""
    command, seconds = hand.line["command_id"], hand.random.choice(["00", "59"])
    for line in hand.lines:
        if line["command_id"] == command:
            at = line["recorded_at"]
            line["recorded_at"] = f"{at[:17]}{seconds}.{hand.random.randrange(10**6):06}Z"
    return True


def _no_date(hand: Hand) -> bool:
    hand.line["recorded_at"] = hand.random.choice(
        ["2026-02-30T12:00:00.000000Z", "2026-01-31 12:00:00.000000Z", "2026-01-31T24:00:00.000000Z", "now", ""]
    )
    return True


def _command_split(hand: Hand) -> bool:
    command = hand.line["command_id"]
    if hand.at == 0 or hand.lines[hand.at - 1]["command_id"] != command:
        return False
    for line in hand.lines[hand.at :]:
        if line["command_id"] == command:
            line["command_id"] = f"{command}-2"
    return True


def _commands_joined(hand: Hand) -> bool:
    if hand.at == 0 or hand.lines[hand.at - 1]["command_id"] == hand.line["command_id"]:
        return False
    before, command = hand.lines[hand.at - 1], hand.line["command_id"]
    for line in hand.lines[hand.at :]:
        if line["command_id"] == command:
            line |= {"command_id": before["command_id"], "recorded_at": before["recorded_at"]}
    return True


def _type_changed(hand: Hand) -> bool:
    types = sorted({line["type"] for line in hand.lines if line["type"] != hand.line["type"]})
    hand.line["type"] = hand.random.choice([*types, "Folded", "NoSuchEvent"])
    return True


def _version_changed(hand: Hand) -> bool:
    hand.line["version"] += hand.random.choice([1, 2, 5])
    return True


def _secret_given(hand: Hand) -> bool:
    if hand.line["secret"] is not None:
        return False
    hand.line.update({"secret": hand.random.choice(["{}", '{"cards":["As"]}']), "salt": "00" * 16})
    return True


def _secret_taken(hand: Hand) -> bool:
    if hand.line["secret"] is None:
        return False
    hand.line.update({"secret": None, "salt": None})
    return True


_AT_TABLE: Final[tuple[tuple[str, str], ...]] = (
    ("TableSet", '{"advice":true,"bank":0,"opens_seeds":true,"seconds":10}'),
    ("TimedOut", '{"seat":1}'),
    ("CameBack", '{"seat":1}'),
    ("TablePaused", "{}"),
    ("TableResumed", "{}"),
    ("ClockRestarted", "{}"),
    ("SeatReplaced", '{"seat":2}'),
    ("SeatReplaced", '{"seat":9}'),
    ("SeatRemoved", '{"seat":1}'),
    ("RoundForgone", '{"seat":1}'),
    ("ShareMissed", '{"seat":1}'),
    ("SharesAwaited", '{"round":1,"seats":[1,2]}'),
    ("GameClosed", "{}"),
    ("DealingSet", '{"protocol":1,"seconds":20}'),
)


def _at_table(hand: Hand) -> bool:
    """Put in an event of the table, as a command of its own."""
    type_, payload = hand.random.choice(_AT_TABLE)
    at = hand.line["recorded_at"]
    hand.lines.insert(
        hand.at + 1,
        {"type": type_, "version": 1, "recorded_at": at, "command_id": "put in", "payload": payload,
         "secret": None, "salt": None},
    )  # fmt: skip
    return True


def _list_changed(hand: Hand) -> bool:
    said = hand.said
    lists = [value for value in said.values() if isinstance(value, list) and value]
    if not lists:
        return False
    one = hand.random.choice(lists)
    if hand.random.random() < 0.5:
        one.pop()
    else:
        one.append(deepcopy(one[0]))
    return hand.say(said)


def _list_turned(hand: Hand) -> bool:
    said = hand.said
    lists = [value for value in said.values() if isinstance(value, list) and len(value) > 1]
    if not lists:
        return False
    hand.random.choice(lists).reverse()
    return hand.say(said)


def _larger_bets(hand: Hand) -> bool:
    """Say of the house that bets are larger than those that were made."""
    start = hand.lines[0]
    said = json.loads(start["payload"])
    if said["game"] != "draw":
        return False
    said["rules"]["betting"]["minimum"] += hand.random.choice([1, 5, 30])
    start["payload"] = _text(said)
    return True


CHANGES: Final[Mapping[str, Change]] = {
    "a number is one more or less": _leaf(_is_number, lambda number, random: max(0, number + random.choice([-1, 1]))),
    "a number is another": _leaf(_is_number, lambda _, random: random.choice([0, 1, 2, 3, 5, 9, 50, 1000, 10**9])),
    "a card is another": _leaf(_is_card, lambda _, random: random.choice(_FACES)),
    "a word is another": _leaf(_is_word, lambda _, random: random.choice(_WORDS)),
    "yes for no": _leaf(lambda value: type(value) is bool, lambda value, _: not value),
    "a name is another": _leaf(_is_name, lambda _, random: random.choice(_NAMES)),
    "bytes are others": _leaf(_is_hex, lambda text, _: ("1" if text[0] == "0" else "0") + text[1:]),
    "a secret card is another": _leaf(_is_card, lambda _, random: random.choice(_FACES), secret=True),
    "a seed is another": _leaf(_is_hex, lambda text, _: ("1" if text[0] == "0" else "0") + text[1:], secret=True),
    "an event is removed": _removed,
    "an event comes twice": _doubled,
    "an event is moved": _moved,
    "the end is cut off": _cut,
    "a command is at another time": _dated,
    "a time is none": _no_date,
    "a command is two": _command_split,
    "two commands are one": _commands_joined,
    "an event is of another type": _type_changed,
    "an event is of another version": _version_changed,
    "a secret that should not be": _secret_given,
    "no secret where one should be": _secret_taken,
    "an event at the table is put in": _at_table,
    "a list is longer or shorter": _list_changed,
    "a list is turned around": _list_turned,
    "the house's least bet is larger": _larger_bets,
}


# Changes of the file, of which no hash is made again.


def _another(lines: list[Line], at: int, random: Random, **changes: Any) -> None:
    lines[at] = {name: value for name, value in {**lines[at], **changes}.items() if value is not None}


def _header(field: str, *values: Any) -> Callable[[list[Line], int, Random], None]:
    return lambda lines, at, random: _another(lines, 0, random, **{field: random.choice(values)})


def _member(field: str, *values: Any) -> Callable[[list[Line], int, Random], None]:
    return lambda lines, at, random: _another(lines, at, random, **{field: random.choice(values)})


LINES: Final[Mapping[str, Callable[[list[Line], int, Random], None]]] = {
    "the first line: whose copy": _header("as", 1, 2, 99, 0, "everyone", "auditor", "nobody", None, "1"),
    "the first line: how many events": _header("count", 1, 0, 10**6, None, "9"),
    "the first line: its format": _header("format", "pokersvc/export/2", "", None, 1),
    "the first line: which game": _header("game", "another", "", "a\n", None, 1),
    "the first line: the head": _header("head", "00" * 32, "00", None),
    "the first line: the kind": _header("kind", "kalah", "draw", "market", "", None),
    "the first line: what is opened": _header("opened", [1], [2], [3], [99999], [2, 1], [1, 1], [0], ["1"], None, 1),
    "the first line: another member": _header("extra", 1, None, "x"),
    "an event's number": _member("seq", 0, 1, 7, None, "2", True),
    "an event's number in its command": _member("n", 0, 1, 7, None, "2"),
    "an event's type": _member("type", "Folded", "", None, 1, "a\tb"),
    "an event's version": _member("version", 0, 2, 9, None, "1", 1.0),
    "an event's hash": _member("hash", "00" * 32, "0A" * 32, None),
    "an event's command": _member("command_id", "", "x", None, 1, "a\u200b"),
    "an event's moment": _member("recorded_at", "2026-01-31T12:00:00.000000Z", "", None, 1),
    "an event's payload": _member("payload", "{}", "", None, {}),
    "an event's digest": _member("digest", "00" * 32, "0A" * 32, None, "00"),
    "an event's salt": _member("salt", "00" * 16, "00", None, "0A" * 16),
    "an event's secret": _member("secret", "{}", "", None, "\ud800"),
    "another member": _member("extra", 1, "x"),
    "a line is missing": lambda lines, at, _: lines.__delitem__(at),
    "a line comes twice": lambda lines, at, _: lines.insert(at, lines[at]),
    "two lines are swapped": lambda lines, at, _: lines.insert(at - 1, lines.pop(at)),
}


def _written(lines: list[Line]) -> list[bytes]:
    return [json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n" for line in lines]


BYTES: Final[Mapping[str, Callable[[list[bytes], int, Random], None]]] = {
    "an empty line": lambda lines, at, _: lines.insert(at, b"\n"),
    "a carriage return": lambda lines, at, _: lines.__setitem__(at, lines[at][:-1] + b"\r\n"),
    "no line feed at the end": lambda lines, at, _: lines.__setitem__(-1, lines[-1][:-1]),
    "a byte order mark": lambda lines, at, _: lines.__setitem__(0, b"\xef\xbb\xbf" + lines[0]),
    "a letter that is not ASCII": lambda lines, at, _: lines.__setitem__(at, lines[at].replace(b"a", b"\xc3\xa4", 1)),
    "cut within a line": lambda lines, at, random: lines.__setitem__(
        slice(at, None), [lines[at][: random.randrange(len(lines[at]))]]
    ),
    "an empty file": lambda lines, at, _: lines.clear(),
    "a line of a million bytes": lambda lines, at, _: lines.__setitem__(
        at, lines[at].replace(b'"payload":"', b'"payload":"' + b"x" * (1 << 20))
    ),
}


# The corpus.

KINDS: Final[Mapping[str, str]] = {
    **{f"payload: {name}": "form" for name in FORMS},
    **{f"secret: {name}": "form" for name in FORMS},
    **{f"line: {name}": "form" for name in FORMS},
    **{f"member: {name}": "form" for name in LINES},
    **{f"bytes: {name}": "form" for name in BYTES},
    **{f"said: {name}": "content" for name in CHANGES},
}
"""Every change, and whether it is one of form or of what is said."""
_OF_FORM: Final = {
    "said: an event is of another version", "said: a secret that should not be", "said: no secret where one should be",
}  # fmt: skip


def is_of_form(change: str) -> bool:
    """Tell whether a change leaves what a file says, and changes how it is written: then nothing excuses a verifier."""
    return KINDS[change] == "form" or change in _OF_FORM


def honest() -> Iterator[Doctored]:
    """Yield every game as it is, in a copy for each kind of viewer."""
    for game in games():
        for viewer, opens in ((EVERYONE, False), (1, False), (1, True), (AUDITOR, False)):
            if opens or viewer == AUDITOR or not game.owes_seeds:
                yield Doctored("", f"{game.name} as {viewer}", _as_made(game.name, viewer, opens))


def doctored(number: int = COUNT, seed: int = SEED) -> Iterator[Doctored]:
    """Yield so many doctored files; every change as often as the others, in games and at events drawn at random."""
    random = Random(seed)
    every = games()
    made = (file for _ in count() for change in KINDS if (file := doctored_one(change, random, every)) is not None)
    yield from islice(made, number)


@cache
def _as_made(name: str, viewer: Viewer, opens: bool) -> bytes:
    (game,) = (game for game in games() if game.name == name)
    return b"".join(map(line_of, exported(game, game.lines, viewer, opens=opens)))


def doctored_one(change: str, random: Random, of: Sequence[Game], tries: int = _TRIES) -> Doctored | None:
    """Return a file of one of some games with one change, None where there is no place for it."""
    for _ in range(tries):
        game = random.choice(of)
        copies: list[tuple[Viewer, bool]] = [(EVERYONE, False), (1, True), (AUDITOR, False), (1, game.owes_seeds)]
        viewer, opens = random.choice(copies)
        places = list(range(len(game.lines)))
        if change.startswith("secret"):
            places = [at for at in places if game.lines[at]["secret"] is not None]
        at = random.choice(places)
        hand = Hand(game, list(map(dict, game.lines)), at, random, viewer, opens)
        content = _changed(change, hand)
        if content is not None and content != _as_made(game.name, viewer, opens):
            return Doctored(change, f"{game.name} as {viewer}, event {at + 1}", content)
    return None


def _changed(change: str, hand: Hand) -> bytes | None:
    where, _, name = change.partition(": ")
    random, at = hand.random, hand.at + 1
    if where in ("payload", "secret"):
        text = hand.line[where]
        rewritten = None if text is None else FORMS[name](text, random)
        if rewritten is None:
            return None
        hand.line[where] = rewritten
    elif where == "said" and not CHANGES[name](hand):
        return None
    lines = exported(hand.game, hand.lines, hand.viewer, opens=hand.opens)
    if where == "member":
        LINES[name](lines, at, random)
    written = _written(lines)
    if where == "line":
        at = random.choice([0, at])
        rewritten = FORMS[name](written[at].decode()[:-1], random)
        if rewritten is None:
            return None
        written[at] = rewritten.encode() + b"\n"
    elif where == "bytes":
        BYTES[name](written, at, random)
    return b"".join(written)


def main(folder: str, number: str = str(COUNT), seed: str = str(SEED)) -> None:
    """Write the files into a folder, with what was done to each in ``files.json``."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    told = []
    for index, file in enumerate(doctored(int(number), int(seed)), 1):
        name = f"{index:04}.jsonl"
        (place / name).write_bytes(file.content)
        told.append({"name": name, "change": file.change, "where": file.where})
    (place / "files.json").write_text(json.dumps(told, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
