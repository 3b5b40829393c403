"""A person's settings: a TOML file in their configuration folder; environment variables and options override it."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from platformdirs import user_config_path

from pokersvc import core
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.system import files, memory, toml

FILE_NAME: Final = "config.toml"
COLOURS: Final = ("auto", "always", "never", "dark", "light")
_YES_OR_NO: Final = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_LIMIT: Final = re.compile(r"[a-z-]+=[0-9./]+")
"""The form of a server's limit, ``name=number``; only the server, which needs more packages, knows the names."""

Value = str | bool


class InvalidSetting(InvalidValue):
    """An invalid setting or settings file; the message names the file, the key and the value."""

    code = "invalid_setting"


class SettingsNotWritten(PokersvcError):
    """The file of settings cannot be read or written."""

    code = "settings_not_written"


class Setting(NamedTuple):
    """A setting of a person."""

    help: str
    default: str
    """The default, in words."""
    read: Callable[[str], Value]
    """Parses a text and returns the value; raises `InvalidValue` for an invalid text."""

    def checked(self, value: object) -> Value:
        """Check a value from a file and return the value to use; raise `InvalidValue` if it is invalid."""
        read = self.read(value if isinstance(value, str) else str(value).lower())
        if type(read) is not type(value):
            raise InvalidValue(f"it must be {'true or false' if isinstance(read, bool) else 'a text in quotes'}.")
        return read


def _name(text: str) -> str:
    return core.names.readable(core.seats.check_name(text))  # these modules are imported when they are used


def _colours(text: str) -> str:
    if text not in COLOURS:
        raise InvalidValue("it must be auto, always, never, dark or light.")
    return text


def _house(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise InvalidValue("it must be the name of a house; `pokersvc rules` lists them.")
    return text


def _opponents(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise InvalidValue("it must be a kind of bot, such as regular; `pokersvc play --game draw --help` lists them.")
    return text


def _advice(text: str) -> bool:
    if text.lower() not in _YES_OR_NO:
        raise InvalidValue("it must be true or false.")
    return _YES_OR_NO[text.lower()]


def _memory(text: str) -> str:
    memory.bytes_of(text)
    return text


def _limits(text: str) -> str:
    if not text.split() or not all(map(_LIMIT.fullmatch, text.split())):
        raise InvalidValue("it must be like open-tables=10000 commands=20/80.")
    return text


SETTINGS: Final[Mapping[str, Setting]] = {
    "name": Setting("your name at the table", "Player1", _name),
    "house": Setting("the house of new games", "rising-ante", _house),
    "opponents": Setting("the level of bots in new games", "the house's", _opponents),
    "colours": Setting("colours: auto, always, never, or auto for a dark or light background", "auto", _colours),
    "advice": Setting("advice before each draw: true or false", "true", _advice),
    "memory": Setting(
        "what games of `pokersvc serve` may take in memory, such as 2GB", "half of the machine's", _memory
    ),
    "limits": Setting("limits of `pokersvc serve`, such as open-tables=10000 commands=20/80", "the usual", _limits),
}
"""Key → setting, in the order in which `pokersvc config` lists them."""


class Held(NamedTuple):
    """A value that is set, and the place where it is set."""

    value: Value
    origin: str
    """The name of the file or of the environment variable that sets the value."""


def path() -> Path:
    """Return the path of the file of settings, whether or not it exists."""
    return user_config_path("pokersvc", appauthor=False) / FILE_NAME


def setting(key: str) -> Setting:
    """Return the setting with a key; raise `InvalidSetting` if there is no such setting."""
    if key not in SETTINGS:
        raise InvalidSetting(f"There is no setting {key!r}; the settings are {', '.join(SETTINGS)}.")
    return SETTINGS[key]


def variable(key: str) -> str:
    """Return the environment variable that overrides a key in the file."""
    return f"POKERSVC_{key.upper()}"


def chosen() -> dict[str, Held]:
    """Map each key set in the environment or the file to its value; raise `InvalidSetting` for an invalid value."""
    found = {key: Held(value, str(path())) for key, value in in_file(_text()).items()}
    for key, one in SETTINGS.items():
        if text := os.environ.get(variable(key)):
            try:
                found[key] = Held(one.read(text), variable(key))
            except InvalidValue as error:
                raise InvalidSetting(f"{variable(key)} cannot be {text!r}: {error}") from None
    if os.environ.get("NO_COLOR") and not os.environ.get(variable("colours")):  # https://no-color.org
        found["colours"] = Held("never", "NO_COLOR")
    return found


def in_file(text: str) -> dict[str, Value]:
    """Parse the text of a settings file, and return its values by key."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSetting(f"{path()} is not TOML: {error}.") from None
    found: dict[str, Value] = {}
    for key, value in values.items():
        try:
            found[key] = setting(key).checked(value)
        except InvalidSetting as error:
            raise InvalidSetting(f"{path()}: {error}") from None
        except InvalidValue as error:
            raise InvalidSetting(f"{path()}: {key} cannot be {value!r}: {error}") from None
    return found


def change(key: str, value: Value | None) -> bool:
    """Set a key in the file, or for None remove it; return whether anything changed. Other lines stay as they are."""
    text = _text()
    before = in_file(text)
    if before.get(key) == value:
        return False
    after = _with(text, key, value)
    expected = {name: one for name, one in {**before, key: value}.items() if one is not None}
    try:
        says = in_file(after)
    except InvalidSetting:
        says = {}
    if says != expected:
        raise InvalidSetting(f"{path()}: the value of {key} takes several lines; change it in the file.")
    _write(after)
    return True


def _with(text: str, key: str, value: Value | None) -> str:
    line = "" if value is None else f"{key} = {toml.text(value) if isinstance(value, str) else str(value).lower()}\n"
    place = re.compile(rf"^[ \t]*(?:{key}|\"{key}\"|'{key}')[ \t]*=.*(?:\n|\Z)", re.MULTILINE)
    if place.search(text):
        return place.sub(lambda _: line, text, count=1)
    return text + ("\n" if text and not text.endswith("\n") else "") + line


def _text() -> str:
    try:
        return path().read_text("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingsNotWritten(f"{path()} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InvalidSetting(f"{path()} is not TOML: it is not in UTF-8.") from None


def _write(text: str) -> None:
    draft = files.draft_of(path())
    try:
        files.make_folders(path().parent)
        draft.write_text(text, "utf-8")
        draft.replace(path())
    except OSError as error:
        raise SettingsNotWritten(f"{path()} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
