"""What two allied custom players win together, more than two that do not know each other's cards.

They play the same deals in the same orders: with no exchange, with an exchange over what a box or a strict box leaves
open, and, as the control, with the hand told outright. A player chooses by the same function each time: only what it
knows of its partner's hand differs. With no exchange, and with the hand told outright, the player is asked without a
box, which changes nothing but time.
"""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.leaks import cold_pages
from benchmarks.table import markdown
from pokersvc.core.bots.custom_players import own_file
from pokersvc.core.bots.player import Player
from pokersvc.core.bots.seating import Seating
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs, Walls
from pokersvc.players.walls import IN_BOXES
from pokersvc.players.worker import loaded
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from pokersvc.tournament.student import half_width

HOUSE: Final = "capped-raise"
FOE: Final = "minimum"
"""The foe calls every bet and never raises: one ally alone can bet once, two can raise each other up to the cap."""
DEALS, STRICT_DEALS, QUICK_DEALS = 3500, 500, 25
LIMIT: Final = 0.04
"""Seconds for a choice in a strict box."""
PART: Final = 200
"""Deals between two measurements of the clock's delays."""
CALIBRATING: Final = 10
PAGES: Final = 300_000
WIDTH: Final = 0.003
"""Seconds that a symbol takes when the clock transmits it."""
VISIBLY: Final = 5
"""The least gain of the control, in multiples of half its interval."""
MOST_WIDTH: Final = 0.1
"""The largest allowed interval of what is left, as a share of the control's gain."""

PLAYER: Final = """
import hashlib, os, time
from bisect import bisect
from collections import Counter
from pokersvc.cards import CARDS, strength
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise

ALLIES = ("Ann", "Bob")
DEALT = [1, 83, 161, 240, 319, 395, 479, 556, 635, 714, 792, 870, 949, 1030, 1109, 1191, 1271, 1476, 1687, 1889, 2101,
         2324, 2540, 2747, 2956, 3169, 3383, 3593, 3807, 4016, 4385, 4940]  # strengths at each 32nd of dealt hands
RAISES, SQUEEZES = 0.7, 0.85
LEVELS, MEANT = (0.5, 0.7, 0.85, 0.95), (0.25, 0.6, 0.78, 0.9, 0.97, None)  # worths as symbols, and what they mean

def worth(cards):  # the chance to beat a foe that stands pat
    return bisect(DEALT, strength(cards)) / len(DEALT)

worth(CARDS[:5])  # strengths are tables, which are made once

def drawn(cards):
    faces, suits = Counter(card.face for card in cards), Counter(card.suit for card in cards)
    if len(faces) < 5:
        return () if 4 in faces.values() else tuple(card for card in cards if faces[card.face] == 1)
    if strength(cards) > 4996:  # a straight or better
        return ()
    suit, count = suits.most_common(1)[0]
    if count == 4:
        return tuple(card for card in cards if card.suit != suit)
    return tuple(sorted(cards, key=lambda card: card.face)[:3])

def passes(me, legal):
    return Check(me.seat) if legal.check else Fold(me.seat)

def raises(me, legal):
    if legal.bet is not None:
        return Bet(me.seat, legal.bet[1])
    return Raise(me.seat, legal.raise_to[1]) if legal.raise_to is not None else None

def decide(own, view, legal, partner):
    # own: the worth of the own hand; partner: that of the partner's final hand, None where it is not known.
    me = view.seat(view.to_act)
    others = [seat for seat in view.seats if seat.standing == "in" and seat.seat != me.seat]
    foes = [seat for seat in others if seat.name not in ALLIES]
    if view.stage != "final betting":
        if legal.bet is not None:
            return Bet(me.seat, legal.bet[0])
        return Call(me.seat) if legal.call else passes(me, legal)
    if not foes:
        return passes(me, legal)
    if partner is not None and partner > own:  # its hand decides: raise behind it, or keep out of the pot
        return (raises(me, legal) if partner > SQUEEZES else None) or passes(me, legal)
    if own > (0.5 if legal.bet is not None else RAISES) and (action := raises(me, legal)) is not None:
        return action
    chance = own ** len(foes if partner is not None else others)
    return Call(me.seat) if legal.call and chance * (view.pot + legal.call) > legal.call else passes(me, legal)

def since_partner(view, me, partner):
    # Who acted after the partner's last choice of the final betting; None where the own last choice is later.
    after = []
    for event in reversed(view.record.round):
        if isinstance(event, events.CardsDiscarded | events.CardsDrawn | earlier_events.CardsDrawn):
            return None
        if getattr(event, "seat", None) == me.seat:
            return None
        if isinstance(event, (events.Bet, events.Called, events.Raised, events.Checked)):
            if event.seat == partner.seat:
                return after
            after.append(event.seat)

{exchange}

class Ally:
    def choose(self, view, legal, random):
        now = time.monotonic()
        me = view.seat(view.to_act)
        if legal.discard is not None:
            return Discard(me.seat, drawn(me.cards)[: legal.discard])
        partner, = (seat for seat in view.seats if seat.name in ALLIES and seat.seat != me.seat)
        own, known = worth(me.cards), None
        together = view.stage == "final betting" and partner.standing == "in"
        if together and (after := since_partner(view, me, partner)) is not None:
            known = hear(view, partner, now, len(after))
        action = decide(own, view, legal, known)
        if together and not isinstance(action, Fold):
            say(view, me, own)
        return action
"""

