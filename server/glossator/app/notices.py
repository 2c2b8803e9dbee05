"""What is said below an answer about what the model was not sent."""

from glossator.agent.window import Trimmed
from glossator.app.phrasing import Phrasing, count


def describe_trimmed(trimmed: Trimmed, say: Phrasing) -> str:
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
