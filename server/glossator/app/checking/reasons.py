"""Why documents or rules were not checked: codes with arguments, told in two languages."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from glossator.app.phrasing import Phrasing

ReasonCode = Literal[
    # The document.
    "reading",
    "missing",
    "unreadable",
    "binary",
    "encoding",
    "too-large",
    "too-deep",
    "syntax-error",
    "secret",
    "ignored",
    "excluded",
    "generated",
    "minified",
    "lock-file",
    "no-file",
    "notebook",
    "no-language",
    "no-rule",
    "only-judged",
    # The document or some rules.
    "crashed",
    "timeout",
    "stale",
    # Rules that a model judges.
    "no-model",
    "editor-model",
    "on-save",
    "off",
    "outside",
    "no-words",
    "too-many-rules",
    "budget",
    "hour-budget",
    "model-timeout",
    "no-room",
    "model-failed",
    "reply-cut",
    "reply-refused",
    "reply-unreadable",
    "no-verdict",
]

_TEXTS: Mapping[ReasonCode, tuple[str, str]] = {
    "reading": ("the rules are still being read", "规则仍在读取中"),
    "missing": ("there is no such file any more", "文件已不存在"),
    "unreadable": ("{0}", "{0}"),
    "binary": ("the file is not text", "文件不是文本"),
    "encoding": (
        "the file is neither UTF-8 nor another encoding that is known",
        "文件编码既不是 UTF-8，也不是其他已知编码",
    ),
    "too-large": (
        "the file has {0} kB, more than `check.maxFileKb` ({1})",
        "文件有 {0} kB，超过 `check.maxFileKb`（{1}）",
    ),
    "too-deep": ("the code nests brackets more than {0} deep", "代码的括号嵌套超过 {0} 层"),
    "syntax-error": ("syntax error at line {0}", "第 {0} 行有语法错误"),
    "secret": ("the file may hold secrets", "文件可能含有机密"),
    "ignored": ("ignored by Git or `.glossatorignore`", "被 Git 或 `.glossatorignore` 忽略"),
    "excluded": ("the file is excluded by `check.exclude`", "文件被 `check.exclude` 排除"),
    "generated": ("the file is generated: it says `{0}`", "文件是生成的：其中写有 `{0}`"),
    "minified": ("the file is minified", "文件是压缩过的代码"),
    "lock-file": ("the file is written by a package manager", "文件由包管理器生成"),
    "no-file": ("only files are checked", "只检查文件"),
    "notebook": ("cells of notebooks are not checked", "不检查笔记本的单元格"),
    "no-language": ("no rule covers the language of this file", "没有规则涵盖此文件的语言"),
    "no-rule": (
        "no rule with a check applies to {0} here",
        "此处没有针对 {0} 的带检查的规则",
    ),
    "only-judged": (
        "only rules that a model judges are for this file",
        "此文件只有由模型判断的规则",
    ),
    "crashed": ("the check of this file crashed", "检查此文件时崩溃"),
    "timeout": ("it took more than {0} s", "用时超过 {0} 秒"),
    "stale": ("the document has changed meanwhile", "文档在此期间已改动"),
    "editor-model": (
        "the editor's own model is asked only by people, not on every save",
        "编辑器自带的模型只在有人提问时使用，不会在每次保存时使用",
    ),
    "no-model": ("no model is in use", "没有使用模型"),
    "on-save": (
        "a model judges code that has changed when it is saved",
        "保存时由模型判断有改动的代码",
    ),
    "off": ("`{0}` is switched off", "`{0}` 已关闭"),
    "outside": ("it stands in no workspace folder", "不在任何工作区文件夹内"),
    "no-words": ("none of their words stands in this code", "这段代码中没有出现它们的任何词语"),
    "too-many-rules": (
        "{0} rules are judged at once at most",
        "一次最多判断 {0} 条规则",
    ),
    "budget": ("`{0}` ({1}) is used up", "`{0}`（{1}）已用完"),
    "hour-budget": (
        "`{0}` ({1}) is used up; there is room again in {2} min",
        "`{0}`（{1}）已用完，{2} 分钟后恢复",
    ),
    "model-timeout": (
        "the model took more than {0} s (`check.judgeTimeoutS`)",
        "模型用时超过 {0} 秒（`check.judgeTimeoutS`）",
    ),
    "no-room": ("the model takes too little at once", "模型一次能接收的内容太少"),
    "model-failed": ("the model failed: {0}", "模型出错：{0}"),
    "reply-cut": ("the model's reply was cut short", "模型的回复被截断"),
    "reply-refused": ("the model refused to judge them", "模型拒绝判断"),
    "reply-unreadable": ("the model's reply cannot be read", "模型的回复无法读取"),
    "no-verdict": (
        "the model did not say whether what it had found is so",
        "模型没有说明所发现的问题是否属实",
    ),
}


_TOLD_SPANS = 5


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was not checked. `arguments` fill the text of the code, in its order."""

    code: ReasonCode
    arguments: tuple[str | int, ...] = ()

    def render(self, say: Phrasing) -> str:
        """Return the reason as a clause without a full stop, in the reader's language."""
        told = [say.translate(each) if isinstance(each, str) else each for each in self.arguments]
        return say(*_TEXTS[self.code]).format(*told)

    def __str__(self) -> str:
        """Return the reason in English, as logs have it."""
        return self.render(Phrasing(is_chinese=False))


def tell_broken_lines(broken: Iterable[tuple[int, int]]) -> Reason:
    """Return the reason for lines (1-based, inclusive) whose syntax is broken."""
    spans = [f"{first}–{last}" if first < last else str(first) for first, last in broken]
    more = "…" if len(spans) > _TOLD_SPANS else ""
    return Reason("syntax-error", (", ".join(spans[:_TOLD_SPANS]) + more,))


def count_reasons(reasons: Iterable[Reason], say: Phrasing) -> list[tuple[str, int]]:
    """Return how often each reason is given, told for the reader, the most frequent first."""
    told = Counter(reason.render(say) for reason in reasons)
    return sorted(told.items(), key=lambda item: (-item[1], item[0]))
