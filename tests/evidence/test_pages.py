"""The docs' pages that define the file formats: their test vectors are exactly what this program reads and writes."""

import json
import re
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc.eventlog.record import SharedRecord, Withheld, secret_digest, verify
from pokersvc.evidence import checkpoint
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.keys import Signer
from pokersvc.evidence.proof import proof_line, prove, read_proof_lines

DOCS = Path(__file__).parents[2] / "docs"


def vectors(page: str) -> list[bytes]:
    """Return the files that a page shows."""
    return [found.encode() for found in re.findall(r"```json\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)]


def test_the_checkpoint_and_the_proof_of_the_page_are_those_of_this_program(tmp_path: Path) -> None:
    file, proof = vectors("checkpoints.md")
    (tmp_path / "file").write_bytes(file)
    made = checkpoint.read(tmp_path / "file")
    signer = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    assert made.signed == checkpoint.Signature(signer.public, signer.sign(made.statement))
    assert made.previous == b"\xff" * 32
    found = prove(tmp_path / "file", "example-game")
    assert proof_line(found) == proof
    assert read_proof_lines(lines_in(BytesIO(proof), "proof"), "proof") == found
    shown = re.findall(r"^    ([0-9a-f ]{64,})$", (DOCS / "checkpoints.md").read_text("utf-8"), re.MULTILINE)
    assert bytes.fromhex("".join(shown[:2])) == found.entry.leaf
    assert bytes.fromhex(shown[2]) == sha256(b"\0" + found.entry.leaf).digest()


def test_the_export_of_the_page_is_the_chain_of_the_log() -> None:
    (file,) = vectors("exports.md")
    header, *events = map(json.loads, file.splitlines())
    assert len(list(lines_in(BytesIO(file), "file"))) == 4
    records = []
    for event in events:
        salt, digest = bytes.fromhex(event.pop("salt", "")) or None, bytes.fromhex(event.pop("digest", ""))
        secret = event.pop("secret", None)
        if secret is not None:
            assert secret_digest(salt, secret) == digest
        event["hash"] = bytes.fromhex(event["hash"])
        shown = secret if secret is not None else Withheld(digest) if digest else None
        records.append(SharedRecord(game_id=header["game"], secret=shown, salt=salt, **event))
    assert list(verify(records, game_id="example-game")) == records
    assert (records[-1].seq, records[-1].hash.hex()) == (header["count"], header["head"])
