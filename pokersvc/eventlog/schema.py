"""The schema version of a database, and its migration to the current one.

The scripts are Alembic's, in the folder ``migrations``. Alembic itself is imported only to run one.
"""

from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from pokersvc.eventlog.errors import SchemaTooNew, SchemaTooOld

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISIONS = tuple(f"{number:04}" for number in range(1, 17))
HEAD = REVISIONS[-1]

# 'pksv' in the header of a SQLite file marks it as ours; the first migration writes it.
APPLICATION_ID = 0x706B7376


def head_revision() -> str:
    """Return the revision that this version of pokersvc reads and writes."""
    return HEAD


def current_revision(connection: "Connection") -> str | None:
    """Return the database's revision, or None if no migration was ever run."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def refuse_newer(revision: str | None, label: str) -> None:
    """Raise SchemaTooNew for a revision that this version of pokersvc does not know."""
    if revision is not None and revision not in REVISIONS:
        raise SchemaTooNew(
            f"{label} has schema {revision}, but this pokersvc knows only up to {HEAD}: use the newer pokersvc that "
            "wrote it."
        )


def refuse_older(revision: str | None, label: str) -> None:
    """Raise SchemaTooOld unless the revision is the current one."""
    if revision != HEAD:
        found = "no schema yet" if revision is None else f"schema {revision}"
        raise SchemaTooOld(f"{label} has {found}, but {HEAD} is needed: run `pokersvc db upgrade` on it.")


def upgrade(connection: "Connection") -> None:
    """Run the missing migrations inside the connection's transaction; the caller commits."""
    from importlib.resources import as_file, files

    from alembic import command
    from alembic.config import Config

    with as_file(files("pokersvc.migrations")) as scripts:
        config = Config()
        # The option is read with %-interpolation, and a folder's name may hold a %.
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
