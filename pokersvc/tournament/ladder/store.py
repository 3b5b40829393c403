"""Ladders in the database: creating, joining and leaving them, and the results of their members so far.

Every change locks the ladder's row first, so that on a server nobody adds a result of a member who is being removed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, delete, func, insert, or_, select, update

from pokersvc.core.codec import EncodedEvent
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.text import listed
from pokersvc.tournament.ladder.ladders import (
    MOST_MEMBERS,
    DealPlayed,
    Ladder,
    Member,
    UnknownLadder,
    check_deals,
    same_terms,
)
from pokersvc.tournament.ladder.schema import ladder_deals, ladder_members, ladders


class LadderChanged(PokersvcError):
    """A member was removed, or replaced by another of the same name, while its games were played."""

    code = "ladder_changed"


class Pair(NamedTuple):
    """The names of two members; the one that comes first by code points is always the first."""

    one: str
    other: str


class Progress(NamedTuple):
    """A ladder with its members, by name, and the number of deals that each two have played."""

    ladder: Ladder
    members: Mapping[str, Member]
    played: Mapping[Pair, int]

    @property
    def pairs(self) -> list[Pair]:
        """All pairs of members, in the order of their names."""
        names = sorted(self.members)
        return [Pair(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]

    @property
    def missing(self) -> list[Pair]:
        """The pairs that have deals to play."""
        return [pair for pair in self.pairs if self.played.get(pair, 0) < self.ladder.deals]

    @property
    def missing_games(self) -> int:
        """The number of games that must still be played."""
        deals = sum(max(0, self.ladder.deals - self.played.get(pair, 0)) for pair in self.pairs)
        return deals * self.ladder.games_per_deal


class LadderStore:
    """The ladders of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def names(self) -> list[str]:
        """Return the names of all ladders, sorted by code points."""
        with self._database.read() as connection:
            return _names(connection)

    def find(self, name: str) -> Ladder:
        """Return a ladder by its name; raise `UnknownLadder` if there is none."""
        with self._database.read() as connection:
            return _found(connection, name)

    def progress(self, name: str) -> Progress:
        """Return a ladder with its members, and how far they have played; raise `UnknownLadder` if there is none."""
        with self._database.read() as connection:
            ladder = _found(connection, name)
            members = {member.name: member for member in _members(connection, name)}
            deals = ladder_deals.c
            counted = (
                select(deals.one, deals.other, func.count())
                .where(deals.ladder == name, deals.deal <= ladder.deals)
                .group_by(deals.one, deals.other)
            )
            played = {Pair(one, other): count for one, other, count in connection.execute(counted)}
        return Progress(ladder, members, played)

    def changes(self) -> tuple[tuple[object, ...], ...]:
        """Return a value that changes whenever a ladder, a member or a result is added or removed."""
        with self._database.read() as connection:
            of_deals = select(ladder_deals.c.ladder, func.count()).group_by(ladder_deals.c.ladder)
            members = ladder_members.c
            told = (
                select(ladders.c.ladder, ladders.c.created_at, ladders.c.deals, ladders.c.anchor),
                select(members.ladder, members.member, members.added_at).order_by(members.ladder, members.member),
                of_deals.order_by(ladder_deals.c.ladder),
            )
            return tuple(tuple(row) for question in told for row in connection.execute(question))

    def results(self, name: str) -> dict[Pair, dict[int, DealPlayed]]:
        """Return the results of each pair of members of a ladder, deal by deal."""
        found: dict[Pair, dict[int, DealPlayed]] = {}
        deals = ladder_deals.c
        with self._database.read() as connection:
            stored = select(deals.one, deals.other, deals.deal, deals.result).where(deals.ladder == name)
            for one, other, deal, result in connection.execute(stored.order_by(deals.one, deals.other, deals.deal)):
                found.setdefault(Pair(one, other), {})[deal] = DealPlayed.read(result)
        return found

    def played_deals(self, name: str, pair: Pair) -> set[int]:
        """Return the numbers of the deals that two members have played."""
        deals = ladder_deals.c
        with self._database.read() as connection:
            these = select(deals.deal).where(deals.ladder == name, deals.one == pair.one, deals.other == pair.other)
            return set(connection.scalars(these))

    def add(self, ladder: Ladder, member: Member) -> Ladder:
        """Add a member to a ladder, which is created if it does not exist; return the ladder as stored.

        Raise `InvalidValue` if the ladder exists with other rules, or if the bot or its name is already on it.
        """
        with self._database.append() as connection:
            stored = _locked(connection, ladder.name)
            if stored is None:
                connection.execute(insert(ladders), _row_of(ladder))
                stored = ladder
            check_same_terms(stored, ladder)
            _check_new(_members(connection, ladder.name), ladder.name, member)
            connection.execute(
                insert(ladder_members),
                {
                    "ladder": ladder.name,
                    "member": member.name,
                    "kind": member.kind,
                    "content": member.content,
                    "added_at": member.added_at,
                },
            )
        return stored

    def remove(self, name: str, member: str) -> bool:
        """Remove a member with all its results; return whether the ladder, now empty, was removed too."""
        with self._database.append() as connection:
            ladder = _held(connection, name)
            members = [one.name for one in _members(connection, name)]
            if member not in members:
                raise _unknown_member(name, member, members)
            deals = ladder_deals.c
            connection.execute(
                delete(ladder_deals).where(deals.ladder == name, or_(deals.one == member, deals.other == member))
            )
            mine = ladder_members.c
            connection.execute(delete(ladder_members).where(mine.ladder == name, mine.member == member))
            if last := len(members) == 1:
                connection.execute(delete(ladders).where(ladders.c.ladder == name))
            elif ladder.anchor == member:
                connection.execute(update(ladders).where(ladders.c.ladder == name).values(anchor=None))
        return last

    def play_deals(self, name: str, deals: int) -> Ladder:
        """Change the number of deals that each pair plays, and return the ladder; results beyond that number stay."""
        with self._database.append() as connection:
            ladder = _held(connection, name)
            check_deals(ladder, deals)
            connection.execute(update(ladders).where(ladders.c.ladder == name).values(deals=deals))
        return replace(ladder, deals=deals)

    def anchor(self, name: str, member: str | None) -> Ladder:
        """Anchor the ratings at a member, or again at the mean of all; return the ladder."""
        with self._database.append() as connection:
            ladder = _held(connection, name)
            members = [one.name for one in _members(connection, name)]
            if member is not None and member not in members:
                raise _unknown_member(name, member, members)
            connection.execute(update(ladders).where(ladders.c.ladder == name).values(anchor=member))
        return replace(ladder, anchor=member)

    def record(self, name: str, one: Member, other: Member, played: Mapping[int, DealPlayed]) -> None:
        """Store two members' results on deals, by deal number; when this returns, they are on the disk.

        A deal that is stored already stays as it is. Raise `LadderChanged` if one of the two has left the ladder.
        """
        with self._database.append() as connection:
            if _locked(connection, name) is None or not {one, other} <= set(_members(connection, name)):
                raise LadderChanged(f"{one.name} or {other.name} was removed from the ladder {name!r}; run it again.")
            deals = ladder_deals.c
            mine = (deals.ladder == name, deals.one == one.name, deals.other == other.name)
            known = set(connection.scalars(select(deals.deal).where(*mine, deals.deal.in_(list(played)))))
            rows = [
                {"ladder": name, "one": one.name, "other": other.name, "deal": deal, "result": result.text}
                for deal, result in sorted(played.items())
                if deal not in known
            ]
            if rows:
                connection.execute(insert(ladder_deals), rows)


