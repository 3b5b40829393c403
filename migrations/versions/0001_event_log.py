"""The log: the append-only events, and the games with their counts and heads."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# In PostgreSQL keys are compared by code points, as in SQLite, whatever the server's language: ids then sort the same
# everywhere, and no update of a language's rules can break an index.
key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the two tables and the triggers that guard them."""
    op.create_table(
        "games",
        sa.Column("game_id", key, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("head", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="games_key"),
        sa.CheckConstraint("count >= 1", name="games_count_from_one"),
        sa.CheckConstraint("length(head) = 32", name="games_head_is_32_bytes"),
    )
    op.create_table(
        "events",
        sa.Column(
            "position",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            *counted(),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("game_id", key, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("recorded_at", sa.Text, nullable=False),
        sa.Column("command_id", key, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("secret", sa.Text),
        sa.Column("salt", sa.LargeBinary),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("position", name="events_key"),
        sa.CheckConstraint("seq >= 1", name="events_seq_from_one"),
        sa.CheckConstraint("n >= 1", name="events_n_from_one"),
        sa.CheckConstraint("version >= 1", name="events_version_from_one"),
        sa.CheckConstraint("length(recorded_at) = 27", name="events_recorded_at_is_27_characters"),
        sa.CheckConstraint("(salt IS NULL) = (secret IS NULL)", name="events_salt_beside_secret"),
        sa.CheckConstraint("salt IS NULL OR length(salt) = 16", name="events_salt_is_16_bytes"),
        sa.CheckConstraint("length(hash) = 32", name="events_hash_is_32_bytes"),
        sa.UniqueConstraint("game_id", "seq", name="events_game_id_seq_once"),
        sa.UniqueConstraint("game_id", "command_id", "n", name="events_game_id_command_id_n_once"),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name="events_game_id_is_known"),
        sqlite_autoincrement=True,
        comment="pokersvc: the event log, append-only",
    )
    first = sa.text("seq = 1")
    op.create_index("first_events", "events", ["position"], sqlite_where=first, postgresql_where=first)
    refuse_changes()


def counted() -> list[sa.Identity]:
    """Return an identity for PostgreSQL, with which inserting needs no privilege on a sequence; nothing for SQLite."""
    return [sa.Identity(always=True)] if op.get_bind().dialect.name == "postgresql" else []


def refuse_changes() -> None:
    """Make the database itself refuse to change or remove an event, and mark a SQLite file as ours."""
    if op.get_bind().dialect.name == "postgresql":
        refuse_changes_in_postgresql()
        return
    op.execute("PRAGMA application_id = 0x706b7376")
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER events_refuse_{change.lower()} BEFORE {change} ON events "
            f"BEGIN SELECT RAISE(ABORT, 'events are append-only: {change} is refused'); END"
        )


def refuse_changes_in_postgresql() -> None:
    """Make triggers that fire once per statement, even when replication has switched off ordinary triggers."""
    op.execute(
        "CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'events are append-only: % is refused', TG_OP "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    for change in ("UPDATE", "DELETE", "TRUNCATE"):
        trigger = f"events_refuse_{change.lower()}"
        op.execute(
            f"CREATE TRIGGER {trigger} BEFORE {change} ON events FOR EACH STATEMENT "
            "EXECUTE FUNCTION events_refuse_change()"
        )
        op.execute(f"ALTER TABLE events ENABLE ALWAYS TRIGGER {trigger}")
