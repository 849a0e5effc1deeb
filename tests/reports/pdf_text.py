"""The text that a reader copies out of a PDF of this program: the pieces of text on a line without a break."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

_STREAM = re.compile(rb"(\d+) 0 obj\s*<<(?:[^>]|>(?!>))*>>\s*stream\r?\n(.*?)\nendstream", re.DOTALL)
_PAGE = re.compile(rb"<</Type/Page(/.*?)endobj", re.DOTALL)
_FONT = re.compile(rb"/(f\d+) (\d+) 0 R")
_SHOWN = re.compile(rb"/(f\d+) [\d.]+ Tf.*?Tm\s*(?:\[(.*?)\]TJ|(\(.*?\))Tj)", re.DOTALL)
_SIGN = re.compile(rb"\\([0-7]{1,3}|.)|(.)", re.DOTALL)
_SIGNS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def pieces(pdf: bytes) -> list[str]:
    """The pieces of text, page by page, in order."""
    streams = {int(number): _unpacked(content) for number, content in _STREAM.findall(pdf)}
    found: list[str] = []
    for page in _PAGE.findall(pdf):
        (resources,) = re.findall(rb"/Resources (\d+) 0 R", page)
        (listed,) = re.findall(rb"\n%s 0 obj(.*?)endobj" % resources, pdf, re.DOTALL)
        fonts = {name: _letters(pdf, streams, int(number)) for name, number in _FONT.findall(listed)}
        (contents,) = re.findall(rb"/Contents (\d+) 0 R", page)
        for font, several, one in _SHOWN.findall(streams[int(contents)]):
            codes = b"".join(_strings(several or one))
            pairs = [codes[at : at + 2] for at in range(0, len(codes), 2)]
            found.append("".join(fonts[font].get(pair, "?") for pair in pairs))
    return found


def _unpacked(content: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(content)
    except zlib.error:
        return content


def _letters(pdf: bytes, streams: dict[int, bytes], font: int) -> dict[bytes, str]:
    """The characters of a font's codes."""
    (table,) = re.findall(rb"\n%d 0 obj\s*<</Type/Font.*?/ToUnicode (\d+) 0 R" % font, pdf)
    pairs = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>\n", streams[int(table)])
    return {bytes.fromhex(code.decode()): bytes.fromhex(means.decode()).decode("utf-16-be") for code, means in pairs}


def _strings(shown: bytes) -> Iterator[bytes]:
    """The text in brackets; inside, brackets in pairs are ordinary characters."""
    depth = 0
    for escaped, plain in _SIGN.findall(shown):
        depth -= plain == b")"
        if depth:
            yield _means(escaped) if escaped else plain
        depth += plain == b"("


def _means(escaped: bytes) -> bytes:
    return bytes([int(escaped, 8)]) if escaped.isdigit() else _SIGNS.get(escaped, escaped)
