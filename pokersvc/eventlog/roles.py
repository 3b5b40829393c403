"""The PostgreSQL role that plays games: it may read the log and append to it, but not change events."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, text

from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.database import Database

# The log's own tables; read models, which can always be rebuilt, may be changed in any way.
_LOG = {"alembic_version": ("SELECT",), "events": ("SELECT", "INSERT"), "games": ("SELECT", "INSERT", "UPDATE")}
_READ_MODEL = ("SELECT", "INSERT", "UPDATE", "DELETE")

_OWNER = text(
    """
    SELECT rolname, current_user, pg_has_role(relowner, 'MEMBER')
    FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner WHERE pg_class.oid = to_regclass('events')
    """
)
_ROLE = text("SELECT FROM pg_roles WHERE rolname = :role")
_OWNED = text(
    """
    SELECT rolname FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
    WHERE pg_class.oid = to_regclass(:table) AND pg_has_role(:role, relowner, 'MEMBER')
    """
)
_HELD = text(
    """
    SELECT privilege
    FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS privilege
    WHERE has_table_privilege(:role, to_regclass(:table), privilege)
       OR privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
          AND has_any_column_privilege(:role, to_regclass(:table), privilege)
    """
)
_SEQUENCE = text("SELECT pg_get_serial_sequence('events', 'position')")
_MAY_MAKE = text("SELECT has_schema_privilege(:role, current_schema(), 'CREATE')")


class UnknownRole(InvalidValue):
    """The server has no such role."""

    code = "unknown_role"


class NotTheOwner(PokersvcError):
    """Only the owner of the log can grant privileges on it."""

    code = "not_the_owner"


class RoleTooPowerful(PokersvcError):
    """The role has rights with which it could remove the log's protection."""

    code = "role_too_powerful"


class RoleRights(NamedTuple):
    """The rights that a role has beyond those for playing, in words; ``excess`` is empty if there are none."""

    role: str
    excess: tuple[str, ...]


def grant(database: Database, role: str, read_models: Sequence[str]) -> None:
    """Grant a role the rights to read the log, append to it and write its read models; revoke its other rights.

    Raises NotTheOwner, UnknownRole, and RoleTooPowerful for rights that cannot be revoked here; then nothing has
    changed.
    """
    with database.write() as connection:
        owner, user, owns = connection.execute(_OWNER).one()
        if not owns:
            raise NotTheOwner(
                f"The log in {database.label} belongs to {owner}, but this is {user}: run this as {owner}."
            )
        if not role.isprintable() or connection.execute(_ROLE, {"role": role}).first() is None:
            raise UnknownRole(
                f"There is no role {role!r} on the server: create it with CREATE ROLE, then run this again."
            )
        quoted = connection.dialect.identifier_preparer.quote_identifier
        for table, privileges in _tables(read_models).items():
            connection.exec_driver_sql(f"REVOKE ALL ON {quoted(table)} FROM PUBLIC, {quoted(role)}")
            connection.exec_driver_sql(f"GRANT {', '.join(privileges)} ON {quoted(table)} TO {quoted(role)}")
        sequence = str(connection.scalar(text("SELECT pg_get_serial_sequence('events', 'position')"))).replace(
            "%", "%%"
        )
        connection.exec_driver_sql(f"REVOKE ALL ON SEQUENCE {sequence} FROM PUBLIC, {quoted(role)}")
        schema = quoted(str(connection.scalar(text("SELECT current_schema()"))))
        connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {schema} FROM {quoted(role)}")
        connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {quoted(role)}")
        if excess := _excess(connection, role, read_models):
            raise RoleTooPowerful(
                f"The role {role!r} would still be one that {' and '.join(excess)}: use a role that owns nothing "
                "and belongs to no other role."
            )


def rights(database: Database, read_models: Sequence[str]) -> RoleRights:
    """Return the role of this connection, and its rights beyond those for playing."""
    with database.read() as connection:
        role = str(connection.scalar(text("SELECT current_user")))
        return RoleRights(role, tuple(_excess(connection, role, read_models)))


def _tables(read_models: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return _LOG | dict.fromkeys(read_models, _READ_MODEL)


def _excess(connection: Connection, role: str, read_models: Sequence[str]) -> list[str]:
    """Describe the role's rights, even inherited ones, beyond those for playing; the words follow "one that"."""
    owner = connection.scalar(_OWNED, {"role": role, "table": "events"})
    if owner is not None:
        return ["owns the log" if owner == role else f"can act as {owner}, who owns the log"]
    found = []
    for table, privileges in _tables(read_models).items():
        held = connection.scalars(_HELD, {"role": role, "table": table}).all()
        if more := [privilege for privilege in held if privilege not in privileges]:
            found.append(f"may {', '.join(more)} on {table}")
    if connection.scalar(_MAY_MAKE, {"role": role}):
        found.append("may create tables beside the log's")
    return found
