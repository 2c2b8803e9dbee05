import time

import pytest

from glossator.core.redaction import redact


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefghijkl",
        "Authorization: Basic aHVudGVyMmh1bnRlcjI=",
        "sk-proj-0123456789abcdef",
        '{"api_key": "hunter2hunter2"}',
        "https://user:hunter2@example.org/x",
        "https://example.org/x?api_key=hunter2&q=1",
        "OPENAI_API_KEY=hunter2hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----",
        "password: hunter2",
        r"{\"password\": \"hunter2\"}",
        "[token=hunter2]",
        "eyJhunter2abcdef.eyJzdWIiOiIx.c2lnbmVk",
        "github_pat_0hunter2hunter2",
    ],
)
def test_secrets_are_taken_out(text: str) -> None:
    redacted = redact(text)

    assert "[redacted]" in redacted
    for secret in ("hunter2", "abcdefghijkl", "aHVudGVy"):
        assert secret not in redacted


def test_the_key_in_use_is_taken_out_whatever_it_looks_like() -> None:
    assert redact("sent 7c9f3b1e2a to it", ("7c9f3b1e2a",)) == "sent [redacted] to it"


def test_a_word_that_serves_as_a_key_of_a_local_server_is_left_in_the_text() -> None:
    assert redact("There is none.", ("none", "")) == "There is none."


def test_ordinary_text_is_left_alone() -> None:
    text = "def tokenize(text): return text.split()  # 关键词：令牌"

    assert redact(text) == text


@pytest.mark.parametrize(
    "piece",
    ["a", " a", "token", " token:", "\\", "://a:", "eyJaaaaaaaa.", "authorization", "basic "],
)
def test_a_long_text_is_redacted_in_bounded_time(piece: str) -> None:
    started = time.monotonic()

    redact(piece * (500_000 // len(piece)))

    assert time.monotonic() - started < 5
