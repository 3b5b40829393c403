"""Builds a hand's record (table, cards and payments, which the engine takes instead of chance) and its quotation."""

from collections.abc import Sequence
from datetime import UTC
from functools import lru_cache
from typing import Final

from pokersvc.cards.unknown import AnyCard, unknown
from pokersvc.games.draw_poker.events import Share
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.cash_table import Currency as TableCurrency
from pokersvc.games.draw_poker.recorded_hands.recorded import RecordedHand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import Award, HandQuoted, PlayedAt, SeatCards, Tournament
from pokersvc.histories import statements
from pokersvc.histories.contributions import staked_in
from pokersvc.histories.following.cards import HAND, Holding, KnownCards
from pokersvc.histories.following.engine_actions import HandDone
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.following.house import ShownHouse, rules_of
from pokersvc.histories.following.posting import posts_of
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import Currency, HandHistory

_LONGEST_FINDING: Final = 500


def recorded_hand(
    hand: HandHistory, seating: DealtIn, known: KnownCards, rake: tuple[int, ...], house: ShownHouse
) -> RecordedHand:
    """Return the facts known before anybody chooses: rules, table, cards, mucked hands and payments.

    ``rake`` is the rake of each pot.
    """
    players = seating.players
    showed = {one.name for one in hand.told if isinstance(one, statements.Showed)}
    mucked = {
        seating.seats[one.name]
        for one in hand.told
        if isinstance(one, statements.Mucked) and one.name not in showed and one.name in seating.seats
    }
    table = CashTable(
        button=players[seating.button - 1].number if hand.button is None else hand.button,
        currency=_currency(hand.currency),
        numbers=tuple([player.number for player in players]),
        posts=posts_of(hand, seating),
        rake=rake,
        recorded=True,
        stacks=tuple([player.stack for player in players]),
    )
    return RecordedHand(
        awards=_awards(hand, seating),
        cards=tuple([seat_cards(known.of(player.name), seat) for seat, player in enumerate(players, 1)]),
        mucked=tuple(sorted(mucked)),
        rules=rules_of(hand, house),
        seats=tuple([player.name for player in players]),
        table=table,
    )


def rake_of(hand: HandHistory) -> tuple[int, ...]:
    """Return the rake: the part of the pots that winners did not get, or the stated rake if no winner is named.

    So a rake stated in a later line can contradict the payments. If the rake of each pot is stated, these amounts are
    returned. In a tournament the house takes its fee from the buy-ins, and nothing from a pot.
    """
    if hand.tournament is not None:
        return (0,)
    stated = next((one for one in hand.told if isinstance(one, statements.Totals) and one.rake is not None), None)
    if stated is not None and stated.rakes:
        return stated.rakes
    won = [one for one in hand.told if isinstance(one, statements.Won)]
    if won:
        staked = staked_in(hand)
        uncalled = sum(staked.returned.values()) if any(one.uncalled_too for one in won) else 0
        return (max(0, staked.pot + uncalled - sum(one.amount for one in won)),)
    return (_rake_by_stacks(hand) if stated is None or stated.rake is None else stated.rake,)


def rake_by_pot(hand: HandHistory, done: HandDone | None) -> tuple[int, ...] | None:
    """Return the rake of each pot, if the payments show that it was not taken from the main pot first; else None."""
    if done is None or len(done.pots) < 2 or not done.rake:
        return None
    paid = dict.fromkeys(sorted(done.pots), 0)
    uncalled = staked_in(hand).returned
    for one in hand.told:
        if isinstance(one, statements.Won):
            if one.pot is None or one.pot + 1 not in paid:
                return None
            paid[one.pot + 1] += one.amount - (uncalled.pop(one.name, 0) if one.uncalled_too else 0)
    taken = tuple([done.pots[pot] + done.raked.get(pot, 0) - paid[pot] for pot in paid])
    fits = min(taken) >= 0 and sum(taken) == done.rake and paid != done.pots
    return taken if fits else None


def _rake_by_stacks(hand: HandHistory) -> int:
    after = {one.name: one.stack for one in hand.told if isinstance(one, statements.Summed) and one.stack is not None}
    playing = hand.dealt_in()
    if any(player.name not in after for player in playing):
        return 0
    return max(0, sum(player.stack - after[player.name] for player in playing))


