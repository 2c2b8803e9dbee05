import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.errors import IncompleteAnswer
from glossator.model.endpoints import Endpoint
from glossator.model.failures import (
    ContextTooLong,
    ToolsUnsupported,
    classify_response,
    classify_stream_error,
    find_stream_error,
)
from glossator.model.reports import leave_out_keys, read_report, strip_markup

_KEY = "sk-secret-0123456789"
_ENDPOINT = Endpoint("https://models.example/v1", _KEY, "tiny", "environment")
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just(_KEY),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["error", "message", "code", "type", "param", "detail", "msg", "loc", "errors",
             "innererror", "status", "n_ctx", "n_prompt_tokens", "base_resp", "status_code"]
        ),
        inner,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.integers(201, 599), st.text(max_size=200) | _json.map(json.dumps))
def test_no_body_raises_and_no_message_is_long_or_holds_html_or_the_key(
    status: int, body: str
) -> None:
    failure = classify_response(_ENDPOINT, status, body + f" <b>{_KEY}</b>", location=body)

    for message in (failure.message, str(failure.to_error(shown=True))):
        assert len(message) <= 300
        assert "<" not in message
        assert _KEY not in message
        assert message.isprintable()


@given(_json)
def test_no_error_in_a_stream_raises(error: object) -> None:
    failure = classify_stream_error(_ENDPOINT, error)

    assert len(failure.message) <= 300
    assert _KEY not in failure.message


@given(st.dictionaries(st.text(max_size=5) | st.sampled_from(["error", "choices"]), _json))
def test_looking_for_an_error_never_raises(chunk: dict[str, object]) -> None:
    find_stream_error(chunk)


def _error(message: str = "", **fields: object) -> str:
    return json.dumps({"error": {"message": message, **fields}})


