"""Tables that shuffle together: bound seats open shares, and the deck follows from all of them."""

from datetime import UTC, datetime

from pokersvc.core.table import TableSettings

TOGETHER = TableSettings(dealing="together", opens_seeds=True)
NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