def seat_cards(holding: Holding, seat: int) -> SeatCards:
    """Return the known cards of a seat, from the deal to the end."""
    end = holding.shown or holding.hand
    kept: Sequence[AnyCard] = holding.kept or ()
    drawn = holding.drawn or ()
    if end is not None and not holding.count:
        kept = end
    elif end is not None and holding.dealt is not None:
        drawn = tuple([card for card in end if card not in holding.dealt])
    elif end is not None and drawn and not kept:
        kept = [card for card in end if card not in drawn]
    dealt: Sequence[AnyCard] = holding.dealt or (*kept, *(holding.gone or ()))
    return SeatCards(
        dealt=(*dealt, *unknown(HAND - len(dealt))),
        drawn=drawn if len(drawn) == holding.count else (),
        held=holding.shown or (),
        seat=seat,
    )


def discards_of(holding: Holding, count: int) -> tuple[AnyCard, ...]:
    """Return the cards of a discard; all are unknown if the text does not state them."""
    end = holding.shown or holding.hand
    gone = holding.gone
    if gone is None and holding.dealt is not None and end is not None:
        gone = tuple([card for card in holding.dealt if card not in end])
    return gone if gone is not None and len(gone) == count else unknown(count)


def _awards(hand: HandHistory, seating: DealtIn) -> tuple[Award, ...]:
    """Return the payments of each pot; empty if there are side pots and the text does not say which one paid."""
    won: Sequence[statements.Won] = [one for one in hand.told if isinstance(one, statements.Won)] or _won_in_all(hand)
    if not won:
        return ()
    staked = staked_in(hand)
    uncalled = staked.returned
    matched = staked.matched
    levels = {matched[name] for name in seating.seats if name not in staked.folded}
    if len(levels) > 1 and any(one.pot is None for one in won):
        return ()
    paid: dict[int, dict[int, int]] = {}
    for one in won:
        if one.name in seating.seats:
            amount = one.amount - (uncalled.pop(one.name, 0) if one.uncalled_too else 0)
            if amount > 0:
                pot = paid.setdefault((one.pot or 0) + 1, {})
                seat = seating.seats[one.name]
                pot[seat] = pot.get(seat, 0) + amount
    return tuple(
        [
            Award(pot, tuple([Share(shares[seat], seat) for seat in sorted(shares)]))
            for pot, shares in sorted(paid.items())
        ]
    )


def _won_in_all(hand: HandHistory) -> list[statements.Won]:
    """Return each winner's total as a payment, for formats without payments, to show who won with unknown cards."""
    summed = [one for one in hand.told if isinstance(one, statements.Summed)]
    return [statements.Won(line=one.line, name=one.name, amount=one.won, pot=None) for one in summed if one.won]


def quotation(
    hand: HandHistory, seating: DealtIn, digest: str, lines: tuple[int, ...], found: Sequence[Contradiction]
) -> HandQuoted:
    """Return the quotation of a hand: its origin, its text, and its findings.

    ``digest`` is the file's SHA-256, and ``lines`` has the line of each event of the game after the quotation.
    """
    played, tournament = hand.played, hand.tournament
    return HandQuoted(
        dialect=hand.dialect,
        digest=digest,
        findings=tuple([str(one)[:_LONGEST_FINDING] for one in found]),
        first_line=hand.first_line,
        hero=seating.seats.get(hand.hero or ""),
        lines=lines,
        number=hand.number,
        played=None
        if played is None
        else PlayedAt(
            ambiguous=played.ambiguous,
            text=played.text,
            utc=played.utc.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            zone=played.zone,
        ),
        site=hand.site,
        size=hand.size,
        table=hand.table,
        text=hand.text,
        tournament=None
        if tournament is None
        else Tournament(
            buy_in=tournament.buy_in,
            currency=_currency(tournament.currency),
            fee=tournament.fee,
            level=tournament.level,
            number=tournament.number,
        ),
    )


@lru_cache(64)
def _currency(currency: Currency) -> TableCurrency:
    return TableCurrency(code=currency.code, exponent=currency.exponent)
