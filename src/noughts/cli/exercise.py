"""`noughts exercise`: make sheets of exercises, and do them in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.options import LEARN, Commands, SeedOption, complete_rules, examples, grouped
from noughts.cli.output import fail, failing, writing
from noughts.exercises.exercise import Grade
from noughts.games.position import NotationError
from noughts.games.words import count

if TYPE_CHECKING:
    from noughts.exercises.exercise import Exercise
    from noughts.exercises.material import Wish

SUFFIXES = (".html", ".pdf", ".xml", ".gift", ".json")
KEYS = (".html", ".pdf")
"""Suffixes of sheets whose answers can be in a separate file."""

app = Commands()
exercise = typer.Typer(
    name="exercise",
    help="Do exercises on the searches, or make sheets of them with answer keys.",
    epilog=examples(
        "noughts exercise",
        "noughts exercise do alphabeta --difficulty easy",
        "noughts exercise make minimax alphabeta --count 3 --seed 7 --out sheet.pdf",
    ),
    invoke_without_command=True,
)
app.add_typer(exercise, name="exercise", rich_help_panel=LEARN)


def complete_kind(incomplete: str) -> list[str]:
    from noughts.exercises.make import KINDS

    return [name for name in KINDS if name.startswith(incomplete)]


@dataclass(frozen=True)
class Wishes:
    """The difficulty of exercises, and their trees or games."""

    panel: ClassVar[str] = "Trees and games"
    difficulty: Annotated[Grade | None, typer.Option(help="Only exercises this difficult.")] = None
    depth: Annotated[int | None, typer.Option(help="Plies of random trees.", min=2, max=5)] = None
    branching: Annotated[
        int | None, typer.Option(help="Branches of each node of random trees.", min=2, max=8)
    ] = None
    game: Annotated[
        str | None,
        typer.Option(
            help="A game or a position string, in place of random trees or of tic-tac-toe.",
            autocompletion=complete_rules,
        ),
    ] = None

    @property
    def wish(self) -> Wish:
        from noughts.exercises.material import Wish

        return Wish(self.depth, self.branching, self.game, self.difficulty)


@exercise.callback(invoke_without_command=True)
def kinds(context: typer.Context) -> None:
    """List the kinds of exercises."""
    from noughts.exercises.make import KINDS

    if context.invoked_subcommand is not None:
        return
    width = max(map(len, KINDS))
    for name, kind in KINDS.items():
        print(f"{name:{width}}  {kind.about}")
    print("\nDo one: noughts exercise do minimax. Make a sheet: noughts exercise make --help")


def made(names: list[str], number: int, seed: int, wish: Wish) -> list[Exercise]:
    """Return exercises of each kind, easy ones first; fail if a kind is unknown or has too few."""
    from noughts.exercises.exercise import Grade
    from noughts.exercises.make import KINDS, exercises

    for name in names:
        if name not in KINDS:
            fail(f'no exercise called "{name}". Choose one of: {" ".join(KINDS)}', 2)
    position_given = wish.game is not None and "~" in wish.game
    found = []
    for name in dict.fromkeys(names):
        with (
            failing(2, ValueError),
            failing(3 if position_given else 2, NotationError, "--game: "),
        ):
            of_kind = exercises(name, number, seed, wish)
            found += sorted(of_kind, key=lambda each: [*Grade].index(each.difficulty))
    return found


@exercise.command(
    epilog=examples(
        "noughts exercise make minimax --count 4 --out sheet.html",
        "noughts exercise make alphabeta --depth 3 --branching 2 --out sheet.pdf --key key.pdf",
        "noughts exercise make move --game connect4 --difficulty hard --out quiz.xml",
    )
)
@grouped
def make(
    kind: Annotated[
        list[str],
        typer.Argument(help="Kinds of exercises.", autocompletion=complete_kind),
    ],
    out: Annotated[
        Path,
        typer.Option(help="The file: .html, .pdf, .xml (Moodle), .gift or .json."),
    ],
    wishes: Wishes,
    number: Annotated[
        int, typer.Option("--count", help="Exercises of each kind.", min=1, max=500)
    ] = 4,
    seed: Annotated[int, typer.Option(help="For the choice of exercises.", min=0)] = 0,
    key: Annotated[
        Path | None,
        typer.Option(help="Write the answers to this .html or .pdf file, not into the sheet."),
    ] = None,
) -> None:
    """Write a sheet of exercises with an answer key.

    The same command makes the same exercises. No two exercises of a kind are alike, and every entry
    has one right answer.
    """
    from noughts.views.exercise_sheet import sheet

    _check_file(out, "--out", SUFFIXES)
    if key is not None:
        _check_file(key, "--key", KEYS)
        if out.suffix.lower() not in KEYS:
            fail(f"--key is for sheets: {out.suffix} files hold their answers", 2)
        if key.absolute() == out.absolute():
            fail("--key and --out name the same file", 2)
    found = made(kind, number, seed, wishes.wish)
    contents = {".html": lambda: sheet(found, key=key is None).encode(), **_writers(found)}
    contents[".pdf"] = lambda: _pdf(sheet(found, key=key is None))
    files = [(out, "--out", contents[out.suffix.lower()]())]
    if key is not None:
        answers = sheet(found, tasks=False)
        is_pdf = key.suffix.lower() == ".pdf"
        files.append((key, "--key", _pdf(answers) if is_pdf else answers.encode()))
    for path, option, content in files:
        with writing(path, option):
            path.write_bytes(content)
    grades = [each.difficulty for each in found]
    graded = ", ".join(f"{grades.count(grade)} {grade}" for grade in Grade if grade in grades)
    print(f"{out}: {count(len(found), 'exercise')} ({graded})")


def _check_file(path: Path, option: str, suffixes: tuple[str, ...]) -> None:
    """Fail before the work starts if a file could not be written after it."""
    if path.suffix.lower() not in suffixes:
        fail(f"{option}: {path} must end in one of: {' '.join(suffixes)}", 2)
    if not path.parent.is_dir():
        fail(f"{option}: there is no folder {path.parent}", 3)


def _writers(found: list[Exercise]) -> dict[str, Callable[[], bytes]]:
    """Return the writers of files for other programs by suffix."""
    from noughts.views.question_bank import gift, moodle

    def data() -> bytes:
        exercises = [each.as_data() for each in found]
        text = json.dumps({"schema": 1, "exercises": exercises}, ensure_ascii=False, indent=1)
        return f"{text}\n".encode()

    return {
        ".xml": lambda: moodle(found).encode(),
        ".gift": lambda: gift(found).encode(),
        ".json": data,
    }


def _pdf(html: str) -> bytes:
    """Return a sheet as PDF; fail if the printer is not installed."""
    from noughts.views.exercise_sheet import NoPrinter, pdf

    with failing(2, NoPrinter):
        return pdf(html)


@exercise.command(
    "do",
    epilog=examples(
        "noughts exercise do minimax",
        "noughts exercise do alphabeta --difficulty easy --seed 3",
        "noughts exercise do sheet.json",
    ),
)
@grouped
def do_exercises(
    kind: Annotated[
        str,
        typer.Argument(
            help="A kind that `noughts exercise` lists, or a .json file of `exercise make`.",
            autocompletion=complete_kind,
        ),
    ],
    wishes: Wishes,
    number: Annotated[
        int | None, typer.Option("--count", help="Exercises; default 1.", min=1, max=500)
    ] = None,
    seed: SeedOption = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
) -> None:
    """Do exercises here: every entry is marked at once, with the reason."""
    import random

    from noughts.cli.exercise_do import Session
    from noughts.cli.terminal import Terminal

    if Path(kind).suffix == ".json":
        if wishes != Wishes() or (number, seed) != (None, None):
            fail(f"{kind} holds its exercises: no options choose others", 2)
        found = read_exercises(Path(kind))
    else:
        seed = random.randrange(10**6) if seed is None else seed
        found = made([kind], number or 1, seed, wishes.wish)
    Session(Terminal(ascii_only)).do(found)


def read_exercises(path: Path) -> list[Exercise]:
    """Return the exercises of a JSON file, or fail if it has none."""
    from noughts.exercises.exercise import BadExercises, Exercise

    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror or error}", 3)
    except ValueError as error:
        fail(f"{path} is not JSON: {error}", 3)
    with failing(3, BadExercises, f"{path}: "):
        listed = data.get("exercises") if isinstance(data, dict) else None
        if not listed or not isinstance(listed, list):
            raise BadExercises("there are no exercises in it")
        return [Exercise.from_data(each) for each in listed]
