"""Requests for hands shared by a link: a seat makes, lists and ends them; anyone with the link sees the hand."""

from collections import defaultdict

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from pokersvc.core.registry import game_of
from pokersvc.server.api.addresses import NAMES_A_GAME, REFUSALS, After, SeatNumber, TableId
from pokersvc.server.authentication import bearer_of
from pokersvc.server.errors import UnknownSharedHand
from pokersvc.server.following.shown_hand import shown_hand
from pokersvc.server.models.answers import NewSharedHand, OwnSharedHands, SharedHandAnswer
from pokersvc.server.models.bodies import EndedHandBody, HandBody
from pokersvc.server.parts import Parts
from pokersvc.server.tables.information import takes_rounds
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.shared_hands import SharedHand


def routes(parts: Parts) -> APIRouter:
    """Return the routes for shared hands."""
    router = APIRouter(prefix="/api/tables/{table}", tags=["hands"], responses=REFUSALS)
    hands = parts.shared_hands

    @router.post("/seats/{seat}/hands", response_model=NewSharedHand, status_code=201, dependencies=NAMES_A_GAME)
    async def share(table: TableId, seat: SeatNumber, asked: HandBody, request: Request) -> dict[str, object]:
        """Share a hand of a finished game by a link, as everybody may know it or with this seat's own cards."""
        return await parts.slow.answer(request, lambda: shared(table, seat, asked, request))

    def shared(table: str, seat: int, asked: HandBody, request: Request) -> dict[str, object]:
        opened = parts.authentication.seat(request, table, seat)
        row = opened.table
        parts.within(parts.command_rate, row.game_id, seat)
        token, made = hands.share(row, opened.seat, asked.round, cards=asked.cards)
        return told(row, made, asked.round) | {"link": parts.link(request, f"/t/{row.table_id}/hand/#{token}")}

    @router.get("/seats/{seat}/hands", response_model=OwnSharedHands, dependencies=NAMES_A_GAME)
    async def list_hands(table: TableId, seat: SeatNumber, request: Request) -> dict[str, object]:
        """Return the hands of the table's games that the holder of this seat shares."""
        return await parts.slow.answer(request, lambda: listed(table, seat, request))

    def listed(table: str, seat: int, request: Request) -> dict[str, object]:
        opened = parts.authentication.seat(request, table, seat)
        found = hands.of(opened.table, opened.seat.token)
        of_game: dict[str, list[SharedHand]] = defaultdict(list)
        for one in found:
            of_game[one.game_id].append(one)
        said: dict[SharedHand, dict[str, object]] = {}
        for game, some in of_game.items():
            row = parts.tables.get(game)
            said |= {one: told(row, one, number) for one, number in zip(some, hands.numbers(row, some), strict=True)}
        return {
            "hands": [said[one] for one in found],
            "last": hands.last(opened.table, opened.seat),
            "rounds": takes_rounds(game_of(opened.table.kind)),
        }

    @router.post("/seats/{seat}/hands/end", status_code=204, dependencies=NAMES_A_GAME)
    def end(table: TableId, seat: SeatNumber, asked: EndedHandBody, request: Request) -> None:
        """End a link with which the holder of this seat shares a hand."""
        opened = parts.authentication.seat(request, table, seat)
        parts.within(parts.command_rate, opened.table.game_id, seat)
        hands.end(opened.table, opened.seat.token, asked.id)

    @router.get("/hand", responses={200: {"model": SharedHandAnswer}})
    async def show(table: TableId, request: Request, after: After = 0) -> Response:
        """Return the hand of a link, whose token is the bearer token; at most 200 events at once."""
        return await parts.slow.answer(request, lambda: shown(table, request, after))

    def shown(table: str, request: Request, after: int) -> Response:
        try:
            row, hand = hands.opened(table, bearer_of(request))
        except UnknownSharedHand:
            parts.authentication.enter(request)  # limits how many tokens an address can try
            raise
        return JSONResponse(shown_hand(parts.service, row, hand, after))

    def told(row: TableRow, hand: SharedHand, number: int) -> dict[str, object]:
        return {
            "id": hand.id,
            "game": row.game_id,
            "number": row.number,
            "round": number,
            "cards": hand.cards,
            "created_at": hand.created_at,
            "shown": hands.is_shown(row, hand),
        }

    return router
