"""The linter's findings in words: every code in English and Chinese, and titles of repairs."""

import re
from collections.abc import Mapping

from glossator.app.phrasing import Phrasing
from glossator.linting.finding import Finding, Repair

PREFIX = "lint/"
"""Stands before a code wherever people see it, and in `check.disabledRules`."""

MESSAGES: Mapping[str, tuple[str, str]] = {
    "unclosed-header": (
        "The front matter is never closed; it is assumed to end at line {line}. "
        "Add a line `---` below it.",
        "front matter 没有结束；按第 {line} 行结束处理。请在其后加一行 `---`。",
    ),
    "late-header": (
        "The front matter must begin in the very first line; other tools do not see it here.",
        "front matter 必须从第一行开始；放在这里，其他工具看不到它。",
    ),
    "duplicate-key": (
        "`{key}` stands twice in the front matter; this one counts, the one in line {line} does "
        "not.",
        "`{key}` 在 front matter 中出现了两次；以这一处为准，第 {line} 行的不起作用。",
    ),
    "unknown-key": (
        "`{key}` is not a key, so it does nothing; did you mean `{new}`?",
        "`{key}` 不是有效的键，不起作用；是否想写 `{new}`？",
    ),
    "foreign-key": (
        "`{key}` is a key of {owner}; {reader} does not read it in this file.",
        "`{key}` 是 {owner} 的键；{reader} 在这个文件里不读取它。",
    ),
    "loose-key": (
        "`{key}` needs a colon and a blank before its value: `{text}`.",
        "`{key}` 与值之间需要半角冒号加空格：`{text}`。",
    ),
    "not-an-entry": (
        "`{text}` is not `key: value`; the line is ignored.",
        "`{text}` 不是 `键: 值` 的形式；这一行被忽略。",
    ),
    "unquoted-value": (
        "The value of `{key}` is not valid YAML as it stands; put it in quotes.",
        "`{key}` 的值不是合法的 YAML；请加上引号。",
    ),
    "value-cut-by-comment": (
        "YAML takes `{text}` for a comment, so `{key}` ends before it; put the value in quotes.",
        "YAML 会把 `{text}` 当作注释，`{key}` 的值到此为止；请给值加上引号。",
    ),
    "wrong-type": (
        "`{key}` must be {?text:text}{?list:a list of texts}{?flag:`true` or `false`}; "
        "as it stands, it is not used.",
        "`{key}` 必须是{?text:文本}{?list:文本列表}{?flag: `true` 或 `false`}；"
        "现在的写法不会被采用。",
    ),
    "quoted-boolean": (
        "`{key}` is text in quotes, not true or false; other tools take it for false. "
        "Take the quotes away.",
        "`{key}` 带引号就是文本，不是布尔值；其他工具会当作 false。请去掉引号。",
    ),
    "missing-name": (
        "The skill has no `name`; the specification demands one, equal to its folder `{folder}`.",
        "该技能没有 `name`；规范要求填写，并与文件夹名 `{folder}` 一致。",
    ),
    "missing-description": (
        "The skill has no `description`, so other tools leave it out: say what it does and when "
        "to use it.",
        "该技能没有 `description`，其他工具会跳过它：请写明它做什么、何时使用。",
    ),
    "name-not-folder": (
        "The name `{name}` is not that of the folder, `{folder}`.",
        "名称 `{name}` 与文件夹名 `{folder}` 不一致。",
    ),
    "name-grammar": (
        "`{name}` cannot be the name of a skill: small letters, digits and single hyphens, "
        "{limit} characters at most.",
        "`{name}` 不能作为技能名：只能用小写字母、数字和单个连字符，最多 {limit} 个字符。",
    ),
    "too-long-value": (
        "`{key}` has {length} characters; {limit} are allowed.",
        "`{key}` 有 {length} 个字符；最多允许 {limit} 个。",
    ),
    "invalid-glob": (
        "The glob `{glob}` cannot be read: a bracket is not closed, or it says nothing.",
        "无法解析 glob `{glob}`：括号没有闭合，或内容为空。",
    ),
    "unmatched-glob": (
        "The glob `{glob}` matches no file of the workspace{?near:; {near} would}.",
        "glob `{glob}` 没有匹配到工作区中的任何文件{?near:；{near} 可以匹配}。",
    ),
    "covered-glob": (
        "`{glob}` adds nothing: `{other}` matches the same files.",
        "`{glob}` 是多余的：`{other}` 已经匹配这些文件。",
    ),
    "dead-link": (
        "The link leads to nothing: there is no `{target}`{?near:; the nearest is `{near}`}.",
        "链接失效：不存在 `{target}`{?near:；最接近的是 `{near}`}。",
    ),
    "dead-anchor": (
        "No heading{?target: of `{target}`} has the anchor `#{anchor}`"
        "{?near:; the nearest is `{near}`}.",
        "{?target:`{target}` 中}没有锚点为 `#{anchor}` 的标题{?near:；最接近的是 `{near}`}。",
    ),
    "dead-import": (
        "The import leads to nothing: there is no `{path}`{?near:; the nearest is `{near}`}.",
        "导入失效：不存在 `{path}`{?near:；最接近的是 `{near}`}。",
    ),
    "cyclic-import": (
        "The import leads back here: {circle}.",
        "循环导入：{circle}。",
    ),
    "outside-import": (
        "The import `{path}` leads out of the workspace; it is not read.",
        "导入 `{path}` 指向工作区之外；不会读取。",
    ),
    "line-beyond-end": (
        "`{text}` is beyond the end: `{path}` has {n_lines} lines.",
        "`{text}` 超出文件末尾：`{path}` 只有 {n_lines} 行。",
    ),
    "missing-path": (
        "There is no `{path}` in the workspace{?near:; the nearest is `{near}`}.",
        "工作区中没有 `{path}`{?near:；最接近的是 `{near}`}。",
    ),
    "unknown-script": (
        "`{package}` has no script `{script}`{?near:; the nearest is `{near}`}.",
        "`{package}` 中没有脚本 `{script}`{?near:；最接近的是 `{near}`}。",
    ),
    "unknown-target": (
        "`{file}` has no target `{name}`{?near:; the nearest is `{near}`}.",
        "`{file}` 中没有目标 `{name}`{?near:；最接近的是 `{near}`}。",
    ),
    "unknown-task": (
        "`{file}` defines no `{name}`{?near:; the nearest is `{near}`}.",
        "`{file}` 中没有定义 `{name}`{?near:；最接近的是 `{near}`}。",
    ),
    "missing-file-of-command": (
        "The command needs `{path}`, which does not exist{?near:; the nearest is `{near}`}.",
        "命令需要的 `{path}` 不存在{?near:；最接近的是 `{near}`}。",
    ),
    "duplicate-rule": (
        "The same rule stands at {where}; keep one of them.",
        "{where} 有相同的规则；保留一处即可。",
    ),
    "duplicate-document": (
        "{n} rules of this file stand in `{path}` too, so the model is given them twice.",
        "本文件有 {n} 条规则与 `{path}` 相同，模型会收到两遍。",
    ),
    "duplicate-rule-id": (
        "The id `{id}` is used at {where} too; only "
        "{?there:the rule there}{?here:this rule}{?either:one of the two rules} counts.",
        "id `{id}` 在 {where} 也用到了；"
        "{?there:只有那里的规则}{?here:只有这一条}{?either:两条规则只有一条}生效。",
    ),
    "contradiction": (
        "This contradicts the rule at {where}: “{other}”",
        "与 {where} 的规则相矛盾：“{other}”",
    ),
    "failing-example": ("{message}", "示例与检查不符：{message}"),
    "misspelt-fence": (
        "`{info}` is not read as a part of the rule; did you mean `{new}`?",
        "`{info}` 不会被当作规则的一部分；是否想写 `{new}`？",
    ),
    "check-outside-rule": (
        "A check counts only below a list item, which says the rule in words; this one is not run.",
        "检查必须写在列表项（规则正文）之下；这里的检查不会运行。",
    ),
    "unknown-check-key": (
        "`{key}` is not a key of a check, so it is not run{?new:; the nearest is `{new}`}.",
        "`{key}` 不是检查的键，因此该检查不会运行{?new:；最接近的是 `{new}`}。",
    ),
    "broken-rule": ("{message}", "规则无法按原样使用：{message}"),
    "over-budget": (
        "The text takes about {size} tokens and {lines} lines; more than {limit} tokens are "
        "{?skill:too much for a skill: move details to files of its own}"
        "{?instructions:not given to the model (`knowledge.instructionTokens`)}.",
        "正文约 {size} 个词元、{lines} 行，超过 {limit} 个词元 的部分"
        "{?skill:对技能来说过长：请把细节移到单独的文件}"
        "{?instructions:不会提供给模型（`knowledge.instructionTokens`）}。",
    ),
    "cut-by-others": (
        "Other tools read only the first {limit} KiB: they never see what follows.",
        "其他工具只读取前 {limit} KiB：从这里起的内容它们看不到。",
    ),
    "long-section": (
        "The section is longer than {limit} characters; it is searched as {n} pieces. "
        "More headings make it easier to find.",
        "该节超过 {limit} 个字符，被分成 {n} 段检索。多加几个标题会更容易找到。",
    ),
    "long-line": (
        "The line has {length} characters; citations cannot point inside.",
        "这一行有 {length} 个字符；引用无法指向其中的位置。",
    ),
    "cut-file": (
        "The file is too long: it is read up to line {line} only. Split it.",
        "文件过长：只读取到第 {line} 行。请拆分。",
    ),
    "shared-keyword": (
        "The keyword `{keyword}` also leads to {names}: it does not tell them apart.",
        "关键词 `{keyword}` 也指向 {names}：无法区分它们。",
    ),
    "vague-keyword": (
        "The keyword `{keyword}` leads any question here{?n:: {n} documents say it}.",
        "关键词 `{keyword}` 会把任何问题都引到这里{?n:：{n} 的文档都提到它}。",
    ),
    "same-name": (
        "`{path}` is called `{name}` too{?hidden:; only one of the two is used}.",
        "`{path}` 也叫 `{name}`{?hidden:；两者只有一个会被使用}。",
    ),
    "empty-document": (
        "There is no text below the header; nothing can be found here.",
        "文件没有正文；检索不到任何内容。",
    ),
    "empty-section": (
        "Below the heading “{heading}” there is nothing; no question leads to it.",
        "标题“{heading}”下面没有内容；任何问题都不会找到它。",
    ),
    "wordless-section": (
        "The section has no word that a question could be about; nothing finds it.",
        "该节没有可供提问的实词；检索不到它。",
    ),
    "repeated-section": (
        "The same section stands at {where}: a question finds both, and one of them for nothing.",
        "{where} 有相同的一节：提问会同时命中两处，其中一处是多余的。",
    ),
    "invisible-character": (
        "Invisible characters stand here ({names}): people do not see them, a model does.",
        "此处有不可见字符（{names}）：人看不到，模型能看到。",
    ),
    "unusable": ("{message}", "无法按原样使用：{message}"),
}
"""`{?name:text}` is left out where the argument `name` is empty."""

