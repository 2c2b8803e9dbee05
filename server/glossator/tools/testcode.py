"""Which files hold tests, by the conventions of each language."""

import re

_FOLDERS = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|__test__|specs?|e2e|[\w.-]+\.Tests?|[\w-]+[-_]tests?)/",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"""(?:^|/)(?:
        test_[^/]*\.py | [^/]*_test\.py | tests?\.py | conftest\.py
      | [^/]*_test\.go
      | [^/]*[.\-_](?:test|tests|spec|e2e|cy)\.(?:[cm]?[jt]sx?)
      | (?:Test[A-Z][^/]*|[^/]*(?:Tests?|TestCase|IT|Spec|Specs))\.(?:java|cs|php|kt)
      | tests?\.rs | [^/]*_tests?\.rs
      | [^/]*[-_]?(?:unit)?tests?\.(?:c|cc|cpp|cxx|h|hpp) | test[-_][^/]*\.(?:c|cc|cpp|cxx|h|hpp)
      | [^/]*_(?:test|spec)\.rb | test_[^/]*\.rb
    )$""",
    re.VERBOSE,
)
# Words one of which the decorators of a test hold.
TEST_MARKS = ("test", "Test", "Fact", "Theory", "TestMethod", "rstest", "pytest")
_MARKED = re.compile(r"\b(?:test|Test|Fact|Theory|TestMethod|rstest|tokio::test|pytest\.mark)\b")


def is_test_path(shown_path: str) -> bool:
    """Say whether a file, by its path with forward slashes, holds tests."""
    return _FILES.search(shown_path) is not None or _FOLDERS.search(shown_path) is not None


def is_test_code(decorators: tuple[str, ...], name: str) -> bool:
    """Say whether a function beside ordinary code is a test (Rust's `#[test]`, JUnit's `@Test`)."""
    return any(_MARKED.search(decorator) for decorator in decorators) and bool(name)
