"""Create doctored files, the same for the same seed: ``python -m tests.evidence.doctored FOLDER [COUNT [SEED]]``."""

import json
import sys
from pathlib import Path

from .corpus import COUNT, SEED, doctored


def main(folder: str, number: str = str(COUNT), seed: str = str(SEED)) -> None:
    """Write the doctored files to a folder, and describe each change in ``files.json``."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    told = []
    for index, file in enumerate(doctored(int(number), int(seed)), 1):
        name = f"{index:04}.jsonl"
        (place / name).write_bytes(file.content)
        told.append({"name": name, "change": file.change, "where": file.where})
    (place / "files.json").write_text(json.dumps(told, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