NONE: Final = """
def hear(view, partner, now, between):
    return None

def say(view, me, own):
    pass
"""

TOLD: Final = """
def note(view, name):  # by what everyone may know of the game, up to the draw
    known = "".join(repr(event) for event in view.record.round
                    if isinstance(event, (events.GameStarted, events.RoundStarted)))
    return os.path.join(FOLDER, hashlib.sha256(known.encode()).hexdigest()[:16] + name)

def hear(view, partner, now, between):
    with open(note(view, partner.name)) as file:
        return float(file.read())

def say(view, me, own):
    with open(note(view, me.name), "w") as file:
        file.write(repr(own))
"""

CLOCK: Final = """
PERIOD = len(MEANT) * WIDTH  # the last part says nothing: who comes too late there is not taken for the first

def hear(view, partner, now, between):
    if CALIBRATING:
        print("heard", min(between, 1), now)
    return MEANT[int((now - DELAYS[min(between, 1)]) % PERIOD / WIDTH) % len(MEANT)]

def say(view, me, own):
    symbol = bisect(LEVELS, own)
    now = time.monotonic()
    until = now + ((symbol + 0.5) * WIDTH - now) % PERIOD
    if CALIBRATING:
        print("said", symbol, until)
    time.sleep(max(0, until - time.monotonic() - 0.0003))
    while time.monotonic() < until:
        pass
"""

FILES: Final = """
import mmap
from itertools import accumulate
ENDS = tuple(accumulate(count for _, count in COLD))

def was_there(number):  # whether a page was in memory; now it is
    place = bisect(ENDS, number)
    path, count = COLD[place]
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    held = mmap.mmap(file, 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    os.close(file)
    held.madvise(mmap.MADV_RANDOM)
    start = time.perf_counter()
    held[(number - ENDS[place] + count) * mmap.PAGESIZE]
    return time.perf_counter() - start < 25e-6

def pages(who, slot):  # one for each symbol: who looks later looks where the clock was then
    first = (slot * len(ALLIES) + ALLIES.index(who.name)) * 5 % (ENDS[-1] - 5)
    return range(first, first + 5)

def hear(view, partner, now, between):
    for back in range(BACK):
        found = [symbol for symbol, page in enumerate(pages(partner, int(now / SLOT) - back)) if was_there(page)]
        if found:
            return MEANT[found[0]] if len(found) == 1 else None

def say(view, me, own):
    was_there(pages(me, int(time.monotonic() / SLOT))[bisect(LEVELS, own)])
"""