@pytest.mark.parametrize(
    ("status", "body", "kind", "retry"),
    [
        (401, "", "wrong-key", "never"),
        (400, _error("API key not valid. Please pass a valid API key."), "wrong-key", "never"),
        (402, _error("Insufficient Balance"), "quota", "never"),
        (429, _error("quota", code="insufficient_quota"), "quota", "never"),
        (429, _error("INSUFFICIENT QUOTA"), "rate-limit", "later"),
        (429, _error("Request too large for tiny on tokens per min"), "rate-limit", "never"),
        (429, "", "rate-limit", "later"),
        (400, _error("input length 9000 exceeds the maximum"), "context-too-long", "never"),
        (413, "<html>Request Entity Too Large</html>", "context-too-long", "never"),
        (400, _error("tiny does not support tools"), "tools-unsupported", "never"),
        (404, _error("No endpoints found that support tool use"), "tools-unsupported", "never"),
        (400, _error("Model Not Exist"), "unknown-model", "never"),
        (404, _error('model "tiny" not found, try pulling it first'), "unknown-model", "never"),
        (404, "", "wrong-address", "never"),
        (403, "blocked", "forbidden", "never"),
        (400, _error("x", code="content_filter"), "content-filter", "never"),
        (422, "", "bad-request", "never"),
        (408, "", "server-error", "later"),
        (409, "", "server-error", "later"),
        (500, "", "server-error", "later"),
        (500, _error("Failed to parse input at pos 3"), "unreadable-call", "once"),
        (529, _error("Overloaded"), "server-error", "later"),
        (407, "", "forbidden", "never"),
        (
            429,
            _error("You exceeded your current quota. Please retry in 34.07s."),
            "rate-limit",
            "later",
        ),
        (429, _error("Your team has used all available credits"), "quota", "never"),
        (200, _error("rate limited", code=1002), "rate-limit", "later"),
        (200, _error("slow down", code="rate_limit_exceeded"), "rate-limit", "later"),
        (401, _error("token invalid", code="1002"), "wrong-key", "never"),
        (302, "", "redirect", "never"),
        (425, "Too Early", "server-error", "later"),
        (400, _error("API key expired. Please renew it."), "wrong-key", "never"),
        (403, _error("The API key is disabled"), "wrong-key", "never"),
        (400, _error("无效的 API Key"), "wrong-key", "never"),
        (403, _error("用户额度不足"), "quota", "never"),
        (429, _error("免费额度已用完"), "quota", "never"),
        (400, _error("Content Exists Risk"), "content-filter", "never"),
        (400, _error("This violates our usage policies"), "content-filter", "never"),
        (503, _error("No available channel for model tiny"), "unknown-model", "never"),
        (503, _error("对于模型 tiny 无可用渠道"), "unknown-model", "never"),
        (
            400,
            _error('"auto" tool choice requires --enable-auto-tool-choice'),
            "tools-unsupported",
            "never",
        ),
        (500, _error("tools param requires --jinja flag"), "tools-unsupported", "never"),
        (400, _error("`tools` is not supported"), "tools-unsupported", "never"),
        (400, _error("Unsupported parameter: 'tools'"), "tools-unsupported", "never"),
        (400, _error("Unsupported parameter: 'tool_choice'"), "bad-request", "never"),
        (400, _error("该模型不支持工具调用"), "tools-unsupported", "never"),
    ],
)
def test_each_failure_is_told_apart(status: int, body: str, kind: str, retry: str) -> None:
    failure = classify_response(_ENDPOINT, status, body)

    assert (failure.kind, failure.retry) == (kind, retry)
    assert "models.example" in failure.message or "tiny" in failure.message


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 8192 tokens.",
        "Your input exceeds the context window of this model.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "Input is too long for requested model.",
        "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "The number of tokens to keep from the initial prompt is greater than the context length.",
        "Trying to keep the first 9000 tokens when context the overflows.",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "Range of input length should be [1, 30720]",
        "invalid params, context window exceeds limit (2013)",
        "Invalid request: Your request exceeded model token limit: 8192",
        "prompt token count of 70000 exceeds the limit of 64000",
        "Please reduce the length of the messages or completion.",
        "Prompt 超长",
        "输入超出模型最大上下文长度",
        "输入长度超过模型最大限制",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "The conversation is too long.",
    ],
)
def test_a_conversation_that_is_too_long_is_known_in_the_words_of_every_server(text: str) -> None:
    assert classify_response(_ENDPOINT, 400, _error(text)).kind == "context-too-long"


def test_the_kinds_that_an_agent_can_act_on_have_their_own_error() -> None:
    long = classify_response(_ENDPOINT, 400, _error("", code="context_length_exceeded"))
    no_tools = classify_response(_ENDPOINT, 400, _error("does not support tools"))

    assert isinstance(long.to_error(shown=False), ContextTooLong)
    assert isinstance(no_tools.to_error(shown=False), ToolsUnsupported)
    assert isinstance(long.to_error(shown=True), IncompleteAnswer)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("maximum context length is 8192 tokens. you requested 9000 (8000 + 1000)", (9000, 8192)),
        ("the request (12,345 tokens) exceeds the available context size (4096)", (12345, 4096)),
        ("prompt is too long: 210000 tokens > 200000 maximum", (210000, 200000)),
        ("prompt is too long", (None, None)),
    ],
)
def test_both_token_counts_are_found(text: str, counts: tuple[int | None, int | None]) -> None:
    report = read_report(_error(text))

    assert (report.n_tokens, report.limit) == counts


@pytest.mark.parametrize(
    "text",
    [
        "key sk-proj-abc_DEF-123",
        "Bearer eyJhbGciOi.x",
        "provided: abcd****wxyz",
        "AIzaSyA1234567890b",
    ],
)
def test_what_looks_like_a_key_is_left_out(text: str) -> None:
    secret = text.split()[-1]

    assert secret not in leave_out_keys(text)


def test_markup_is_taken_off_and_comparisons_stay_readable() -> None:
    page = "<style>p{}</style><p class='x'>a &lt; b\n\x1b[0m and 1 < 2</p><script>evil("

    assert strip_markup(page) == "a ‹ b [0m and 1 ‹ 2"
