"""The history of the schema: one Alembic script per revision."""
