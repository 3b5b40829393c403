"""Auditing the log: whether it is unchanged and was played, dealt and paid by the rules, and the read models agree.

What each check can and cannot prove is in docs/audit.md.
"""

from pokersvc.evidence.audit.audit import audit, events_in
from pokersvc.evidence.audit.processes import audit_in_processes
from pokersvc.evidence.audit.report import Audited

__all__ = ["Audited", "audit", "audit_in_processes", "events_in"]
