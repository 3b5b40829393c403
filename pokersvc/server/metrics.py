"""Metrics for Prometheus: counts and times, never names of players, tables or actions."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = at = CollectorRegistry()
        self.requests = Counter("pokersvc_requests_total", "Requests, by class of status.", ["status"], registry=at)
        self.commands = Counter("pokersvc_commands_total", "Commands, by what became of them.", ["result"], registry=at)
        self.seconds = Histogram("pokersvc_command_seconds", "From a command's arrival to its answer.", registry=at)
        self.connections = Gauge("pokersvc_connections", "Connections that have a place.", registry=at)
        self.streams = Gauge("pokersvc_streams", "Streams that are open.", registry=at)
        self.dropped = Counter("pokersvc_streams_dropped_total", "Streams whose readers took nothing.", registry=at)
        self.followed = Gauge("pokersvc_tables_followed", "Tables that streams or bots follow.", registry=at)
        self.run = Gauge("pokersvc_tables_run", "Tables whose bots and clock this server runs.", registry=at)

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self._registry)
