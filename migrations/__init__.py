"""The schema's history, one Alembic script a revision."""
