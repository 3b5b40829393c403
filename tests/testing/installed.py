"""Kuhn poker as a package that is installed: what its `pyproject.toml` says, as an installer writes it down."""

import tomllib
from pathlib import Path
from typing import Final

KUHN: Final = Path(__file__).parents[1] / "kuhn"


def install(folder: Path, package: Path = KUHN) -> list[str]:
    """Install the package in an empty folder, and return what has to be on the path."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in one.items()) for group, one in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return [str(folder), str(package)]