_MORE = (
    "{more} more of these stand here and below, the last in line {last}.",
    "此处及以下还有 {more} 处同类问题，最后一处在第 {last} 行。",
)

_TITLES: Mapping[str, tuple[str, str]] = {
    "replace": ("Replace with `{text}`", "替换为 `{text}`"),
    "remove": ("Remove it", "删除"),
    "quote": ("Put it in quotes: `{text}`", "加上引号：`{text}`"),
    "insert": ("Insert `{text}`", "插入 `{text}`"),
}
_MAX_TITLE_TEXT = 60


def render_message(finding: Finding, say: Phrasing) -> str:
    """Return what a finding says."""
    arguments = dict(finding.arguments)
    if "more" in arguments:
        return _fill(say(*_MORE), arguments)
    if "message" in arguments:  # It is a reader's, and a text of ours.
        arguments["message"] = say.translate(arguments["message"])
    return _fill(say(*MESSAGES[finding.code]), arguments)


def render_title(repair: Repair, say: Phrasing) -> str:
    """Return what a repair does."""
    text = repair.text.replace("`", "'")
    shown = text if len(text) <= _MAX_TITLE_TEXT else f"{text[: _MAX_TITLE_TEXT - 1]}…"
    return say(*_TITLES[repair.kind]).replace("{text}", shown)


_PART = re.compile(r"\{\?(?P<when>\w+):(?P<inner>(?:[^{}]|\{\w+\})*)\}|\{(?P<name>\w+)\}")
_NAME = re.compile(r"\{(?P<name>\w+)\}")


def _fill(template: str, arguments: Mapping[str, str]) -> str:
    """Put arguments into a template; what they hold is never taken for a placeholder."""

    def put(match: re.Match[str]) -> str:
        return arguments.get(match["name"], "")

    def choose(match: re.Match[str]) -> str:
        if not match["when"]:
            return put(match)
        return _NAME.sub(put, match["inner"]) if arguments.get(match["when"]) else ""

    return _PART.sub(choose, template)
