"""What a server's refusals and breakdowns mean, in words that name the remedy.

Messages hold at most 300 characters: what happened, the server's own words as far as they fit,
and what to do.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.model.endpoints import Endpoint
from glossator.model.reports import Report, cut, leave_out_keys, read_report, strip_markup

MAX_MESSAGE_LENGTH = 300
_MAX_QUOTE_LENGTH = 120

Kind = Literal[
    "wrong-key", "forbidden", "unknown-model", "wrong-address", "quota", "rate-limit",
    "context-too-long", "tools-unsupported", "content-filter", "redirect", "not-a-stream",
    "unreadable-call", "bad-request", "server-error", "unreachable", "timeout", "broken-stream",
]  # fmt: skip
Retry = Literal["never", "once", "later"]


class ContextTooLong(ModelUnavailable):
    """The request does not fit the model's context: `n_tokens` of `limit`, where known."""

    code = "context-too-long"
    n_tokens: int | None = None
    limit: int | None = None


class ToolsUnsupported(ModelUnavailable):
    """The model takes no tools."""

    code = "tools-unsupported"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed request.

    `cause` says what happened, `remedy` what to do. `retry` says whether the same request may do
    better; `wait_s` is the pause the server asked for; `detail` holds its own words, to learn from.
    """

    kind: Kind
    cause: str
    remedy: str
    retry: Retry = "never"
    status: int | None = None
    wait_s: float | None = None
    detail: str = field(default="", repr=False)
    n_tokens: int | None = None
    limit: int | None = None

    @property
    def message(self) -> str:
        """Cause and remedy, as they are shown."""
        return cut(f"{self.cause}. {self.remedy}", MAX_MESSAGE_LENGTH)

    def to_error(self, *, shown: bool) -> ModelUnavailable:
        """Return what to raise; once a part of the answer was shown, that it is incomplete."""
        error = self._make_error(shown=shown)
        error.kind, error.cause, error.remedy = self.kind, self.cause, self.remedy
        return error

    def _make_error(self, *, shown: bool) -> ModelUnavailable:
        if shown:
            return IncompleteAnswer(
                cut(f"The answer is incomplete: {self.message}", MAX_MESSAGE_LENGTH)
            )
        if self.kind == "broken-stream":
            return IncompleteAnswer(self.message)
        if self.kind == "context-too-long":
            error = ContextTooLong(self.message)
            error.n_tokens, error.limit = self.n_tokens, self.limit
            return error
        if self.kind == "tools-unsupported":
            return ToolsUnsupported(self.message)
        return ModelUnavailable(self.message)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """How one kind of failure is recognised, and what is said about it.

    `text` and `remedy` may name {host}, {model}, {url}, {sizes} and {place}. What `is_lasting` is
    not meant by words beside which the server names a pause.
    """

    kind: Kind
    text: str
    remedy: str
    statuses: tuple[int, ...] = ()
    codes: frozenset[str] = frozenset()
    pattern: str = ""
    unless_status: tuple[int, ...] = ()
    only_status: tuple[int, ...] = ()
    is_lasting: bool = False
    retry: Retry = "never"

    def fits(self, status: int | None, report: Report) -> bool:
        if status in self.statuses or self.codes & report.codes:
            return True
        if status in self.unless_status or (self.only_status and status not in self.only_status):
            return False
        if self.is_lasting and report.wait_s is not None:
            return False
        return bool(self.pattern) and report.says(self.pattern)


# The first meaning that fits counts.
_MEANINGS = (
    # Scaleway's "INSUFFICIENT QUOTA" passes; only the exact code of the others means no money.
    _Meaning(
        "quota",
        "The account at `{host}` has no credit left",
        "Add credit there, or choose another server; asking again does not help.",
        statuses=(402,),
        codes=frozenset(("insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
                         "insufficient_balance", "insufficient_user_quota", "Arrearage", "1113",
                         "1008")),
        # Gemini says so of the quota of a minute, too, and then when to try again.
        pattern=r"insufficient (balance|credits)|exceeded your current quota|"
                r"billing (hard )?limit|credit balance is too low|out of credits|"
                r"used all available credits|spending limit|arrears|欠费|余额不足|"
                r"额度(不足|已?用(完|尽))",
        is_lasting=True,
    ),
    _Meaning(
        "wrong-key",
        "`{host}` does not accept the key",
        "Check the key in {place}.",
        statuses=(401,),
        codes=frozenset(("invalid_api_key", "InvalidApiKey", "authentication_error",
                         "invalid_authentication_error", "UNAUTHENTICATED", "1004")),
        pattern=r"(incorrect|invalid|wrong|expired) api.?key|"
                r"api.?key (is |has )?(been )?(not valid|invalid|expired|disabled|revoked)|"
                r"(无效|错误|过期)的? ?(api.?key|密钥|令牌)|"
                r"(api.?key|密钥|令牌).{0,6}(无效|错误|过期|失效)",
    ),
    _Meaning(
        "content-filter",
        "The content filter of `{host}` blocked the request",
        "Ask differently, or leave out the text that it objects to.",
        codes=frozenset(("content_filter", "ResponsibleAIPolicyViolation", "1301",
                         "data_inspection_failed", "DataInspectionFailed")),
        pattern=r"content (management|filter)|content_filter|content exists risk|"
                r"violat\w+[^.]{0,30}(usage|content|safety) polic",
    ),
    # Bedrock says "too many tokens" when it means too many requests.
    _Meaning(
        "context-too-long",
        "The conversation is too long for `{model}`{sizes}",
        "Begin a new session, ask about less at once, or choose a model with a larger context.",
        statuses=(413,),
        codes=frozenset(("context_length_exceeded", "exceed_context_size_error", "1261",
                         "string_above_max_length", "model_max_prompt_tokens_exceeded",
                         "context_window_exceeded",
                         "tokens_limit_reached")),
        pattern=r"maximum context length|context (length|size|window)[^.]*exceed|"
                r"exceed[^.]*context|(prompt|input|conversation) is too long|"
                r"larger than the context|input tokens exceed|"
                r"(greater|longer) than the (context|model|maximum)|reached context length|"
                r"context the overflows|input length[^.]*exceed|maximum prompt length|"
                r"reduce the length of|exceeds the (maximum|model)[^.]*tokens|"
                r"token (count|limit)[^.]*exceed|exceed\w* (the )?(model )?token limit|"
                r"tokens in the prompt cannot exceed|max_new_tokens` must be|"
                r"range of input length|超长|(超过|超出).{0,12}(长度|上下文)|"
                r"(输入|上下文)长度(超过|超出|过长)",
        unless_status=(429,),
    ),
    _Meaning(
        "rate-limit",
        "`{host}` takes no request of this size in a minute",
        "Ask about less at once, or choose another model.",
        pattern=r"request too large",
        only_status=(429,),
    ),
    _Meaning(
        "rate-limit",
        "`{host}` limits how much may be asked",
        "Wait a little and ask again, or choose another model.",
        statuses=(429,),
        codes=frozenset(("1002", "1039", "1302", "1303", "1305", "RESOURCE_EXHAUSTED",
                         "rate_limit_exceeded", "rate_limit_error", "Throttling",
                         "ThrottlingException")),
        pattern=r"rate.?limit|too many requests|too many tokens, please wait",
        retry="later",
    ),
    _Meaning(
        "unreadable-call",
        "`{host}` could not read a tool call of its own model",
        "Ask again; if it stays, choose a model that is better at tools than `{model}`.",
        codes=frozenset(("tool_use_failed",)),
        pattern=r"failed to parse (input|tool|arguments)|parse tool call",
        retry="once",
    ),
    _Meaning(
        "tools-unsupported",
        "The model `{model}` takes no tools",
        "It cannot look at files; choose a model with tool calling in `model.name`.",
        # vLLM and llama.cpp call tools only when they were started so.
        pattern=r"not support (tools?|function|tool)|tools?[`'\"]? (is|are) not supported|"
                r"enable-auto-tool-choice|tools param requires|"
                r"(unsupported|unrecognized|unknown) (request )?(parameter|argument)[^.]{0,20}"
                r"\btools\b|"
                r"^body\.tools; extra inputs|不支持.{0,6}(工具|函数|function|tool)|"
                r"function calling is not|tool[ _-](use|choice|calling)[^.]{0,40}not supported|"
                r"no endpoints found that support tool",
    ),
    _Meaning(
        "unknown-model",
        "`{host}` does not offer the model `{model}`",
        "Set `model.name` (or `MODEL`) to one that it offers.",
        codes=frozenset(("model_not_found",)),
        pattern=r"model[^.]{0,80}(not found|does not exist|not exist|is not available|unknown|"
                r"not supported)|(unknown|invalid|no such|not a valid) model|模型不存在",
        only_status=(400, 403, 404, 422),
    ),
    # What proxies for many servers say, as if it would pass.
    _Meaning(
        "unknown-model",
        "`{host}` does not offer the model `{model}`",
        "Set `model.name` (or `MODEL`) to one that it offers.",
        pattern=r"no available channels? for|无可用渠道",
    ),
    _Meaning(
        "forbidden",
        "A proxy on the way to `{host}` asks who you are",
        "Check the proxy variables in the environment, or sign in to the network.",
        statuses=(407, 511),
    ),
    _Meaning(
        "forbidden",
        "`{host}` does not allow this",
        "Check that the key may use `{model}`, and that your network may reach the server.",
        statuses=(403,),
    ),
    _Meaning(
        "wrong-address",
        "Nothing takes questions at `{url}/chat/completions`",
        "Check the base URL; it usually ends in `/v1`.",
        statuses=(404, 405),
    ),
    _Meaning(
        "bad-request",
        "`{host}` does not accept the request",
        "If it stays, try another model or begin a new session.",
        statuses=tuple(status for status in range(400, 500) if status not in (408, 409, 425)),
    ),
)  # fmt: skip
_SERVER_ERROR = _Meaning(
    "server-error",
    "`{host}` reports an error",
    "Ask again in a moment; if it stays, look at the server's own log or status page.",
    retry="later",
)
_KEY_PLACES = {
    "environment": "the environment",
    "editor settings": "the editor's settings",
    "form": "the form",
}


def classify_response(
    endpoint: Endpoint, status: int, body: str, *, wait_s: float | None = None, location: str = ""
) -> Failure:
    """Say what an HTTP answer other than success means."""
    if 300 <= status < 400:
        target = cut(leave_out_keys(strip_markup(location), endpoint.api_key), 100)
        target = f"`{target}`" if target else "another place"
        return Failure(
            "redirect",
            f"`{endpoint.host}` redirects to {target}; neither code nor key is sent there",
            "If that is the server you want, set it as the base URL.",
            status=status,
        )
    return _classify(endpoint, status, read_report(body, endpoint.api_key), wait_s)


def classify_stream_error(endpoint: Endpoint, error: object) -> Failure:
    """Say what an error inside a stream, or in a body with status 200, means."""
    report = read_report(error, endpoint.api_key)
    numbers = sorted(int(code) for code in report.codes if code.isascii() and code.isdigit())
    status = next((number for number in numbers if 400 <= number < 600), None)
    return _classify(endpoint, status, report, None)


def find_stream_error(chunk: dict[str, Any]) -> object:
    """Return the error that a chunk reports instead of a piece of an answer, or None."""
    error = chunk.get("error")
    if error:
        # `true` or a number only says that there is one; its words stand beside it.
        return error if isinstance(error, str | list | dict) else chunk
    if chunk.get("choices") or chunk.get("usage"):
        return None
    base = chunk.get("base_resp")
    if isinstance(base, dict) and base.get("status_code"):
        return {"message": base.get("status_msg"), "code": base["status_code"]}
    if chunk.get("object") == "error" or chunk.get("type") == "error":
        return chunk
    names_error = chunk.get("detail") or chunk.get("errors")
    says_error = isinstance(chunk.get("message") or chunk.get("msg"), str)
    return chunk if names_error or says_error else None


def add_quote(text: str, quote: str, remedy: str) -> str:
    """Return `text (“quote”)`, the quote cut so that the remedy fits behind it."""
    room = min(MAX_MESSAGE_LENGTH - len(text) - len(remedy) - 8, _MAX_QUOTE_LENGTH)
    return f"{text} (“{cut(quote, room)}”)" if quote and room >= 12 else text


def _classify(
    endpoint: Endpoint, status: int | None, report: Report, wait_s: float | None
) -> Failure:
    report.wait_s = report.wait_s if wait_s is None else wait_s
    meaning = next((item for item in _MEANINGS if item.fits(status, report)), _SERVER_ERROR)
    sizes = ""
    if report.n_tokens and report.limit:
        sizes = f": {report.n_tokens} tokens where {report.limit} fit"
    place = _KEY_PLACES.get(endpoint.source, f"`{endpoint.source}`")
    names = {
        "host": endpoint.host,
        "model": cut(endpoint.model, 60),
        "url": cut(endpoint.base_url, 80),
        "sizes": sizes,
        "place": place if endpoint.api_key else f"{place}: none is set",
    }
    text = meaning.text.format_map(names) + (f", HTTP {status}" if status else "")
    remedy = meaning.remedy.format_map(names)
    return Failure(
        meaning.kind,
        add_quote(text, report.text, remedy),
        remedy,
        meaning.retry,
        status=status,
        wait_s=report.wait_s,
        detail=" ".join((report.text, *sorted(report.codes))),
        n_tokens=report.n_tokens,
        limit=report.limit,
    )
