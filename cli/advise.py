"""`pokersvc advise`: which cards to discard, exactly or by Monte Carlo, and the value of every discard."""

import re
from enum import StrEnum
from typing import Annotated

import typer

from pokersvc.cli.arguments import MOST
from pokersvc.cli.output import LEAST_COLUMNS, USUAL_COLUMNS, columns, print_json, wrapped
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import advising


class Aim(StrEnum):
    """The aim of a discard: the best chance to win, or the highest mean on one of three scales of hands."""

    WIN = "win"
    RANK = "rank"
    LINEAR = "linear"
    CODE = "code"


class Method(StrEnum):
    """The method by which the values of discards are calculated."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


def advise(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help="Five cards, such as AH 10D JS 3C 2D.")],
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="HOUSE|FILE", help="Use the objective and limits of this house."),
    ] = None,
    objective: Annotated[
        Aim | None, typer.Option("--objective", help="What to maximise. [win, or as in the house]")
    ] = None,
    opponents: Annotated[
        int | None, typer.Option("--opponents", min=1, max=9, metavar="N", help="Number of opponents. [1]")
    ] = None,
    drew: Annotated[
        list[str] | None,
        typer.Option("--drew", metavar="N,N", help="How many cards the first opponents drew, in order."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat",
            metavar="SEAT",
            help="When you draw: first, middle, last or a number. [after those of --drew]",
        ),
    ] = None,
    folded: Annotated[
        int | None, typer.Option("--folded", min=0, max=8, metavar="N", help="Number of players who have folded. [0]")
    ] = None,
    dead: Annotated[list[str] | None, typer.Option("--dead", metavar="CARDS", help="Cards seen elsewhere.")] = None,
    method: Annotated[Method, typer.Option("--method", help="How to calculate the values.")] = Method.EXACT,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples",
            min=2,
            max=10_000_000,
            metavar="N",
            help="Random draws per discard (Monte Carlo). [20000, or as in the house]",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Seed for Monte Carlo; the same seed gives the same answer."),
    ] = None,
    top: Annotated[
        int | None, typer.Option("--top", min=1, max=MOST, metavar="N", help="Show the best N discards only.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Advise what to discard, and show the value of every discard.

    Chances are in percent; a chance to win has a margin of error. Values are
    calculated exactly, unless the deck may run out or draws are known: then the
    draw is simulated some 90,000 times, and each value is followed by its
    standard error.

    Example: pokersvc advise "AH AD JS 3C 2D" --opponents 6 --seat last
    """
    question = advising.hand_advice.Question(
        " ".join(cards),
        house=rules,
        aim=None if objective is None else objective.value,
        opponents=opponents,
        drew=_numbers(",".join(drew or [])),
        seat=seat,
        folded=folded,
        dead=" ".join(dead or []),
        monte_carlo=method is Method.MONTE_CARLO,
        samples=samples,
        seed=seed,
    )
    found = advising.hand_advice.answer(question)
    if as_json:
        print_json(found.document(top))
        return
    print(wrapped(found.sentence()))
    print("", *found.table(top, max(LEAST_COLUMNS, columns() or USUAL_COLUMNS)), sep="\n")


def _numbers(text: str) -> list[int]:
    """Parse a list of numbers such as ``1,3``."""
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if wrong := [word for word in words if not re.fullmatch(r"[0-9]{1,3}", word)]:
        raise InvalidValue(f"--drew {text!r} is not a list of numbers such as 1,3: {wrong[0]!r} is not a number.")
    return [int(word) for word in words]
