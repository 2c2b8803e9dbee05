"""Whether a workspace is trusted: what the editor says, what was answered, and the question.

An answer is kept for each workspace folder in the state folder, so that nobody is asked twice.
"""

import json
import logging
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glossator.app.phrasing import Phrasing
from glossator.app.results import Trust
from glossator.knowledge.documents import Document
from glossator.tools.replacing import replace_file

_log = logging.getLogger(__name__)

_MAX_BYTES = 4 * 1024 * 1024
_NAMED_FILES = 5


@dataclass(frozen=True, slots=True)
class TrustQuestion:
    """What is asked of the user, and the two answers."""

    message: str
    yes: str
    no: str


class TrustAnswers:
    """The answers that were given, in a file; None where nothing is to be remembered.

    Of a file that cannot be read nothing is taken, and the next answer replaces it.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._lock = threading.Lock()

    def find(self, roots: Iterable[Path]) -> bool | None:
        """Return what was answered for all of these folders together; None: it was not asked.

        One no is a no; a yes counts when every folder has it.
        """
        answers = self._read()
        given = [_read_answer(answers.get(str(root))) for root in roots]
        if False in given:
            return False
        return True if given and all(given) else None

    def remember(self, roots: Iterable[Path], *, trusted: bool) -> str:
        """Keep an answer; return why it could not be kept, or nothing."""
        if self._file is None:
            return ""
        with self._lock:
            answers = dict(self._read())
            for root in roots:
                answers[str(root)] = {"trusted": trusted, "answeredAt": int(time.time())}
            try:
                _write(self._file, {"version": 1, "workspaces": answers})
            except OSError as error:
                return f"The answer could not be kept in {self._file}: {error.strerror}."
        return ""

    def _read(self) -> Mapping[str, Any]:
        if self._file is None:
            return {}
        try:
            with self._file.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
            kept = json.loads(data)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _log.warning("What was answered about trust cannot be read: %s", error)
            return {}
        workspaces = kept.get("workspaces") if isinstance(kept, dict) else None
        return workspaces if isinstance(workspaces, dict) else {}


def decide_trust(
    said: bool | None, answered: bool | None, *, is_set: bool, heeds_answers: bool
) -> Trust:
    """Decide whether a workspace is trusted.

    `said` is what the editor or the terminal says, `answered` what a user did; a no of either
    counts more than a yes. `is_set` is the user's setting. The terminal heeds no answers.
    """
    if said is False or (answered is False and heeds_answers):
        return "untrusted"
    if said or is_set or (answered and heeds_answers):
        return "trusted"
    return "unknown"


def put_question(withheld: Sequence[Document], say: Phrasing) -> TrustQuestion | None:
    """Ask about the files that are not used as long as nobody trusts the workspace."""
    if not withheld:
        return None
    names = [document.path for document in withheld[:_NAMED_FILES]]
    n_more = len(withheld) - len(names)
    shown = ", ".join(names) + (
        say(f" and {n_more} more", f" 等另外 {n_more} 个文件") if n_more else ""
    )
    return TrustQuestion(
        say(
            f"This workspace brings instructions or skills for assistants: {shown}. Glossator can "
            "follow them when you trust the workspace; its `.env` may then choose the model, too. "
            "Do you trust it?",
            f"此工作区带有给 AI 助手的说明或技能：{shown}。信任该工作区后，Glossator 才会遵循它们，"
            "其 `.env` 也可以选择模型。是否信任？",
        ),
        yes=say("Trust", "信任"),
        no=say("Don't trust", "不信任"),
    )


def explain_withheld(trust: Trust, withheld: Sequence[Document], say: Phrasing) -> str:
    """Say what is not used as the workspace is not trusted, and how to trust it."""
    if trust == "trusted" or not withheld:
        return ""
    names = say.join(f"`{document.path}`" for document in withheld[:_NAMED_FILES])
    if len(withheld) > _NAMED_FILES:
        n_more = len(withheld) - _NAMED_FILES
        names += say(f" and {n_more} more", f" 等另外 {n_more} 个文件")
    state = (
        say("is not trusted", "未受信任")
        if trust == "untrusted"
        else say("is not trusted yet", "尚未受信任")
    )
    return say(
        f"This workspace {state}, so these are not used: {names}. To trust it, run the command "
        '`glossator.trustWorkspace` with `{"trusted": true}`, or set `workspace.trusted`.',
        f"此工作区{state}，因此未使用：{names}。如需信任，请以 "
        '`{"trusted": true}` 运行命令 `glossator.trustWorkspace`，或设置 `workspace.trusted`。',
    )


def _read_answer(answer: object) -> bool | None:
    trusted = answer.get("trusted") if isinstance(answer, dict) else None
    return trusted if isinstance(trusted, bool) else None


def _write(file: Path, content: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
    replace_file(file, data)
