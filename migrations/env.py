"""The code that Alembic runs around the scripts: on the program's connection, or on a developer's database file.

``alembic -x db=FILE.sqlite revision --autogenerate --rev-id 0005 -m "what changes"`` drafts a revision from
the difference between the tables in the code and the database FILE.
"""

from alembic import context
from sqlalchemy import Connection, create_engine


def migrate(connection: Connection, *, compare: bool) -> None:
    """Run the migrations on an open connection; to ``compare``, also load the tables of the code."""
    tables = None
    if compare:
        from pokersvc.service.read_models.projections import game_summaries

        tables = game_summaries.metadata
    context.configure(connection=connection, target_metadata=tables, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given, compare=False)
else:
    engine = create_engine(f"sqlite:///{context.get_x_argument(as_dictionary=True)['db']}")
    with engine.begin() as opened:
        migrate(opened, compare=True)
    engine.dispose()