def check_same_terms(stored: Ladder, wanted: Ladder) -> None:
    """Raise `InvalidValue` if two ladders of the same name have different rules."""
    if not same_terms(stored, wanted):
        raise InvalidValue(
            f"The ladder {stored.name!r} already exists, of {stored.title} by other rules; name another with --ladder."
        )


def _check_new(members: Sequence[Member], ladder: str, member: Member) -> None:
    """Raise `InvalidValue` if a bot cannot join these members."""
    for one in members:
        if one.name.casefold() == member.name.casefold():
            raise InvalidValue(
                f"{one.name!r} is on the ladder {ladder!r} already; give {member.kind!r} another name, NAME=KIND."
            )
        if (one.kind, one.content) == (member.kind, member.content):
            raise InvalidValue(f"{member.kind!r} is on the ladder {ladder!r} already, as {one.name!r}.")
    if len(members) >= MOST_MEMBERS:
        raise InvalidValue(f"The ladder {ladder!r} has {MOST_MEMBERS} members, and no more; remove one first.")


def _found(connection: Connection, name: str) -> Ladder:
    row = connection.execute(select(ladders).where(ladders.c.ladder == name)).mappings().first()
    if row is None:
        raise _unknown_ladder(name, _names(connection))
    return _ladder(row)


def _locked(connection: Connection, name: str) -> Ladder | None:
    """Return a ladder, locked until the transaction ends; None if there is none."""
    row = connection.execute(select(ladders).where(ladders.c.ladder == name).with_for_update()).mappings().first()
    return None if row is None else _ladder(row)


def _held(connection: Connection, name: str) -> Ladder:
    """Return a ladder, locked until the transaction ends; raise `UnknownLadder` if there is none."""
    if (ladder := _locked(connection, name)) is None:
        raise _unknown_ladder(name, _names(connection))
    return ladder


def _names(connection: Connection) -> list[str]:
    return list(connection.scalars(select(ladders.c.ladder).order_by(ladders.c.ladder)))


def _members(connection: Connection, name: str) -> list[Member]:
    mine = ladder_members.c
    found = select(mine.member, mine.kind, mine.content, mine.added_at).where(mine.ladder == name)
    return [Member(*row) for row in connection.execute(found.order_by(mine.member))]


def _ladder(row: RowMapping) -> Ladder:
    return Ladder(
        name=row["ladder"],
        kind=row["kind"],
        options=json.loads(row["options"]),
        started=EncodedEvent(*json.loads(row["started"])),
        rounds=row["rounds"],
        opening=row["opening"],
        seats=row["seats"],
        seed=row["seed"],
        deals=row["deals"],
        seconds=row["seconds"],
        anchor=row["anchor"],
        created_at=row["created_at"],
    )


def _row_of(ladder: Ladder) -> dict[str, object]:
    return {
        "ladder": ladder.name,
        "kind": ladder.kind,
        "options": json.dumps(ladder.options, sort_keys=True),
        "started": json.dumps(ladder.started),
        "rounds": ladder.rounds,
        "opening": ladder.opening,
        "seats": ladder.seats,
        "seed": ladder.seed,
        "deals": ladder.deals,
        "seconds": ladder.seconds,
        "anchor": ladder.anchor,
        "created_at": ladder.created_at,
    }


def _unknown_ladder(name: str, known: Sequence[str]) -> UnknownLadder:
    there = f"there is {listed([repr(one) for one in known])}" if known else "begin one with `pokersvc ladder add BOT`"
    return UnknownLadder(f"There is no ladder {name!r}; {there}.")


def _unknown_member(ladder: str, name: str, known: Sequence[str]) -> UnknownLadder:
    return UnknownLadder(f"{name!r} is not on the ladder {ladder!r}; its members are {listed(list(known))}.")
