"""The character of a key on every keyboard: и on a Russian one is b, and & on a French one is 1."""

from __future__ import annotations

import pygame

_LETTERS = {
    pygame.KSCAN_A + place: letter for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
_DIGITS = {pygame.KSCAN_1 + place: digit for place, digit in enumerate("1234567890")}
_CHARACTERS = 0x110000
"""Key codes from here on are no characters."""


def key_of(event: pygame.Event) -> str:
    """Return the character of a pressed key, also with Ctrl; empty if it has none.

    If it is not Latin, or a digit needs Shift there, it is that of the same place on an English
    keyboard.
    """
    others = pygame.KMOD_SHIFT | pygame.KMOD_ALT | pygame.KMOD_MODE
    if event.scancode in _DIGITS and not event.mod & others:
        return _DIGITS[event.scancode]
    typed = event.unicode
    if not typed or not typed.isprintable():
        typed = chr(event.key) if event.key < _CHARACTERS else ""
    if typed.isascii() or event.scancode not in _LETTERS:
        return typed if typed.isprintable() else ""
    letter = _LETTERS[event.scancode]
    return letter.upper() if event.mod & pygame.KMOD_SHIFT else letter
