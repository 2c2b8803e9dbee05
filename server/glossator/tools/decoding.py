"""Bytes of a file as text, or a name for what they are when they are not text."""

import codecs
from dataclasses import dataclass

# Longest first: UTF-32's mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"%PDF", "PDF document"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"SQLite format 3", "SQLite database"),
    (b"\xca\xfe\xba\xbe", "compiled class"),
)
_SNIFFED_BYTES = 8192
# Files that are never worth opening for their text.
BINARY_SUFFIXES = frozenset(
    {".7z", ".a", ".avi", ".bin", ".bmp", ".br", ".bz2", ".class", ".dat", ".db", ".dll", ".docx",
     ".dylib", ".eot", ".exe", ".flac", ".gif", ".gz", ".icns", ".ico", ".jar", ".jpeg", ".jpg",
     ".lib", ".mo", ".mov", ".mp3", ".mp4", ".npy", ".npz", ".o", ".obj", ".ogg", ".otf",
     ".parquet", ".pdf", ".pkl", ".png", ".pptx", ".pyc", ".pyd", ".pyo", ".rar", ".so", ".sqlite",
     ".sqlite3", ".tar", ".tgz", ".tif", ".tiff", ".ttf", ".vsix", ".war", ".wasm", ".wav",
     ".webm", ".webp", ".whl", ".woff", ".woff2", ".xls", ".xlsx", ".xz", ".zip", ".zst"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and the encoding it was in."""

    text: str
    encoding: str


def decode_text(data: bytes, *, is_complete: bool = True) -> Decoded | None:
    """Return the text in `data`, or None when it is not text.

    A byte-order mark decides and is dropped; without one it is UTF-8, else GB18030, the other
    encoding that source files of Chinese and English teams are in. `is_complete` is false when
    `data` was cut, maybe inside a character.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding, is_complete=is_complete)
    if b"\x00" in data[:_SNIFFED_BYTES]:
        return None
    decoded = _decode(data, "utf-8", is_complete=is_complete)
    if decoded is not None:
        return decoded
    decoded = _decode(data, "gb18030", is_complete=is_complete)
    return decoded if decoded is not None and _is_plausible(decoded.text) else None


def describe_binary(data: bytes) -> str:
    """Name the kind of file that `data` begins."""
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return name
    return "binary data" if b"\x00" in data[:_SNIFFED_BYTES] else "an unknown encoding"


def _decode(data: bytes, encoding: str, *, is_complete: bool) -> Decoded | None:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, is_complete)
    except UnicodeDecodeError:
        return None
    return Decoded(text, encoding)


def _is_plausible(text: str) -> bool:
    """Say whether text decoded as GB18030 was in that encoding.

    It accepts most bytes: an accented Latin-1 letter and its neighbour become one rare
    ideograph. Real text is made of GB 2312's common characters, nearly always.
    """
    sample = text[:16384]
    n_wide = sum(character > "\x7f" for character in sample)
    n_common = len(sample.encode("gb2312", "ignore")) - len(sample)
    n_controls = sum(character < " " and character not in "\t\n\r\f\x1b" for character in sample)
    return n_common >= 0.8 * n_wide and n_controls * 50 <= len(sample)
