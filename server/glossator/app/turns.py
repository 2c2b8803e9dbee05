"""The use cases that take a model's turn, together: they load much, and a check needs none."""

from glossator.app.analysis.analysing import analyze, make_subject
from glossator.app.asking import ask
from glossator.app.call_chain import trace_calls
from glossator.app.explaining import explain, explain_complaint

__all__ = ["analyze", "ask", "explain", "explain_complaint", "make_subject", "trace_calls"]
