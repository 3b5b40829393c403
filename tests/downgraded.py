"""Databases downgraded to an earlier revision by the migration scripts."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, create_engine

from pokersvc.eventlog import schema


def downgrade(database: Path | URL, revision: str) -> None:
    """Bring a database back to an earlier revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parents[2] / "migrations"))
    engine = create_engine(f"sqlite:///{database}" if isinstance(database, Path) else database)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    engine.dispose()
