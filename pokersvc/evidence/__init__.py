"""Evidence that others can check: exports, checkpoints, proofs and audits."""

from typing import TYPE_CHECKING

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.evidence import audit as audit
    from pokersvc.evidence import checkpoint as checkpoint
    from pokersvc.evidence import export as export
    from pokersvc.evidence import jsonl as jsonl
    from pokersvc.evidence import proof as proof
    from pokersvc.evidence import spoken_head as spoken_head
    from pokersvc.evidence import verification as verification
else:
    __getattr__ = imported_when_used(__name__)
