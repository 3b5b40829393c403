"""Draw poker for programs that learn it: the choices as numbers, and a table as figures."""
