"""Why the editor said nothing, in two languages."""

from collections.abc import Mapping

from glossator.tools.editor.facts import Silence, Subject

_SILENCES: Mapping[Silence, tuple[str, str]] = {
    "slow": ("it did not answer in time", "未及时回答"),
    "stale": ("its answer is of another version of the file", "回答针对文件的另一个版本"),
    "refused": ("it refused to answer", "拒绝回答"),
    "unfit": ("its answer could not be read", "回答无法读取"),
}
_SUBJECTS: Mapping[Subject, tuple[str, str]] = {
    "definitions": ("definitions", "定义"),
    "references": ("references", "引用"),
    "incomingCalls": ("callers", "调用者"),
    "outgoingCalls": ("calls", "调用"),
    "diagnostics": ("problems", "问题"),
    "documentSymbols": ("symbols", "符号"),
}


def describe_silence(silence: Silence) -> tuple[str, str]:
    """Return the reason in English and in Chinese."""
    return _SILENCES[silence]


def describe_silences(silences: Mapping[Subject, Silence]) -> tuple[str, str]:
    """Say of what the editor said nothing and why, in English and in Chinese; empty for none."""
    if not silences:
        return "", ""
    english = "; ".join(
        f"{_SUBJECTS[subject][0]}: {_SILENCES[silence][0]}" for subject, silence in silences.items()
    )
    chinese = "；".join(
        f"{_SUBJECTS[subject][1]}：{_SILENCES[silence][1]}" for subject, silence in silences.items()
    )
    return (
        f"Not everything was asked of the editor's language servers with success ({english}); "
        "what is missing was found by Glossator itself.",
        f"编辑器的语言服务器没有全部作答（{chinese}）；缺少的部分由 Glossator 自行查找。",
    )
