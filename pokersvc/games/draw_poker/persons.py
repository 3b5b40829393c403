"""The persons of a cash game: their numbers at its start, and the chips that each brought in all games of the table."""

from collections.abc import Mapping
from typing import Final

from pokersvc.betting.cash import number_persons
from pokersvc.betting.cash_seats import Account
from pokersvc.betting.seats import has
from pokersvc.betting.state import BettingState
from pokersvc.core.persons import PersonAccount, Persons
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Options
from pokersvc.games.draw_poker.house.cash_rules import TablePeople, TablePerson

PEOPLE: Final = "people"
"""The option with the persons of the table's earlier games, which only a server sets."""


def begin_persons(state: BettingState, people: TablePeople | None) -> None:
    """Give each person who begins a game a number, and note the chips brought to the table's earlier games."""
    if people is None:
        number_persons(state)
        return
    number_persons(state, people.seats, people.next)
    accounts = state.cash_seats.accounts
    for one in people.known:
        fresh = accounts[one.number].brought - one.has if one.number in accounts else 0
        left = 0 if one.left_ago is None else -one.left_ago
        last = 0 if one.left_ago is None else one.last_taken
        accounts[one.number] = Account(one.brought + fresh, one.taken, last, left)
        state.cash_seats.names.setdefault(one.number, one.name)


def persons_of(state: BettingState) -> Persons | None:
    """Return the persons of a game and the chips that each brought; None in games whose people have no numbers."""
    at = state.cash_seats
    if not state.terms.at_cash.wishes:
        return None
    stacks = {at.persons[seat]: stack for seat, stack in enumerate(state.stacks) if seat and has(state.seated, seat)}
    return Persons(
        tuple(at.persons[1:]),
        at.next_person,
        tuple(
            PersonAccount(
                number,
                at.names[number],
                one.brought,
                one.taken,
                stacks.get(number, 0),
                one.last_taken,
                state.round - one.left_in if one.last_taken else None,
            )
            for number, one in sorted(at.accounts.items())
        ),
        tuple(sorted(seat for seat in at.asked if not has(state.seated, seat))),
    )


def numbered(options: Options, persons: Persons, numbers: Mapping[str, int]) -> Options:
    """Return the options of the table's next game, with the numbers of the people who continue, by name.

    A person who does not continue has taken all their chips away.
    """
    go_on = set(numbers.values())
    known = tuple(
        [
            TablePerson(
                brought=one.brought,
                has=one.has if one.number in go_on else 0,
                last_taken=one.last_taken,
                left_ago=one.left_ago,
                name=one.name,
                number=one.number,
                taken=one.taken if one.number in go_on else one.taken + one.has,
            )
            for one in persons.accounts
        ]
    )
    return {**options, PEOPLE: (known, persons.next, dict(numbers))}


def people_at(seats: tuple[Seat, ...], options: Options) -> TablePeople | None:
    """Return the persons at the seats of a table that has had games before; None for its first game."""
    given: tuple[tuple[TablePerson, ...], int, dict[str, int]] | None = options.get(PEOPLE)
    if given is None:
        return None
    known, new, numbers = given
    sitting = []
    for seat in seats:
        if seat.kind != HUMAN:
            sitting.append(0)
            continue
        if seat.name not in numbers:
            numbers, new = {**numbers, seat.name: new}, new + 1
        sitting.append(numbers[seat.name])
    return TablePeople(known=known, next=new, seats=tuple(sitting))
