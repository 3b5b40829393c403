"""What is posted before the deal, as a game's start has it, and whether it is posted where it is due."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from pokersvc.games.draw_poker.cash_table import Post
from pokersvc.histories import told
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.finding import Contradiction, say_amount
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import ToldHand

_BIG: Final = ("big", "both", "extra")
_SAID: Final = {"small": "the small blind", "big": "the big blind"}


def posts_of(hand: ToldHand, seating: DealtIn) -> tuple[Post, ...]:
    """Return what is due before the deal, beside antes: the blinds, then what others post.

    A second big blind is a newcomer's. What is posted for a small and a big blind at once is a live big blind, and the
    rest is dead.
    """
    posts: list[tuple[int, _Kind, int]] = []
    posted = _posted(hand)
    blind = big_blind_of(posted, seating)
    for one in posted:
        if one.kind == "ante" or (seat := seating.seats.get(one.name)) is None:
            continue
        due = _due(hand, one)
        if one.kind == "both":
            posts.append((min(due, hand.big_blind), "extra", seat))
            posts.append((due - hand.big_blind, "dead", seat))
        elif one.kind == "big" and one is not blind:
            posts.append((due, "extra", seat))
        else:
            posts.append((due, one.kind, seat))
    places = {seat: place for place, seat in enumerate(seating.clockwise(seating.button))}  # as no site tells them
    posts.sort(key=lambda post: (told.POST_KINDS.index(post[1]), places[post[2]]))
    return tuple([Post(amount=amount, kind=kind, seat=seat) for amount, kind, seat in posts if amount > 0])


_Kind: TypeAlias = Literal["small", "big", "extra", "dead", "straddle"]


def _due(hand: ToldHand, one: told.Posted) -> int:
    """Return what is due: of who is all in, the whole blind."""
    whole = hand.small_blind if one.kind == "small" else hand.big_blind if one.kind in _BIG else 0
    return max(one.amount, whole) if one.all_in else one.amount


def _posted(hand: ToldHand) -> list[told.Posted]:
    return [one for one in hand.told if one.__class__ is told.Posted]


def big_blind_of(posted: list[told.Posted], seating: DealtIn) -> told.Posted | None:
    """Return the statement of the big blind: of several, that of the first seat after the small blind's."""
    small = next((seating.seats.get(one.name, 0) for one in posted if one.kind == "small"), 0)
    bigs = {seating.seats.get(one.name, 0): one for one in posted if one.kind == "big"}
    if not bigs:
        return None
    order = seating.clockwise(small or seating.button)
    return next((bigs[seat] for seat in order if seat in bigs), None)


def misplaced(hand: ToldHand, seating: DealtIn) -> Iterator[Contradiction]:
    """Yield blinds that are posted where, or of an amount that, they are not due.

    The small blind is due left of the button, and the big blind left of it; between two the button has the small
    blind. Where the small blind is missing, as its seat was left, the big blind is anybody's.
    """
    posted = _posted(hand)
    if CONVENTIONS[hand.dialect].ordered:
        yield from _out_of_order(posted)
    order = seating.clockwise(seating.button)
    heads_up = len(order) == 2 and any(player.number == hand.button for player in seating.players)
    first = order[-1] if heads_up else order[0]
    small_seat = None
    for one in posted:
        if (seat := seating.seats.get(one.name)) is None:
            yield Contradiction(one.line, f"that {one.name} posts", f"that {one.name} is not dealt in")
        elif one.amount <= 0:
            yield Contradiction(
                one.line, f"that {one.name} posts {say_amount(one.amount, hand.currency)}", "some chips"
            )
        elif one.kind == "small" and small_seat is None:
            small_seat = seat
            if seat != first:
                yield _where(one, "the small blind", seating.name(first))
            yield from _how_much(hand, posted, one, hand.small_blind)
            if one.amount > hand.big_blind > 0:
                found, most = (say_amount(amount, hand.currency) for amount in (one.amount, hand.big_blind))
                yield Contradiction(one.line, f"a small blind of {found}", f"at most the big blind, {most}")
        elif one.kind == "small":
            yield Contradiction(one.line, f"that {one.name} posts the small blind", "that it is posted")
        elif one.kind in ("big", "extra"):
            yield from _how_much(hand, posted, one, hand.big_blind)
    blind = big_blind_of(posted, seating)
    if blind is not None and (small_seat is not None or heads_up):
        due = order[0] if heads_up else seating.clockwise(small_seat or 0)[0]
        if seating.seats.get(blind.name) != due:
            yield _where(blind, "the big blind", seating.name(due))


def _out_of_order(posted: list[told.Posted]) -> Iterator[Contradiction]:
    """Yield antes after blinds, and a small blind after the big one."""
    before: set[str] = set()
    for one in posted:
        if one.kind == "ante" and before - {"ante"}:
            yield Contradiction(one.line, f"that {one.name} posts an ante", "that the antes are posted")
        elif one.kind == "small" and "big" in before:
            yield Contradiction(one.line, f"that {one.name} posts the small blind", "that the big blind is posted")
        before.add(one.kind)


def _where(one: told.Posted, what: str, who: str) -> Contradiction:
    return Contradiction(one.line, f"that {one.name} posts {what}", f"that it is due from {who}")


def _how_much(hand: ToldHand, posted: list[told.Posted], one: told.Posted, due: int) -> Iterator[Contradiction]:
    player = next(player for player in hand.players if player.name == one.name)
    antes = sum(post.amount for post in posted if post.name == one.name and post.kind == "ante")
    expected = min(due, player.stack - antes)
    if one.amount != expected and due:
        found = say_amount(one.amount, hand.currency)
        yield Contradiction(one.line, f"that {one.name} posts {found}", f"{say_amount(expected, hand.currency)}")
