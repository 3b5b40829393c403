"""Evidence: audits, exports, checkpoints and proofs."""
