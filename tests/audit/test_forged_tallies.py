"""The audit finds every forged tally, even if the sums still add up or the extra rows are zero."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.core import registry
from pokersvc.core.counting import Figures
from pokersvc.evidence.audit import audit
from pokersvc.evidence.audit.tallies import RandomSums, TalliedGames
from pokersvc.service.read_models.tallies import Key, tally

from .played import Tampered

ZEROS = (0,) * len(Figures._fields)
ONES = (1,) * len(Figures._fields)
COLUMNS = (*Key._fields, *Figures._fields)
MODULI = (2**61 - 1, 2**31 - 1, 2**32, 2**89 - 1, 2**64)
"""A forger who knows the program, or guesses."""

Row = tuple[Any, ...]
Rows = list[Row]


@pytest.fixture
def tallied(tampered: Tampered) -> Tampered:
    """The games with their hands in the tallies, in a table that holds anything."""
    assert tally(tampered.database) > 5
    return tampered


def write(tampered: Tampered, rows: Rows) -> None:
    """Put rows in the place of the tallies, in a table without types and without a key, as a forger may make it."""
    tampered.sql("DROP TABLE tallies")
    tampered.sql(f"CREATE TABLE tallies ({', '.join(f'{name} COLLATE NOCASE' for name in COLUMNS)})")
    marks = ", ".join("?" * len(COLUMNS))
    tampered.connection.executemany(f"INSERT INTO tallies VALUES ({marks})", rows)


def read(tampered: Tampered) -> Rows:
    return tampered.sql("SELECT * FROM tallies")


def found(tampered: Tampered) -> list[str]:
    return [finding.found for finding in tampered.audit()]


def by_name(row: Row, **changed: object) -> Row:
    return tuple({**dict(zip(COLUMNS, row, strict=True)), **changed}.values())


def ann(rows: Rows) -> Row:
    return next(row for row in rows if row[:2] == ("all", "Ann"))


def others(row: Row, rows: Rows) -> Rows:
    return [one for one in rows if one is not row]


def split(row: Row) -> tuple[Row, Row]:
    """Return two rows with the same key whose figures add up to those of the given row."""
    parts = [(number // 2 or number, number - (number // 2 or number)) for number in row[len(Key._fields) :]]
    first, second = zip(*parts, strict=True)
    return (*row[: len(Key._fields)], *first), (*row[: len(Key._fields)], *second)


def test_a_table_that_was_made_anew_with_the_same_rows_passes(tallied: Tampered) -> None:
    write(tallied, Random(1).sample(rows := read(tallied), len(rows)))
    assert found(tallied) == []


MULTIPLES: Final = (2**61 - 1, -(2**61 - 1), 2**62 - 2)


@pytest.mark.parametrize(("name", "modulus"), list(zip(Figures._fields, MULTIPLES, strict=False)))
def test_a_multiple_of_a_prime_is_found(tallied: Tampered, name: str, modulus: int) -> None:
    tallied.sql(f"UPDATE tallies SET {name} = {name} + ? WHERE dimension = 'all' AND player = 'Ann'", [modulus])
    assert found(tallied) == ["other figures in the tallies"]


@pytest.mark.parametrize("name", ["Zoe", "Ann"])
def test_a_row_of_only_zeros_is_found(tallied: Tampered, name: str) -> None:
    row: Row = ("position", name, "", "BTN-9", "", 0, *ZEROS)
    tallied.sql(f"INSERT INTO tallies VALUES ({', '.join('?' * len(row))})", row)
    assert found(tallied) == ["a row of only zeros in the tallies"]


def test_a_figure_of_another_type_is_found(tallied: Tampered) -> None:
    rows = read(tallied)
    write(tallied, [*others(ann(rows), rows), by_name(ann(rows), net="1")])
    assert found(tallied) == ["a figure that is not a whole number of 64 bits in the tallies"]


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63)])
def test_a_figure_of_64_bits_is_another_figure_and_no_other_type(tallied: Tampered, value: int) -> None:
    rows = read(tallied)
    write(tallied, [*others(ann(rows), rows), by_name(ann(rows), net=value)])
    assert found(tallied) == ["other figures in the tallies"]


@pytest.mark.parametrize(("name", "value"), [("exponent", 0.0), ("exponent", "0"), ("player", b"Ann"), ("value", None)])
def test_a_key_of_another_type_is_found(tallied: Tampered, name: str, value: object) -> None:
    rows = read(tallied)
    write(tallied, [*others(ann(rows), rows), by_name(ann(rows), **{name: value})])
    assert found(tallied) == ["a key of another type in the tallies"]


def test_a_row_that_was_split_in_two_is_found_though_both_add_up(tallied: Tampered) -> None:
    rows = read(tallied)
    row = ann(rows)
    first, second = split(row)
    stranger = by_name(row, player="ann")
    write(tallied, [*others(row, rows), first, second])
    assert found(tallied) == ["two rows of one key in the tallies"]
    write(tallied, [first, stranger, *others(row, rows), second])  # between them, where names are compared in any case
    assert found(tallied) == ["two rows of one key in the tallies"]


def test_rows_that_were_merged_are_found(tallied: Tampered) -> None:
    rows = read(tallied)
    mine = ann(rows)
    bobs = next(row for row in rows if row[:2] == ("all", "Bob"))
    both = tuple(map(sum, zip(mine[len(Key._fields) :], bobs[len(Key._fields) :], strict=True)))
    write(tallied, [*others(bobs, others(mine, rows)), (*mine[: len(Key._fields)], *both)])
    assert found(tallied) == ["other figures in the tallies"]


# A property: a forger with any luck.

Compared = Callable[[Rows], list[str]]


@pytest.fixture
def honest(tallied: Tampered) -> Rows:
    return read(tallied)


@pytest.fixture
def compared(tallied: Tampered, honest: Rows) -> Compared:
    """Compares altered tallies with the hands."""
    sums = RandomSums()
    ids = [game_id for (game_id,) in tallied.sql("SELECT game_id FROM games")]
    audited = list(audit(tallied.database, ids, sums=sums))

    def compare(rows: Rows) -> list[str]:
        write(tallied, rows)
        with tallied.database.read() as connection:
            games = TalliedGames(connection, sums)
            list(games.through(audited))
            return [finding.found for finding in games.check()]

    return compare


def test_a_multiple_of_a_prime_is_found_in_every_figure(compared: Compared, honest: Rows) -> None:
    row = ann(honest)
    for at, name in enumerate(Figures._fields):
        changed = by_name(row, **{name: row[COLUMNS.index(name)] + MULTIPLES[at % 3]})
        assert compared([*others(row, honest), changed]) == ["other figures in the tallies"], name


def test_any_value_of_another_type_is_found_in_the_first_and_last_figure(compared: Compared, honest: Rows) -> None:
    row = ann(honest)
    for name in ("net", "drew_5"):
        for value in ("1", 1.5, 1.0, b"1", None, 2.0**63):
            said = compared([*others(row, honest), by_name(row, **{name: value})])
            assert said == ["a figure that is not a whole number of 64 bits in the tallies"], (name, value)


whole = st.integers(-(2**63), 2**63 - 1)
multiples = st.tuples(st.sampled_from(MODULI), st.integers(-4, 4)).map(lambda pair: pair[0] * pair[1])
amounts = st.one_of(whole, multiples, st.integers(-3, 3))
anything = st.one_of(
    whole, st.none(), st.text("0123456789.-eAnn", max_size=5), st.binary(max_size=3), st.floats(),
    whole.map(str), whole.map(float),
)  # fmt: skip
indexes = st.integers(0, 10_000)
columns = st.integers(0, len(COLUMNS) - 1)
figures = st.integers(len(Key._fields), len(COLUMNS) - 1)
rows_of_figures = st.one_of(st.just(ZEROS), st.tuples(*[amounts.filter(lambda n: abs(n) < 2**63)] * len(ZEROS)))


def put(row: Row, at: int, value: object) -> Row:
    return (*row[:at], value, *row[at + 1 :])


def forged(rows: Rows, data: st.DataObject) -> None:
    """Change rows as a forger does, once."""
    at, other = data.draw(indexes) % len(rows), data.draw(indexes) % len(rows)
    row, another, keys = rows[at], rows[other], len(Key._fields)
    way = data.draw(st.sampled_from(WAYS))
    if way == "add":
        column = data.draw(figures)
        rows[at] = put(row, column, added(row[column], data.draw(amounts)))
    elif way == "move":
        column, amount = data.draw(figures), data.draw(amounts)
        rows[at] = put(row, column, added(row[column], amount))
        rows[other] = put(rows[other], column, added(rows[other][column], -amount))
    elif way == "replace":
        rows[at] = put(row, data.draw(columns), data.draw(anything))
    elif way == "delete":
        del rows[at]
    elif way == "repeat":
        rows.append(row)
    elif way == "split":
        rows[at : at + 1] = split(row) if all(type(number) is int for number in row[keys:]) else (row, row)
    elif way == "merge" and at != other:
        rows[at] = (*row[:keys], *map(added, row[keys:], another[keys:]))
        del rows[other]
    elif way == "exchange":
        rows[at], rows[other] = (*row[:keys], *another[keys:]), (*another[:keys], *row[keys:])
    elif way == "invent":
        key = put(row[:keys], data.draw(st.integers(0, keys - 2)), data.draw(st.text(max_size=3)))
        rows.append((*key, *data.draw(rows_of_figures)))


WAYS = ("add", "move", "replace", "delete", "repeat", "split", "merge", "exchange", "invent")


def added(number: object, amount: object) -> object:
    """Return a sum as SQLite computes it: beyond 64 bits it becomes a floating-point number."""
    if type(number) is not int or type(amount) is not int:
        return number
    return found if -(2**63) <= (found := number + amount) < 2**63 else float(found)


def kept(rows: Rows) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(repr, row)) for row in rows)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_forged_is_found(compared: Compared, honest: Rows, data: st.DataObject) -> None:
    always_found(compared, honest, data)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("times", [250, pytest.param(3000, marks=pytest.mark.exhaustive)])
def test_whatever_is_forged_is_found_hundreds_of_times(compared: Compared, honest: Rows, times: int) -> None:
    often = settings(max_examples=times, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    often(given(st.data())(lambda data: always_found(compared, honest, data)))()


def always_found(compared: Compared, honest: Rows, data: st.DataObject) -> None:
    rows = list(honest)
    for _ in range(data.draw(st.integers(1, 3))):
        forged(rows, data)
    data.draw(st.randoms(use_true_random=False)).shuffle(rows)
    assert len(compared(rows)) == (kept(rows) != kept(honest))


# Games that cannot be counted.


@pytest.fixture
def without_nim(tallied: Tampered, monkeypatch: pytest.MonkeyPatch) -> Tampered:
    """Unregister Nim for a test, as if its package were not installed."""
    monkeypatch.delitem(registry._REGISTRY, "nim")
    return tallied


def test_without_a_game_s_package_all_other_games_are_compared_and_its_games_are_counted(without_nim: Tampered) -> None:
    *games, database = without_nim.audited()
    assert [game.game_id for game in games if not game.known] == ["nim"]
    assert (database.findings, database.unchecked, database.checked) == ([], {"unknown game": 1}, True)
    without_nim.sql("UPDATE tallies SET net = net + 1 WHERE dimension = 'all' AND player = 'Ann'")
    assert found(without_nim) == ["other figures in the tallies"]


def test_rows_of_a_game_that_is_not_installed_are_found(without_nim: Tampered) -> None:
    """They cannot be told from forged ones, and no version of pokersvc writes them."""
    without_nim.sql("UPDATE game_summaries SET counted = rounds WHERE game_id = 'nim'")
    row: Row = ("all", "Zoe", "", "", "", 0, *ONES)
    without_nim.sql(f"INSERT INTO tallies VALUES ({', '.join('?' * len(row))})", row)
    assert found(without_nim) == ["other figures in the tallies"]


def test_where_a_game_cannot_be_counted_the_report_says_so_and_what_no_hands_make_is_found(tallied: Tampered) -> None:
    tallied.sql("UPDATE events SET type = 'Nonsense' WHERE game_id = 'people' AND seq = 1")
    tallied.sql("UPDATE tallies SET net = net + 1 WHERE dimension = 'all' AND player = 'Ann'")
    *games, database = tallied.audited()
    assert [game.game_id for game in games if game.findings] == ["people"]
    assert (database.findings, database.unchecked, database.checked) == ([], {"uncounted game": 1}, False)
    tallied.sql("UPDATE tallies SET dealt = 0.5 WHERE dimension = 'all' AND player = 'Bob'")
    assert [finding.found for finding in tallied.audited()[-1].findings] == [
        "a figure that is not a whole number of 64 bits in the tallies"
    ]


def test_of_a_game_whose_hands_are_in_no_tally_nothing_need_be_counted(tampered: Tampered) -> None:
    tampered.sql("UPDATE events SET type = 'Nonsense' WHERE game_id = 'people' AND seq = 1")
    tally(tampered.database)
    assert tampered.audited()[-1].unchecked == {}
