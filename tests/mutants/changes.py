"""Small changes of meaning that can be made to a source, each with a name that survives when lines move."""

import ast
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from types import CodeType
from typing import Final, NamedTuple

WIDEST: Final = 80
"""The maximum number of characters of code in the name of a change."""

COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
CALCULATED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
UNCHANGED: Final = (ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
"""Syntax nodes that are never changed: asserts help the type checker, and texts are for people."""
AROUND: Final = (ast.expr, ast.stmt, ast.comprehension, ast.keyword)

Place = tuple[ast.AST, str, int | None]
"""A syntax node, its field, and the index if the field is a list."""


class Name(NamedTuple):
    """The name of a change: file, function, the change, and a counter among equal ones."""

    file: str
    function: str
    change: str
    nth: int = 1

    def __str__(self) -> str:
        again = f" (no. {self.nth})" if self.nth > 1 else ""
        return f"{self.file} {self.function}: {self.change}{again}"


@dataclass(frozen=True)
class Mutant:
    """A change of one file: the bytes replaced, and their lines."""

    name: Name
    start: int
    end: int
    text: bytes
    lines: range

    def made(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.text + source[self.end :]

    def differs(self, source: bytes) -> bool:
        """Whether the changed source is valid Python and compiles to different code."""
        try:
            changed = compile(self.made(source), "changed", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        return _meaning(changed) != _meaning(compile(source, "changed", "exec", dont_inherit=True))


def _meaning(code: CodeType) -> tuple[object, ...]:
    """Return compiled code without line numbers."""
    constants = [_meaning(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts]
    return code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, tuple(constants)


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Return all changes that can be made to a source, in the order of the text."""
    return list(each_mutant(file, source))


def each_mutant(file: str, source: bytes) -> Iterator[Mutant]:
    """Yield the changes that can be made to a source, in the order of the text."""
    return _Changes(file, source).found()


class _Changes:
    """The possible changes of one source file."""

    def __init__(self, file: str, source: bytes) -> None:
        self._file = file
        self._module = ast.parse(source)
        self._begins = [0]
        for line in source.splitlines(keepends=True):
            self._begins.append(self._begins[-1] + len(line))
        self._seen: Counter[tuple[str, str]] = Counter()
        self._above: list[ast.AST] = []
        self._functions: list[str] = []

    def found(self) -> Iterator[Mutant]:
        yield from self._within(self._module)

    def _within(self, node: ast.AST) -> Iterator[Mutant]:
        """Yield the changes of everything in a node."""
        if isinstance(node, UNCHANGED) or _is_for_types(node):
            return
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        self._above.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._functions.append(node.name)
        for field, value in ast.iter_fields(node):
            if field in {"annotation", "returns", "pattern", "type_params"}:
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    yield from self._of(child, (node, field, index))
                    yield from self._within(child)
        if named:
            self._functions.pop()
        self._above.pop()

    def _of(self, node: ast.AST, place: Place) -> Iterator[Mutant]:
        """Yield the changes of a node itself."""
        if isinstance(node, ast.stmt):
            for statement in _instead_of_statement(node, place):
                yield self._mutant(node, place, statement)
        elif isinstance(node, ast.expr):
            for expression in _instead_of_expression(node, place, inside=bool(self._functions)):
                yield self._mutant(node, place, expression)

    def _mutant(self, node: ast.stmt | ast.expr, place: Place, other: ast.stmt | ast.expr) -> Mutant:
        around = self._around(node)
        before = _said(around)
        if around is node:
            after = _said(other)
        else:
            _put(place, other)
            after = _said(around)
            _put(place, node)
        function, change = ".".join(self._functions) or "<module>", f"{before} → {after}"
        self._seen[function, change] += 1
        text = ast.unparse(other)
        if isinstance(other, ast.expr) and not isinstance(other, ast.Name):
            text = f"({text})"
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Mutant(
            Name(self._file, function, change, self._seen[function, change]),
            self._begins[node.lineno - 1] + node.col_offset,
            self._begins[node.end_lineno - 1] + node.end_col_offset,
            text.encode(),
            range(node.lineno, node.end_lineno + 1),
        )

    def _around(self, node: ast.stmt | ast.expr) -> ast.AST:
        """Return the widest code around a node that fits into a name."""
        widest: ast.AST = node
        for above in reversed(self._above):
            if isinstance(node, ast.stmt) or not isinstance(
                above, ast.expr | ast.stmt | ast.comprehension | ast.keyword
            ):
                break
            if hasattr(above, "body") and isinstance(above, ast.stmt):
                break
            if isinstance(above, ast.expr | ast.stmt):
                if len(ast.unparse(above)) > WIDEST:
                    break
                widest = above
        return widest


def _said(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 2 * WIDEST else text[: 2 * WIDEST] + "…"


def _put(place: Place, node: ast.AST) -> None:
    parent, field, index = place
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _is_for_types(node: ast.AST) -> bool:
    """Return whether code is only for type checkers, or only asserts that lengths are equal."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in {"cast", "TypeVar"}
    if isinstance(node, ast.keyword):  # like an assert: where lengths may differ, they are compared before
        return node.arg == "strict" and isinstance(node.value, ast.Constant) and node.value.value is True
    return False


def _instead_of_statement(node: ast.stmt, place: Place) -> Iterator[ast.stmt]:
    match node:
        case ast.Expr(ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Raise() if "AssertionError" not in ast.unparse(node):
            yield ast.Pass()
        case ast.Return(None) if not _ends_function(place):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _ends_function(place: Place) -> bool:
    parent, field, index = place
    body = getattr(parent, field)
    return isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) and index == len(body) - 1


def _instead_of_expression(node: ast.expr, place: Place, *, inside: bool) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            for index, compared in enumerate(node.ops):
                for other in COMPARED[type(compared)]:
                    changed = copy(node)
                    changed.ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                    yield changed
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.BinOp(left, calculated, right) if type(calculated) in CALCULATED and inside:
            if not any(_is_text_or_type(one) for one in (left, right)):
                yield ast.BinOp(left, CALCULATED[type(calculated)](), right)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
    parent, field, _ = place
    if isinstance(parent, ast.Return) and not isinstance(node, ast.Constant):
        yield ast.Constant(None)
    if isinstance(parent, ast.Return) and isinstance(node, ast.Compare | ast.BoolOp):
        yield from (ast.Constant(True), ast.Constant(False))
    asked = (isinstance(parent, ast.If | ast.While) and field == "test") or field == "ifs"
    if asked and not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
        yield ast.UnaryOp(ast.Not(), node)


def _is_text_or_type(node: ast.expr) -> bool:
    match node:
        case ast.JoinedStr() | ast.Constant(str() | bytes() | None):
            return True
        case ast.Name(name) | ast.Attribute(attr=name):
            return name[:1].isupper() and not name.isupper()
        case ast.BinOp(left, _, right):
            return _is_text_or_type(left) or _is_text_or_type(right)
    return False
