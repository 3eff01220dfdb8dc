"""Kinds of files that students hand in: Python, or a sentence that says what to do with another."""

from __future__ import annotations

import json
import tokenize
from io import BytesIO
from pathlib import PurePath

PYTHON = ".py"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_DOCUMENTS = {
    b"%PDF-": "This is a PDF: hand in the Python file itself.",
    b"{\\rtf": "This is an RTF document: save the program as plain text, in a file tictactoe.py.",
    b"Rar!": "This is an archive: unpack it, and check the Python file in it.",
    b"7z\xbc\xaf": "This is an archive: unpack it, and check the Python file in it.",
    b"\x1f\x8b": "This is an archive: unpack it, and check the Python file in it.",
    b"\xd0\xcf\x11\xe0": "This is an Office document: copy the program into a file tictactoe.py.",
}
"""Sentences about files, by their first bytes."""


def why_not_python(data: bytes) -> str:
    """Return what to do with a file that is no Python source, in a sentence; empty if it may be.

    >>> why_not_python(b"%PDF-1.4")
    'This is a PDF: hand in the Python file itself.'
    >>> why_not_python(b"x = 1")
    ''
    """
    if not data.strip():
        return "The file is empty."
    for first, sentence in _DOCUMENTS.items():
        if data.startswith(first):
            return sentence
    if data.startswith(b"PK"):
        if b"word/" in data:
            return "This is a Word document: copy the program into a text file tictactoe.py."
        return (
            "This is a ZIP archive: unpack it, and check the Python file in it. "
            "`noughts check --class` takes the archive of a class."
        )
    if data.startswith(_UTF_16) or b"\0" in data[1:2] + data[0:1]:
        return "The file is in UTF-16: save it as UTF-8 in your editor."
    if b"\0" in data:
        return "The file has null bytes, so it is no text: hand in the Python file itself."
    if data.lstrip().startswith(b"<"):  # no Python program begins so
        return "This is a web page: hand in the Python file itself."
    if _is_notebook(data):
        return (
            "This is a Jupyter notebook: save it as a Python file. In Jupyter: File, Save and "
            "Export Notebook As, Executable Script. In Colab: File, Download, Download .py."
        )
    return _not_decoded(data)


def wrong_name(name: str) -> str:
    """Return what is wrong with the name of a Python file, in a sentence; empty if nothing is.

    >>> wrong_name("tictactoe.txt"), wrong_name("tictactoe.py")
    ('The name of the file should end in .py.', '')
    """
    right = PurePath(name).suffix == PYTHON
    return "" if right else "The name of the file should end in .py."


def _is_notebook(data: bytes) -> bool:
    if not data.lstrip().startswith(b"{"):
        return False
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "cells" in found


def _not_decoded(data: bytes) -> str:
    """Return the sentence about a source that is not in the encoding that it declares."""
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
    except SyntaxError:  # an unknown encoding, or one of the first two lines is not UTF-8
        encoding = "utf-8"
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"Line {line} has a character that is not in UTF-8: save the file as UTF-8."
    return ""
