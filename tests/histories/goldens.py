"""Hands as lines, for comparison with results that a person checked: header, players, and each statement."""

from dataclasses import fields
from datetime import datetime
from pathlib import Path

from pokersvc.cards import Card
from pokersvc.histories.dialect import Dialect
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import Statement

SAMPLES = Path(__file__).parent / "samples"
_APART = {"text", "players", "told", "warnings"}


def _said(value: object) -> str:
    if isinstance(value, tuple) and value and all(isinstance(card, Card) for card in value):
        return "[" + " ".join(card.notation for card in value) + "]"
    return value.isoformat() if isinstance(value, datetime) else repr(value)


def _fields(thing: HandHistory | HistoryPlayer | Statement, apart: set[str]) -> str:
    named = [field for field in fields(thing) if field.name not in apart]
    told = [(field.name, getattr(thing, field.name)) for field in named if getattr(thing, field.name) != field.default]
    return " ".join(f"{name}={_said(value)}" for name, value in told)


def in_lines(hand: HandHistory) -> str:
    """Return a hand as lines, one for each statement, without default values."""
    lines = [f"HAND {_fields(hand, _APART)}"]
    lines += [f"{player.line:4} Seat {_fields(player, {'line'})}" for player in hand.players]
    lines += [f"{told.line:4} {type(told).__name__} {_fields(told, {'line'})}" for told in hand.told]
    lines += [f"{line:4} WARNING {sentence}" for line, sentence in hand.warnings]
    return "".join(line.rstrip() + "\n" for line in lines)


def read(dialect: Dialect, name: str) -> list[HandHistory]:
    """Return the hands of a sample."""
    with (SAMPLES / name).open(encoding="utf-8", newline="") as lines:
        return [dialect.read(block) for block in dialect.blocks(lines)]