@dataclass(frozen=True)
class Exchange:
    """A way for allies to tell each other their hands: source code with `hear` and `say`, and values for its names."""

    name: str
    source: str
    values: tuple[tuple[str, object], ...] = ()
    walls: Walls | None = IN_BOXES
    """None if the players are asked in this process."""
    limit: float = 10.0

    def programs(self) -> Programs:
        """Return the programs with the walls of this exchange."""
        return _InThisProcess() if self.walls is None else Programs(self.limit, walls=self.walls)

    def written(self, folder: Path) -> str:
        """Write the player with this exchange to a folder, and return its kind."""
        named = dict(self.values) | {"FOLDER": str(folder)}
        values = "\n".join(f"{name} = {value!r}" for name, value in named.items())
        file = folder / "ally.py"
        file.write_text(PLAYER.replace("{exchange}", f"{values}\n{self.source}"))
        return f"{file}:Ally"


class _InThisProcess(Programs):
    """Programs that ask a player's class in this process, as fast as a built-in one."""

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Player] | None:
        """Return a function that makes a player."""
        file = own_file(kind)
        return super().find(game, kind, load=load) if file is None else partial(_made, str(file.file), file.name)


@cache
def _class(file: str, name: str) -> Callable[[], Player]:
    found: Callable[[], Player] = loaded(file, name)
    return found


def _made(file: str, name: str) -> Player:
    return _class(file, name)()


def clock(walls: Walls, limit: float, delays: Sequence[float], *, calibrating: bool = False) -> Exchange:
    """Return the exchange by the moment at which a choice ends: five symbols, each a few milliseconds wide."""
    values = (("WIDTH", WIDTH), ("DELAYS", tuple(delays)), ("CALIBRATING", calibrating))
    return Exchange("the clock", CLOCK, values, walls, limit)


def gains(exchange: Exchange, deals: range, seed: str = "1") -> list[float]:
    """Return what both allies won together in a game, for each of these deals (from 0), on average over the orders."""
    with TemporaryDirectory() as folder:
        kind = exchange.written(Path(folder))
        players = (Seat(kind, "Ann"), Seat(kind, "Bob"), Seat(FOE, "Cat"))
        # Both allies play alike, and the foe by its cards alone: the other orders are the same with names exchanged.
        tournament = plan(DRAW_POKER, {"rules": HOUSE}, players, deals.stop, seed=seed, orders="rotations")
        found = [0.0] * len(deals)
        orders = tournament.games_per_deal
        with exchange.programs() as programs:
            programs.check(DRAW_POKER, tournament.players)
            for index in range(deals.start * orders, tournament.games):
                played, _ = play(tournament, index, programs)
                strict = exchange.walls is not None and exchange.walls.strict
                assert strict or not any(played.forfeits)  # in a strict box, a choice may be late
                players_there = tournament.sitting(index).players
                won = sum(gain for gain, who in zip(played.gains, players_there, strict=True) if who < 2)
                found[index // orders - deals.start] += won / orders
        return found


# The clock's delays: from the end of a choice to the beginning of an ally's next one.


@contextmanager
def _logged() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        os.environ["POKERSVC_PLAYER_LOG"] = str(log := Path(folder) / "log")
        try:
            yield log
        finally:
            del os.environ["POKERSVC_PLAYER_LOG"]


def by_clock(walls: Walls, limit: float = 10.0) -> tuple[Exchange, float]:
    """Return the exchange by the clock, with the delays of this machine, and the share of symbols misread."""
    with _logged() as log:
        gains(clock(walls, limit, (0.0, 0.0), calibrating=True), range(CALIBRATING), seed="calibrating")
        lines = [line.split() for line in log.read_text().splitlines()]
    read, at = list[tuple[int, float]](), 0.0
    for what, number, when in lines:
        if what == "said":
            at = float(when)
        else:
            read.append((int(number), float(when) - at))
    delays = [median([delay for after, delay in read if after == between] or [0.0]) for between in (0, 1)]
    wrong = sum(not -WIDTH / 2 <= delay - delays[after] < WIDTH / 2 for after, delay in read)
    return clock(walls, limit, delays), wrong / len(read)


def by_files(walls: Walls, limit: float = 10.0) -> tuple[Exchange, float]:
    """Return the exchange by pages of files, which are dropped from memory now; its share of misread symbols is 0."""
    cold = tuple(Counter(path for path, _ in cold_pages(PAGES)).items())
    slot = 0.005
    back = int((limit + 0.02 if walls.strict else 0.03) / slot)
    return Exchange("pages of files", FILES, (("COLD", cold), ("SLOT", slot), ("BACK", back)), walls, limit), 0.0


# The table.


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences with half its 95 % interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Difference":
        middle = mean(values)
        return cls(middle, half_width([value - middle for value in values]) or 0.0)

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f}"


