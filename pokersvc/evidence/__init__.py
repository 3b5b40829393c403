"""What is shown to others and what they can check: exports, checkpoints, proofs and audits."""
