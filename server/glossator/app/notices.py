"""What stands below an answer in a line: why it may say less than it could, and what to do."""

from typing import TYPE_CHECKING

from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing, count
from glossator.model.port import ChatModel

if TYPE_CHECKING:  # It loads pydantic, which only a model needs.
    from glossator.agent.loop import Turn
    from glossator.agent.window import Trimmed


def list_notices(turn: "Turn", model: ChatModel, say: Phrasing) -> list[str]:
    """List why the answer may say less than it could; what is not so is an empty text."""
    notices = [_describe_stop(str(turn.stop_reason), say)]
    if turn.is_without_tools:
        notices.append(
            say(
                f"`{model.name}` takes no tools or has no room for them, so it could not look at "
                "files.",
                f"`{model.name}` 不支持工具或放不下工具说明，因此没有查看任何文件。",
            )
        )
    if turn.lighter_problem:
        notices.append(
            say(
                f"The lighter model was not used: {turn.lighter_problem}",
                f"未使用较轻的模型：{turn.lighter_problem}",
            )
        )
    return [*notices, _describe_trimmed(turn.trimmed, say)]


def describe_silence(model: ChatModel, stop_reason: str, say: Phrasing) -> str:
    """Say why a model answered without a word, and what can be done."""
    if stop_reason in ("cut", "filtered", "time-limit", "token-limit"):
        return _describe_stop(stop_reason, say)
    return say(
        f"`{model.name}` sent no text. Ask again, or choose another model in `model.name`.",
        f"`{model.name}` 没有返回任何文字。请重试，或在 `model.name` 中换一个模型。",
    )


def say_without_model(say: Phrasing) -> str:
    """Say that no model wrote this."""
    return say("Facts gathered without a model.", "以上事实未经模型。")


def explain_missing_model(parts: Parts, say: Phrasing) -> str:
    """Say in one line that no model wrote this and how to add one."""
    return say_without_model(say) + say(" ", "") + tell_how_to_add_model(parts, say)


def tell_how_to_add_model(parts: Parts, say: Phrasing) -> str:
    """Say why there is no model and how to add one."""
    return say(
        parts.model_status.message,
        "要添加模型，请设置环境变量 `OPENAI_API_KEY`"
        "（其他服务再加 `OPENAI_BASE_URL` 和 `MODEL`）或 `DEEPSEEK_API_KEY`，"
        "或在编辑器设置或您自己的 `glossator.toml` 中填写 `model.baseUrl` 和 `model.name`。",
    )


def _describe_stop(stop_reason: str, say: Phrasing) -> str:
    """Say in one line why the answer may be incomplete, or nothing when it is not."""
    texts = {
        "round-limit": say(
            "The limit of rounds was reached; this is the best answer so far.",
            "已达到轮数上限；这是目前最好的答案。",
        ),
        "repeating": say(
            "The model kept repeating the same calls and was stopped.",
            "模型不断重复相同的调用，已被停止。",
        ),
        "time-limit": say(
            "The turn reached its time limit; raise `agent.turnTimeoutS` to let it go on longer.",
            "本轮已到时间上限；如需更长时间，请调大 `agent.turnTimeoutS`。",
        ),
        "token-limit": say(
            "The turn reached its token limit; raise `agent.turnTokens` to let it go on longer.",
            "本轮已到词元上限；如需继续，请调大 `agent.turnTokens`。",
        ),
        "cut": say(
            "The model reached its length limit before it was done.",
            "模型在完成之前达到了长度上限。",
        ),
        "filtered": say(
            "The provider's content filter ended the answer.", "服务商的内容过滤终止了回答。"
        ),
    }
    return texts.get(stop_reason, "")


def _describe_trimmed(trimmed: "Trimmed", say: Phrasing) -> str:
    """Say in one line what did not fit the model, or nothing when everything did."""
    parts = (
        (trimmed.n_turns, f"{count(trimmed.n_turns, 'earlier turn')} left out",
         f"省略了较早的 {trimmed.n_turns} 轮对话"),
        (trimmed.n_requests, f"material of {count(trimmed.n_requests, 'earlier turn')} left out",
         f"省略了较早 {trimmed.n_requests} 轮的材料"),
        (trimmed.n_results, f"{count(trimmed.n_results, 'tool result')} shortened",
         f"缩短了 {trimmed.n_results} 个工具结果"),
        (trimmed.n_rounds, f"{count(trimmed.n_rounds, 'round')} of tool calls left out",
         f"省略了 {trimmed.n_rounds} 轮工具调用"),
        (trimmed.n_sections, f"{count(trimmed.n_sections, 'section')} of material left out",
         f"省略了 {trimmed.n_sections} 段材料"),
    )  # fmt: skip
    english = ", ".join(text for number, text, _ in parts if number)
    chinese = "，".join(text for number, _, text in parts if number)
    if not english:
        return ""
    return say(
        f"The conversation is too long for the model: {english}.",
        f"对话超出了模型的长度限制：{chinese}。",
    )
