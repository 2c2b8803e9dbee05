"""Examine an installation: what was found, what is missing and how to fix it."""

import json
import platform
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.app.model_test import ModelTest
from glossator.app.phrasing import Phrasing, count
from glossator.app.results import MeaningStatus, ModelStatus, SharedStatus, Status
from glossator.compose import locate_own_settings
from glossator.model.probing import Stage

_MAX_SETTINGS_BYTES = 1_000_000
_NAMED_FILES = 8


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was looked at. `remedy` is empty when all is well.

    `is_problem` says that something does not work, and not merely that there is less of it.
    `is_lacking` says that something is not there that nobody needs.
    """

    subject: str
    state: str
    remedy: str = ""
    is_problem: bool = False
    is_lacking: bool = False


def examine(
    status: Status, say: Phrasing, *, n_sessions: int = 0, unknown_rules: Sequence[str] = ()
) -> tuple[Examined, ...]:
    """Look at everything that decides what Glossator can do here.

    `unknown_rules` tell which ids in the settings no rule has.
    """
    return tuple(_examine(status, say, n_sessions, unknown_rules))


def _examine(
    status: Status, say: Phrasing, n_sessions: int, unknown_rules: Sequence[str]
) -> Iterator[Examined]:
    python = platform.python_version()
    yield Examined(
        "Glossator",
        say(f"{status.version} on Python {python}", f"{status.version}，Python {python}"),
    )
    yield _examine_command(say)
    yield _examine_model(status.model, say)
    index = status.index
    if index is not None:
        documents, sections = index.n_documents, index.n_sections
        yield Examined(
            say("Knowledge", "知识"),
            say(
                f"{count(documents, 'document')}, {count(sections, 'section')}",
                f"{documents} 篇文档，{sections} 个章节",
            ),
        )
        yield Examined(say("Skills", "技能"), str(index.n_skills))
        yield Examined(say("Rules", "规则"), str(index.n_rules))
        yield Examined(say("Instructions", "指令"), _name_files(status.instructions, say))
    yield _examine_trust(status, say)
    yield _examine_meaning(status.meaning, say)
    if status.shared is not None:
        yield _examine_shared(status.shared, say)
    yield _examine_sessions(status.sessions_file, n_sessions, say)
    own = locate_own_settings()
    yield Examined(
        say("Your settings", "您的设置"),
        say(f"{own} is used", f"使用 {own}")
        if own.is_file()
        else say(
            f"none; what holds for you alone is written into {own}",
            f"无；只对您生效的设置写在 {own}",
        ),
        is_lacking=not own.is_file(),
    )
    for root in status.roots:
        yield Examined(say("Workspace", "工作区"), str(root))
        yield from _examine_settings_files(root, say)
    found = shutil.which("rg")
    missing = say(
        "not found; searching works, in large workspaces slower",
        "未找到；搜索可用，但在大型工作区中较慢",
    )
    yield Examined("ripgrep", found or missing, is_lacking=found is None)
    for problem in (*status.problems, *unknown_rules):
        remedy = say("Correct what is named here.", "请改正此处指出的问题。")
        yield Examined(say("Problem", "问题"), problem, remedy, is_problem=True)


def _examine_model(model: ModelStatus, say: Phrasing) -> Examined:
    subject = say("Model", "模型")
    if model.is_configured:
        source = say.translate(model.source)
        return Examined(
            subject,
            say(
                f"{model.name} at {model.endpoint} (from {source})",
                f"{model.name}，位于 {model.endpoint}（来自{source}）",
            ),
        )
    state = say("none; everything but free conversation works", "无；除自由对话外的功能均可用")
    return Examined(subject, state, model.message)


def _examine_trust(status: Status, say: Phrasing) -> Examined:
    subject = say("Trust", "信任")
    if status.trust == "trusted":
        return Examined(
            subject,
            say(
                "this workspace is trusted: its `.env`, skills and instructions",
                "此工作区受信任：使用其 `.env`、技能和指令",
            ),
        )
    is_refused = status.trust == "untrusted"
    state = (
        say("is not trusted", "未受信任") if is_refused else say("is not trusted yet", "尚未受信任")
    )
    names = _name_files(status.withheld, say)
    remedy = say(
        'Run `glossator.trustWorkspace` with `{"trusted": true}` in the editor, or set '
        "`workspace.trusted`.",
        '请在编辑器中以 `{"trusted": true}` 运行 `glossator.trustWorkspace`，或设置 '
        "`workspace.trusted`。",
    )
    return Examined(
        subject,
        say(f"this workspace {state}; not used: {names}", f"此工作区{state}；未使用：{names}"),
        remedy if status.withheld else "",
    )


def _name_files(paths: Sequence[str], say: Phrasing) -> str:
    names = say.join(paths[:_NAMED_FILES])
    n_more = len(paths) - _NAMED_FILES
    if n_more > 0:
        names += say(f" and {n_more} more", f" 等另外 {n_more} 个")
    return names or say("none", "无")


def _examine_meaning(meaning: MeaningStatus | None, say: Phrasing) -> Examined:
    subject = say("Meaning", "语义")
    if meaning is None:
        return Examined(
            subject, say("not used; knowledge is found by its words", "未使用；按词语查找知识")
        )
    n_ready, n_all = f"{meaning.n_ready:,}", f"{meaning.n_sections:,}"
    ready = say(f"{n_ready} of {n_all} sections ready", f"{n_all} 个章节中 {n_ready} 个已就绪")
    if meaning.n_ready < meaning.n_sections:
        ready += say(
            " (`glossator index --meaning` prepares the others)",
            "（`glossator index --meaning` 会准备其余的）",
        )
    size = f"{meaning.cache_bytes / 1e6:.1f} MB"
    cache = say(f"{size} of vectors in {meaning.cache}", f"{meaning.cache} 中有 {size} 向量")
    return Examined(subject, say(", ", "，").join((meaning.encoder, ready, cache)))


def _examine_shared(shared: SharedStatus, say: Phrasing) -> Examined:
    subject = say("Shared index", "共享索引")
    place = say(
        f"`{shared.collection}` in {shared.address}", f"{shared.address} 中的 `{shared.collection}`"
    )
    if shared.problem:
        return Examined(
            subject,
            say(
                f"{place} is not used; the local index answers alone",
                f"未使用 {place}；仅用本地索引",
            ),
        )
    held = say(
        f"{count(shared.n_documents, 'document')}, {count(shared.n_sections, 'section')}",
        f"{shared.n_documents} 篇文档，{shared.n_sections} 个章节",
    )
    vectors = say(", ", "，").join(
        say(f"{n:,} vectors of {name}", f"{name} 的 {n:,} 个向量") for name, n in shared.vectors
    )
    vectors = vectors or say("no vectors", "没有向量")
    return Examined(subject, say(f"{place}: {held}, {vectors}", f"{place}：{held}，{vectors}"))


def _examine_sessions(file: Path | None, n_sessions: int, say: Phrasing) -> Examined:
    subject = say("Sessions", "会话")
    if file is None:
        return Examined(subject, say("they end with the process", "随进程结束"))
    return Examined(
        subject,
        say(
            f"{n_sessions} of this workspace, in {file}",
            f"此工作区有 {n_sessions} 个，保存在 {file}",
        ),
    )


def _examine_command(say: Phrasing) -> Examined:
    subject, found = say("Command", "命令"), shutil.which("glossator")
    if found:
        return Examined(subject, found)
    return Examined(
        subject,
        say("`glossator` is not on PATH", "`glossator` 不在 PATH 中"),
        say(
            "Add the folder of this Python's scripts to PATH, or set `glossator.server.command` in "
            "the editor.",
            "请把此 Python 的脚本文件夹加入 PATH，或在编辑器中设置 `glossator.server.command`。",
        ),
    )


def _examine_settings_files(root: Path, say: Phrasing) -> Iterator[Examined]:
    settings = root / "glossator.toml"
    if settings.is_file():
        yield Examined(
            say("Settings", "设置"), say(f"{settings.name} is used", f"使用 {settings.name}")
        )
    vscode = root / ".vscode" / "settings.json"
    if not vscode.is_file():
        return
    subject = say("VS Code settings", "VS Code 设置")
    remedy = say("Correct the file.", "请改正该文件。")
    try:
        if vscode.stat().st_size > _MAX_SETTINGS_BYTES:
            raise ValueError(say("the file is too large", "文件过大"))
        values = json.loads(_without_comments(vscode.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        state = say(f"not readable: {error}", f"无法读取：{error}")
        yield Examined(subject, state, remedy, is_problem=True)
        return
    if not isinstance(values, dict):
        yield Examined(subject, say("not an object", "不是对象"), remedy, is_problem=True)
        return
    names = sorted(name for name in values if name.startswith("glossator."))
    none = say("none of ours in this workspace", "此工作区中没有我们的设置")
    yield Examined(subject, say.join(names) or none)


def _without_comments(text: str) -> str:
    """Take out what VS Code allows in its settings beyond JSON: comments, trailing commas."""
    pattern = r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/'
    text = re.sub(pattern, lambda match: match[1] or "", text, flags=re.DOTALL)
    return re.sub(r",(\s*[}\]])", r"\1", text)


def render_examination(examined: Sequence[Examined], say: Phrasing) -> str:
    """Write the examination as Markdown."""
    lines = []
    for each in examined:
        lines.append(f"- {_mark(each)} **{each.subject}**{say(': ', '：')}{each.state}")
        if each.remedy:
            lines.append(f"    - {each.remedy}")
    return "\n".join(lines) + "\n"


def _mark(examined: Examined) -> str:
    if examined.is_problem:
        return "✗"
    if examined.remedy:
        return "→"
    return "–" if examined.is_lacking else "✓"


def examine_test(test: ModelTest, say: Phrasing) -> tuple[Examined, ...]:
    """Tell what came of testing the model, check by check."""
    return tuple(
        Examined(
            name_stage(check.stage, say),
            check.text or say("not reached", "未进行到此"),
            check.remedy,
            is_problem=check.outcome == "failed",
            is_lacking=check.outcome == "unknown",
        )
        for check in test.checks
    )


def name_stage(stage: Stage, say: Phrasing) -> str:
    """Name what a check of the model is about."""
    names = {
        "reachable": say("Server", "服务器"),
        "key": say("Key", "密钥"),
        "model": say("Model", "模型"),
        "answer": say("Answer", "回答"),
        "tools": say("Tools", "工具"),
    }
    return say(f"Test: {names[stage].lower()}", f"测试：{names[stage]}")
