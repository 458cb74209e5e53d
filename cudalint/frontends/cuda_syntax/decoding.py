"""Brings the bytes of a file into the one form the rest reads: UTF-8, lines ended by a newline, the last one too."""

import codecs

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(raw: bytes) -> bytes | None:
    """`raw` as UTF-8 ending in a newline, without a byte order mark; None for binary data.

    Text that is not UTF-8 is read as Latin-1. A carriage return is a line end only in a file without newlines.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                raw = raw[len(mark) :].decode(encoding).encode()
            except UnicodeError:
                return None
            break
    if b"\0" in raw:
        return None
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError:
            raw = raw.decode("latin-1").encode()
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    return raw if raw.endswith(b"\n") else raw + b"\n"
