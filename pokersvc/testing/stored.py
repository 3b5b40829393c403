"""A game through the whole service: stored, replayed, audited, exported, verified, and played in a tournament."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import export
from pokersvc.evidence.audit import audit
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification
from pokersvc.players import Programs
from pokersvc.service import Service
from pokersvc.testing.plans import Plan, Plans, chance
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.tournament import plan as planned
from pokersvc.tournament.play import play


class StoredGame:
    """The checks of one plan in a temporary database of its own."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = plan.game

    def _broken(self, found: str, promise: Promise = Promise.SERVICE) -> BrokenPromise:
        return BrokenPromise(promise, found, kind=self._game.kind, seed=self._plan.seed, event=None)

    def check(self) -> None:
        """Play the game twice through the service; compare the logs, and check replays, the audit and the exports."""
        with TemporaryDirectory() as folder, Database.for_writing(str(Path(folder) / "check.sqlite")) as database:
            log = EventLog(database)
            games = [self._played(Service(log), f"game-{number}") for number in (1, 2)]
            logs = [[(one.type, one.payload, one.secret) for one in log.read(game_id)] for game_id in games]
            if logs[0] != logs[1]:
                at = next(n for n, (one, other) in enumerate(zip(*logs, strict=False), 1) if one != other)
                raise self._broken(f"played twice from the same seed, event {at} differs")
            viewers: list[Viewer] = [EVERYONE, *range(1, len(self._plan.setup.seats) + 1)]
            self._replay(Service(log), games[0], viewers)
            for audited in audit(database):
                for finding in audited.findings:
                    raise self._broken(f"its audit says: {finding}")
                if not audited.passed:
                    raise self._broken(f"its audit says: {audited.fault}")
            for viewer in (*viewers, AUDITOR):
                self._export(log, games[0], viewer)

    def _played(self, service: Service, game_id: str) -> str:
        """Play a game to its end, with a program in place of every person."""
        plan, random = self._plan, self._plan.random
        service.start(self._game.kind, plan.setup, game_id=game_id)
        while (status := service.status(game_id)).outcome is None:
            if status.pausing:
                service.go_on(game_id)
            elif people := [seat for seat in status.awaited if status.seats[seat - 1].kind == HUMAN]:
                turn = service.turn(game_id, people[0])
                program = self._game.players[random.choice(plan.programs)]()
                service.act(game_id, program.choose(turn.view, turn.legal, random), viewer=people[0])
            else:
                service.step(game_id)
        return game_id

    def _replay(self, service: Service, game_id: str, viewers: list[Viewer]) -> None:
        for viewer in viewers:
            *_, last = service.replay(game_id, viewer)
            if last.state.view(viewer) != service.view(game_id, viewer):
                raise self._broken(f"its replay for {viewer} ends at another view than the game")

    def _export(self, log: EventLog, game_id: str, viewer: Viewer) -> None:
        file = BytesIO()
        export.write(file, log, game_id, viewer)
        verification = Verification(lines_in(BytesIO(file.getvalue()), "export"), "export")
        for finding in verification.findings():
            raise self._broken(f"the export for {viewer} does not verify: {finding}")
        if not verification.checked or not verification.over:
            raise self._broken(f"the export for {viewer} was not checked to its end: {verification.fault}")


def check_tournament(plans: Plans, deals: int = 2) -> None:
    """Play a small tournament between programs of the game."""
    game = plans.game
    options, count = plans.tables[0]
    random = chance(0, "tournament")
    players = tuple(Seat(random.choice(plans.programs), f"Player{number}") for number in range(1, count + 1))
    tournament = planned(game, options, players, deals, orders="rotations", seed="check")
    with Programs() as programs:
        for index in range(tournament.games):
            played, _ = play(tournament, index, programs)
            again, _ = play(tournament, index, programs)
            if played != again:
                raise BrokenPromise(
                    Promise.TOURNAMENT,
                    f"game {index + 1} of a tournament, played twice, came to {played} and to {again}",
                    kind=game.kind,
                    seed=None,
                    event=None,
                )
