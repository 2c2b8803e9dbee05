"""Texts of our own in the reader's language: English or Chinese."""

from collections.abc import Iterable
from dataclasses import dataclass

from glossator.core.text import contains_chinese

_BETWEEN_LANGUAGES = " / "


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Chooses between the English and the Chinese form of a text."""

    is_chinese: bool

    def __call__(self, english: str, chinese: str) -> str:
        return chinese if self.is_chinese else english

    def join(self, texts: Iterable[str]) -> str:
        """Write several things one after the other, as the language separates them."""
        return self(", ", "、").join(texts)

    def enclose(self, text: str) -> str:
        """Put what is added to something in brackets behind it."""
        return self(f" ({text})", f"（{text}）")

    def translate(self, text: str) -> str:
        """Return a text of ours that was made in English; what is no such text stays as it is."""
        if not self.is_chinese:
            return text
        # Imported when it is wanted: most readers never need the table.
        from glossator.app.translations.translating import to_chinese

        return to_chinese(text)

    def choose(self, text: str) -> str:
        """Return the reader's half of `English / 中文`; any other text stays as it is."""
        head, separator, tail = text.partition(_BETWEEN_LANGUAGES)
        while separator:
            begins_chinese = contains_chinese(tail.partition(_BETWEEN_LANGUAGES)[0])
            if begins_chinese and not contains_chinese(head):
                return tail if self.is_chinese else head
            more, separator, tail = tail.partition(_BETWEEN_LANGUAGES)
            head = f"{head}{_BETWEEN_LANGUAGES}{more}"
        return text

    @classmethod
    def for_locale(cls, locale: str) -> "Phrasing":
        """Choose by an editor's or terminal's locale, such as `zh-cn` or `en_GB.UTF-8`."""
        return cls(locale.lower().startswith("zh"))

    @classmethod
    def for_question(cls, question: str) -> "Phrasing":
        """Choose by the language that the asker writes."""
        return cls(contains_chinese(question))


def count(n: int, noun: str) -> str:
    """Write how many there are: `1 file`, `2 files`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
