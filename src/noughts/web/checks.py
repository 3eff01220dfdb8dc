"""The checks of students' files on the server.

    file, key ──► Checks.run ──► a worker process ──► the report
                                     └──► the moves of its function ──► CheckedFiles

A check runs the file with the rights of the server: only for clients with the key, which the server
prints at its start. One check of a client runs at a time.
"""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

from noughts.answers import tasks
from noughts.answers.checked import opponent_text
from noughts.answers.problems import Refused
from noughts.web.check_models import CheckAccess, CheckRequest
from noughts.web.clients import Account
from noughts.web.game import is_same
from noughts.web.games import Games
from noughts.web.thinkers import Thinkers
from noughts.web.workers import Tell, ignore


class Checks:
    """The checks of one server.

    Args:
        thinkers: run them in worker processes.
        games: get the checked files as opponents.
        key: the secret that clients must send; `None` if the server checks no files.
    """

    def __init__(self, thinkers: Thinkers, games: Games, key: str | None) -> None:
        self._thinkers, self._games, self._key = thinkers, games, key
        self._running: dict[Account, asyncio.Future[Any]] = {}

    def access(self, key: str | None) -> CheckAccess:
        """Return whether a client with this key may check files."""
        known = self._key
        return CheckAccess(
            enabled=known is not None,
            unlocked=None not in (known, key) and is_same(key or "", known or ""),
        )

    def permit(self, key: str | None) -> None:
        """Check that a client may check files.

        Raises:
            Refused: the server checks none, or the key is wrong.
        """
        access = self.access(key)
        if not access.enabled:
            detail = (
                "This server checks no files. Use `noughts check` in a terminal, "
                "or start the server with --check-files."
            )
            raise Refused(403, "off", detail)
        if not access.unlocked:
            detail = "Open the address for checks that the server printed at its start."
            raise Refused(403, "wrong-key", detail)

    async def run(
        self, account: Account, wanted: CheckRequest, tell: Tell = ignore
    ) -> dict[str, Any]:
        """Check a file and return the report, as `CheckView` data.

        Args:
            account: the client; its running check ends.
            wanted: the file.
            tell: called with the progress.

        Raises:
            Refused: the file is no text or has no functions to check, the check takes too long or
                is replaced by a newer one, or too many tasks are open.
        """
        if "\0" in wanted.file:
            raise Refused(422, "request", "The file is no text: it has null bytes.", field="file")
        if (before := self._running.get(account)) is not None:
            before.cancel()
        checking = asyncio.ensure_future(self._checked(account, wanted, tell))
        self._running[account] = checking
        try:
            report: dict[str, Any]
            report, moves = await asyncio.shield(checking)
        except asyncio.CancelledError:
            if self._running.get(account) is checking:
                raise  # The client is gone.
            raise Refused(409, "replaced", "A newer check has replaced this one.") from None
        finally:
            checking.cancel()
            if self._running.get(account) is checking:
                del self._running[account]
        report["opponent"] = None
        if any(moves.values()):
            asked = wanted.name, wanted.file, wanted.as_, wanted.function
            report["opponent"] = text = opponent_text(*asked)
            self._games.add_file(text, moves)
        return report

    async def _checked(self, account: Account, wanted: CheckRequest, tell: Tell) -> Any:
        # Removed here, since a killed worker process leaves its files behind.
        with tempfile.TemporaryDirectory(
            prefix="noughts-page-check-", ignore_cleanup_errors=True
        ) as folder:
            asked = folder, wanted.file, wanted.as_, wanted.function
            return await self._thinkers.run(account, tasks.check, *asked, tell=tell)
