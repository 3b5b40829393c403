"""This device's tokens: a server gives one in exchange for a seat's link, which works only once."""

import os
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Final

from pokersvc.system.files import draft_of, make, make_folders, naming, sync

TOKEN_BYTES: Final = 16


class DeviceTokens:
    """A folder with one private file per link: it holds the token that this device got for the link."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def wanted(self, link: str) -> str:
        """Return the token to request, always the same for the same link, because an answer may get lost.

        ``link`` is the token in the link; the file is named after its digest. Raise `FileNotWritten` if the token
        cannot be stored: it would be lost when this program ends, and the link works only once.
        """
        path = self._folder / sha256(link.encode()).hexdigest()[:32]
        with naming(path):
            make_folders(self._folder)
            try:
                return path.read_text("ascii").strip()
            except FileNotFoundError:
                pass
            token, draft = secrets.token_urlsafe(TOKEN_BYTES), draft_of(path)
            with os.fdopen(make(draft), "w", encoding="ascii") as file:
                file.write(f"{token}\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            sync(self._folder)
        return token
