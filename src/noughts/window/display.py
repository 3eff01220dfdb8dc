"""Handle the end of the X server, at which Xlib ends the program.

    X server dies ──► Xlib, in any call of pygame ──► lost() ──► the end of the process

Other displays close the window, as a person does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import NoReturn

import pygame

_Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_handlers: list[Callable[..., int]] = []
"""Kept alive, since Xlib refers to them."""


def when_lost(lost: Callable[[], NoReturn]) -> None:
    """Set the function that Xlib calls when the display is lost.

    It must end the process: no error passes through Xlib, which exits with 1 if it returns.
    """
    if pygame.display.get_driver() != "x11":
        return
    _handlers.append(_Handler(lambda _: lost()))
    # The library that SDL has loaded.
    ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(_handlers[-1])
