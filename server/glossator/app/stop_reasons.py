"""How a turn ended, in the reader's language."""

from glossator.app.phrasing import Phrasing

_CHINESE = {
    "answered": "已回答",
    "round-limit": "轮数上限",
    "repeating": "重复调用",
    "time-limit": "时间上限",
    "token-limit": "词元上限",
    "cut": "被截断",
    "filtered": "被过滤",
    "refused": "已拒绝",
    "no-model": "没有模型",
    "cancelled": "已取消",
    "failed": "失败",
}


def name_stop(stop_reason: str, say: Phrasing) -> str:
    """Return what people read for a stop reason: its own name in English."""
    return say(stop_reason, _CHINESE.get(stop_reason, stop_reason))
