"""Options grouped in dataclasses: Typer sees options, the command gets objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import pytest
import typer
from typer.testing import CliRunner

import noughts
from noughts.cli.options import GameOptions, grouped

app = typer.Typer()


@dataclass(frozen=True)
class Size:
    """A size of two numbers."""

    panel: ClassVar[str] = "Size of the board"
    width: Annotated[int, typer.Option(help="Number of columns.", min=1)] = 3
    height: Annotated[
        int | None, typer.Option("--rows", autocompletion=lambda incomplete: [f"{incomplete}7"])
    ] = None


@app.command()
@grouped
def show(
    context: typer.Context,
    size: Size,
    name: Annotated[str, typer.Argument()] = "board",
    loud: Annotated[bool, typer.Option("--loud")] = False,
) -> None:
    """Show a size."""
    assert context.info_name == "show"
    print(name, size.width, size.height, loud)


def test_a_command_gets_the_object() -> None:
    for arguments, shown in (
        ([], "board 3 None False"),
        (["grid", "--width", "5", "--rows", "4", "--loud"], "grid 5 4 True"),
    ):
        assert CliRunner().invoke(app, arguments).output == f"{shown}\n"


def test_help_and_errors_know_every_option() -> None:
    text = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "100"}).output
    assert text.index("Size of the board") < text.index("--width") < text.index("--rows")
    assert "Number of columns" in text
    assert "[default: 3]" in text
    assert text.index("--loud") < text.index("Size of the board")
    for arguments, said in (
        (["--width", "0"], "--width"),
        (["--widht", "4"], "--width"),
        (["--rows", "x"], "--rows"),
    ):
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 2
        assert said in done.output


def test_options_of_a_group_are_completed() -> None:
    line = {"_SHOW_COMPLETE": "complete_bash", "COMP_WORDS": "show --rows 1", "COMP_CWORD": "2"}
    assert CliRunner().invoke(app, [], prog_name="show", env=line).output.strip() == "17"


@pytest.mark.parametrize(
    ("given", "sides"),
    [
        ({}, ("human", "engine:level=4")),
        ({"x": "minimax"}, ("minimax", "human")),
        ({"o": "human"}, ("human", "human")),
        ({"x": "random", "o": "mcts"}, ("random", "mcts")),
    ],
)
def test_a_side_left_out_is_human_if_the_other_is_given(
    given: dict[str, str], sides: tuple[str, str]
) -> None:
    chosen = GameOptions(**given).sides(noughts.game("basic"))  # type: ignore[arg-type]
    assert tuple(chosen.values()) == sides