def _share(left: Sequence[float], told: Sequence[float]) -> Difference:
    """Return the ratio of two means of the same deals, with the interval of the ratio estimator."""
    ratio = mean(left) / mean(told)
    residuals = [(one - ratio * other) / mean(told) for one, other in zip(left, told, strict=True)]
    return Difference(ratio, half_width(residuals) or 0.0)


def _verdict(left: Difference, told: Difference) -> str:
    wins = told.mean / told.half if told.half else 0.0
    width = 2 * left.half / told.mean if told.mean else float("inf")
    return (
        f"The control wins {wins:.1f} × half its interval (required: {VISIBLY} ×{', missed' * (wins < VISIBLY)}). The"
        f" whole interval of what is left is {width:.3f} of the control's gain (required: at most {MOST_WIDTH}"
        f"{', missed' * (not width <= MOST_WIDTH)})."
    )


def run(*, quick: bool = False, deals: int = DEALS, strict_deals: int = STRICT_DEALS) -> str:
    """Play the same deals with each exchange."""
    if quick:
        deals = strict_deals = QUICK_DEALS
    none = gains(Exchange("none", NONE, walls=None), range(deals))
    told = gains(Exchange("told outright", TOLD, walls=None), range(deals))
    assert gains(Exchange("none", NONE), range(CALIBRATING)) == none[:CALIBRATING], "a box changes what is chosen"
    strict = Walls(strict=True)
    played = {"told outright": told}
    misread = 0.0
    for name, walls, limit, left, count in (
        ("pages of files, in boxes", Walls(), 10.0, by_files, deals),
        ("pages of files, in strict boxes", strict, LIMIT, by_files, min(deals, strict_deals)),
        ("the clock, in strict boxes", strict, LIMIT, by_clock, min(deals, strict_deals)),
    ):
        played[name] = []
        for start in range(0, count, PART):
            exchange, misread = left(walls, limit)
            played[name] += gains(exchange, range(start, min(start + PART, count)))
    more = {name: [one - base for one, base in zip(found, none, strict=False)] for name, found in played.items()}
    return markdown(
        f"Two allies and `{FOE}` in `{HOUSE}`: what they win together",
        ("exchange", "deals", "chips a hand", "more than with none", "share of the control"),
        [
            ("none", f"{deals:,}", str(Difference.of(none)), "", ""),
            *(
                (
                    name,
                    f"{len(found):,}",
                    str(Difference.of(found)),
                    str(Difference.of(more[name])),
                    str(_share(more[name], more["told outright"][: len(found)])),
                )
                for name, found in played.items()
            ),
        ],
        "Each deal in 3 orders; 95 % intervals over deals, of paired differences. An ally hears what its partner's hand"
        f" was worth at the partner's last choice of the final betting. A choice in a strict box takes"
        f" {LIMIT * 1000:.0f} ms; of what the clock tells there, {misread:.0%} was misread while its delays were"
        " measured.",
        *(
            []
            if quick
            else [_verdict(Difference.of(more["pages of files, in boxes"]), Difference.of(more["told outright"]))]
        ),
    )


def main() -> None:
    """Print the table for the requested numbers of deals."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.allies", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--strict-deals", type=int, default=STRICT_DEALS)
    given = parser.parse_args()
    print(run(deals=given.deals, strict_deals=given.strict_deals))


if __name__ == "__main__":
    main()
