"""The possible changes of a source, and their names."""

import ast

import pytest

from tests.checkout import ROOT

from .changes import mutants


def changes(source: str) -> list[str]:
    """Return the changes of a source, without where they are."""
    return [mutant.name.change for mutant in mutants("a.py", source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b < c", ["a = b < c → a = b <= c", "a = b < c → a = b >= c"]),
        ("a = b == c", ["a = b == c → a = b != c"]),
        ("a = b is c", ["a = b is c → a = b is not c"]),
        ("a = b in c", ["a = b in c → a = b not in c"]),
        ("a = b and c", ["a = b and c → a = b or c"]),
        ("a = not b", ["a = not b → a = b"]),
        ("a = -b", ["a = -b → a = b"]),
        ("a = True", ["a = True → a = False"]),
        ("a = zip(b, strict=False)", ["a = zip(b, strict=False) → a = zip(b, strict=True)"]),
        ("a = 1", ["a = 1 → a = 2", "a = 1 → a = 0"]),
        ("a = b if c else d", ["a = b if c else d → a = d if c else b"]),
        ("if a:\n    b = c", ["a → not a"]),
        ("while a:\n    break", ["a → not a", "break → continue"]),
        ("a = [b for b in c if d]", ["a = [b for b in c if d] → a = [b for b in c if not d]"]),
        ("a()", ["a() → pass"]),
        ("a += b", ["a += b → pass"]),
        ("a.b = c", ["a.b = c → pass"]),
        ("del a", ["del a → pass"]),
        ("raise a", ["raise a → pass"]),
        ("def a():\n    return b + c", ["return b + c → return b - c", "return b + c → return None"]),
        ("def a():\n    return b | c", ["return b | c → return b & c", "return b | c → return None"]),
        (
            "def a():\n    return b is c",
            [f"return b is c → return {other}" for other in ("b is not c", "None", "True", "False")],
        ),
        ("def a():\n    if b:\n        return\n    return", ["b → not b", "return → pass"]),
    ],
)
def test_each_kind_of_change_is_made(source: str, expected: list[str]) -> None:
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Text."""',
        "assert a < 1",
        'a = f"{b + 1}"',
        "a: Literal[1] = b",
        "def a(b: Literal[1]) -> Literal[2]: ...",
        "if TYPE_CHECKING:\n    a = 1",
        "A = B | None",
        "def a():\n    b = isinstance(c, Hand | Card)",
        "match a:\n    case 1:\n        b = c",
        "raise AssertionError(a)",
        "a = zip(b, c, strict=True)",
    ],
)
def test_what_decides_nothing_stays(source: str) -> None:
    assert changes(source) == []


def test_a_change_is_made_where_it_stands_and_nowhere_else() -> None:
    source = 'é = "ä"; a = (b < c)  # why\nd = [\n    e, 1,\n]\n'.encode()
    made = [mutant.made(source).decode() for mutant in mutants("a.py", source)]
    assert made == [
        'é = "ä"; a = ((b <= c))  # why\nd = [\n    e, 1,\n]\n',
        'é = "ä"; a = ((b >= c))  # why\nd = [\n    e, 1,\n]\n',
        'é = "ä"; a = (b < c)  # why\nd = [\n    e, (2),\n]\n',
        'é = "ä"; a = (b < c)  # why\nd = [\n    e, (0),\n]\n',
    ]


def test_a_name_survives_when_lines_move_and_code_is_broken_otherwise() -> None:
    before = b"class A:\n    def b(self):\n        return self.c < 1\n"
    after = (
        b"import d\n\nclass A:\n    def b(self):  # why\n        e()\n        return (\n        self.c < 1\n        )\n"
    )
    names = {mutant.name for mutant in mutants("a.py", before)}
    assert {name.function for name in names} == {"A.b"}
    assert names < {mutant.name for mutant in mutants("a.py", after)}


def test_those_that_read_alike_are_numbered() -> None:
    twice = mutants("a.py", b"a()\na()\n")
    assert [mutant.name.nth for mutant in twice] == [1, 2]
    assert [str(mutant.name) for mutant in twice] == [
        "a.py <module>: a() → pass",
        "a.py <module>: a() → pass (no. 2)",
    ]


@pytest.mark.parametrize(
    ("source", "differs"),
    [
        (b"a = b if c else b", [False]),
        (b"a = [\n    True,\n]", [True]),
        (b"for a in b:\n    c()\n    continue", [True, True]),
    ],
)
def test_what_compiles_to_the_same_is_no_change(source: bytes, differs: list[bool]) -> None:
    assert [mutant.differs(source) for mutant in mutants("a.py", source)] == differs


def test_changes_of_the_code_itself_are_told_apart_and_are_python() -> None:
    file = ROOT / "pokersvc" / "core" / "record.py"
    source = file.read_bytes()
    found = mutants("record.py", source)
    assert len({mutant.name for mutant in found}) == len(found) > 50
    for mutant in found:
        ast.parse(mutant.made(source))
