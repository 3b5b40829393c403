"""Files of evidence: checkpoints, proofs and exports."""
