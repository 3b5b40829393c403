"""The program, and two servers of one database, as other rooms have them."""

from tests.server.conftest import program, server_of_postgres
from tests.server.test_two_servers import url

__all__ = ["program", "server_of_postgres", "url"]
