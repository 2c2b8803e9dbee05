"""How severe a finding is, in the reader's language."""

from glossator.app.phrasing import Phrasing

_CHINESE = {"error": "错误", "warning": "警告", "information": "信息", "hint": "提示"}


def name_severity(severity: str, say: Phrasing) -> str:
    """Return what people read for a severity: its own name in English; nothing for no severity."""
    return say(severity, _CHINESE[severity]) if severity in _CHINESE else ""
