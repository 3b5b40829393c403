"""Audits of the log: its integrity, its compliance with the rules of play, deal and payout, and the read models.

docs/audit.md describes what each check can and cannot prove.
"""

from pokersvc.evidence.audit.audit import audit, events_in
from pokersvc.evidence.audit.processes import audit_in_processes
from pokersvc.evidence.audit.report import Audited

__all__ = ["Audited", "audit", "audit_in_processes", "events_in"]
