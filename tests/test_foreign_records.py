"""Records of Piskvork, SGF and gamesolver.org: read whole, or refused with the line."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import pytest
from command import run

import noughts
from noughts.arena.openings import read_openings
from noughts.games.record import Record, format_text, parse_text, read, read_any

PSQ = """Piskvorky 15x15, 11:11, 0
8,8,0
9,8,120
8,9,300
9,9,250
8,10,10
9,10,12
8,11,9
9,11,8
8,12,3
first.zip
second.zip
-1
1,Freestyle15
"""
SGF = r"""(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[Ann]PW[Ben
]DT[2024-05-01,02]RE[W+Resign]RU[Freestyle]
C[Two \] words.\
Go on.]
;B[hh];W[h9]C[Above.](;B[gg];W[aa])(;B[ff](;W[ab])(;W[ac])))
"""


def games(text: str) -> list[Record]:
    return list(read_any(io.StringIO(text, newline=None)))


def game(text: str) -> Record:
    (found,) = games(text)
    assert parse_text(format_text(found)) == [found]
    return found


def refusal(text: str) -> str:
    with pytest.raises((noughts.NotationError, noughts.IllegalMove)) as caught:
        games(text)
    return str(caught.value)


def words(record: Record) -> str:
    return " ".join(noughts.move_texts(record.start, record.moves))


# Piskvork


def test_psq_has_its_moves_names_rules_and_result() -> None:
    found = game(PSQ)
    assert found.start.rules_id == "mnk:15,15,5"
    assert words(found) == "h8 i8 h9 i9 h10 i10 h11 i11 h12"
    assert found.tags == {"X": "first.zip", "O": "second.zip", "Rules": "Freestyle15"}
    assert (found.result, found.termination) == ("1-0", "line")


@pytest.mark.parametrize(
    ("end", "tags", "result"),
    [
        ("0", {}, "*"),
        ("ann\nben\n0", {"X": "ann", "O": "ben"}, "*"),
        ("ann\n\n15\n2,Fastgame", {"X": "ann", "Rules": "Fastgame"}, "0-1"),
        ("0\n1,Renju", {"Rules": "Renju"}, "1-0"),
    ],
)
def test_psq_ends_with_names_a_code_and_the_rules(
    end: str, tags: dict[str, str], result: str
) -> None:
    found = game(f"Piskvorky 20x18, -1:3, 0\n1,2,5\n20,18\n{end}\n\n")
    assert (words(found), found.tags, found.result) == ("a2 t18", tags, result)
    assert found.start.rules_id == "mnk:20,18,5" + ",exact" * ("Renju" in end)


def test_second_player_of_a_psq_may_begin() -> None:
    found = game(PSQ.replace("11, 0", "11, 1").replace("1,Free", "2,Free"))
    assert (found.tags["X"], found.tags["O"]) == ("second.zip", "first.zip")
    assert found.result == "1-0"


def test_rules_of_a_psq_that_names_none_are_those_that_fit() -> None:
    row = "".join(f"{x},1,0\n{x},{y},0\n" for x, y in ((1, 3), (2, 3), (3, 3), (5, 4), (6, 4)))
    text = f"Piskvorky 15x15, 0:0, 0\n{row}4,1,0\nREST0\n"
    assert game(text.replace("REST", "")).termination == "line"
    assert game(text.replace("REST", "9,9,0\n")).start.rules_id == "mnk:15,15,5,exact"
    assert game(text.replace("REST", "9,9,0\n")).result == "*"
    said = refusal(text.replace("REST0", "9,9,0\n0\n1,Freestyle"))
    assert said.startswith("Line 13: the game is over")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("15x15", "21x15", "Line 1: the board is 21×15; noughts reads boards up to 20×20"),
        ("15x15", "15x1,5", "Line 1: a record of Piskvork begins with a line"),
        ("15x15", "0x15", "Line 2: 8,8 is outside the board"),
        ("9,8,120", "16,8,120", "Line 3: 16,8 is outside the board, which is 15×15"),
        ("9,8,120", "8,8,120", "Line 3: cell h8 is taken"),
        ("9,8,120", "9;8;120", 'Line 3: "9;8;120" is neither a move'),
        ("8,12,3", "8,12,3\n1,1,1", "Line 11: the game is over"),
        ("first.zip\n", "", 'Line 11: "second.zip" is neither a move'),
        ("-1\n", "x\n", 'Line 11: "first.zip" is neither a move'),
        ("1,Free", "2,Free", "Line 14: the result is 0-1, but by the rules it is 1-0"),
        ("Freestyle15", "Caro", "Line 1: noughts does not know the Caro rule"),
    ],
)
def test_damaged_psq_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    assert old in PSQ
    assert said in refusal(PSQ.replace(old, new, 1))


def test_psq_that_is_cut_off_is_refused() -> None:
    assert "Line 10: the record is cut off" in refusal(PSQ.partition("first")[0])


# SGF


def test_sgf_has_its_main_line_names_day_result_and_comments() -> None:
    found = game(SGF)
    assert found.start.rules_id == "mnk:15,15,5"
    assert words(found) == "h8 h7 g7 a1"
    assert found.comment == "Two ] words.Go on."
    assert [node.comment for node in found.main_line()] == ["", "Above.", "", ""]
    assert found.tags == {"X": "Ann", "O": "Ben", "Date": "2024-05-01", "Rules": "Freestyle"}
    assert (found.result, found.termination) == ("0-1", "resignation")


@pytest.mark.parametrize(
    ("text", "moves", "start"),
    [
        ("(;GM[4];B[aa];W[a1];B[O15])", "a1 a15 o1", "mnk:15,15,5"),
        ("(;GM[4]SZ[20:18];B[tr];W[t1];B[tt])", None, ""),
        ("(;GM[4]SZ[20:18];B[tr];W[T18])", "t18 t1", "mnk:20,18,5"),
        ("(;GM[4]SZ[20];B[tt];W[tr])", "t20 t18", "mnk:20,20,5"),
        ("(;GM[4]SZ[19];B[hh];W[];B[tt])", "h8", "mnk:19,19,5"),
        ("(;GM[4];W[hh];B[ii])", "h8 i9", "mnk:15,15,5"),
        ("(;GM[4]SZ[6]AB[aa:ab]AW[ff];W[fe])", "f5", "mnk:6,6,5~X5.X5.6.6.6.5O~O"),
        ("(\n;GaMe[4]SiZe[6];AddBlack[aa]AddWhite[ba];B[ca])", "c1", "mnk:6,6,5~XO4.6.6.6.6.6~X"),
        ("(;GM[4](;B[aa](;W[bb])(;W[cc]))(;B[dd]))", "a1 b2", "mnk:15,15,5"),
        ("(;GM[4]KM[0]LB[aa:a][bb:b];B[aa]BL[3.5])", "a1", "mnk:15,15,5"),
        ("(;GM[4])", "", "mnk:15,15,5"),
    ],
)
def test_cells_and_stones_of_sgf(text: str, moves: str | None, start: str) -> None:
    if moves is None:
        assert "Line 1: [tt] is outside the board, which is 20×18" in refusal(text)
        return
    found = game(text)
    assert (words(found), str(found.start)) == (
        moves,
        str(noughts.game(start)) if "~" not in start else start,
    )


@pytest.mark.parametrize(
    ("text", "result", "termination"),
    [
        ("", "*", "unfinished"),
        ("?", "*", "unfinished"),
        ("B+", "1-0", "unknown"),
        ("b+time", "1-0", "time forfeit"),
        ("White + Forfeit", "0-1", "forfeit"),
        ("Draw", "1/2-1/2", "unknown"),
        ("0", "1/2-1/2", "unknown"),
        ("Void", "*", "Void"),
    ],
)
def test_results_of_sgf(text: str, result: str, termination: str) -> None:
    found = game(f"(;GM[4]RE[{text}];B[hh])")
    assert (found.result, found.termination) == (result, termination)


def test_result_of_the_first_colour_is_that_of_x() -> None:
    found = game("(;GM[4]PB[b]PW[w]RE[B+R];W[hh];B[ii])")
    assert (found.tags, found.result) == ({"X": "w", "O": "b"}, "0-1")


def test_collection_has_several_games() -> None:
    first, second = games("(;GM[4];B[aa])\n\n(;GM[4]SZ[6];B[bb])\n")
    assert (words(first), words(second)) == ("a1", "b2")


@pytest.mark.parametrize(
    ("number", "name"), [("1", "Go"), ("2", "Othello"), ("11", "Hex"), ("77", "game 77")]
)
def test_sgf_of_another_game_is_refused_by_its_name(number: str, name: str) -> None:
    said = f"This is an SGF record of {name}; noughts reads SGF of Gomoku, GM[4]."
    assert refusal(f"(;FF[4]GM[{number}]SZ[19];B[pd])") == said
    if number == "1":
        assert refusal("(;FF[4]SZ[19];B[pd])") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[4]\n;B[hh]", "Line 2: the record is cut off: the ) of the game is missing"),
        ("(;GM[4]\n;B[hh", "Line 2: the ] of this value is missing"),
        ("(;GM[4]\n;B)", "Line 2: the property B has no value"),
        ("(;GM[4]\n;[aa])", "Line 2: this value belongs to no property"),
        ("(;GM[4]\n;b[aa])", 'Line 2: "b" is not the name of a property'),
        ("(;GM[4]\n;B[aa]!)", 'Line 2: "!" is out of place'),
        ("(;GM[4]\n(;B[aa]);B[bb])", "Line 2: a node may not follow a variation"),
        ("(;GM[4]\n(B[aa]))", "Line 2: a property belongs to a node"),
        ("(;GM[4]\n())", "Line 2: this ) closes"),
        ("(;GM[4]\n((;B[aa])))", "Line 2: a variation may begin only after a node"),
        ("(;GM[4])\nB[aa]", "Line 2: a game begins with (;"),
        ("(;GM[4]\n;B[pp])", "Line 2: [pp] is outside the board, which is 15×15"),
        ("(;GM[4]\n;B[h16])", "Line 2: [h16] is outside the board, which is 15×15"),
        ("(;GM[4]\n;B[h0])", "Line 2: [h0] is outside the board, which is 15×15"),
        ("(;GM[4]\n;B[8,8])", "Line 2: [8,8] is not a cell; expected one such as [hh] or [h8]"),
        ("(;GM[4];B[hh]\n;W[hh])", "Line 2: cell h8 is taken"),
        ("(;GM[4];B[hh]\n;B[ii])", "Line 2: Black moves twice in a row"),
        ("(;GM[4];B[hh];W[]\n;B[ii])", "Line 2: a move follows a pass; noughts knows no passes"),
        ("(;GM[4];B[hh]\n;AW[ii])", "Line 2: AW changes the board after the first move"),
        ("(;GM[4]SZ[x])", "Line 1: [x] is not a size such as [15] or [20:18]"),
        ("(;GM[4]SZ[21])", "Line 1: the board is 21×21; noughts reads boards up to 20×20"),
        ("(;GM[4]SZ[3])", "Line 1: 5 in a row does not fit on a 3×3 board"),
        ("(;GM[4]AB[aa]AW[aa])", "Line 1: a cell has a black and a white stone"),
        ("(;GM[4]AB[aa][aa])", "Line 1: [aa] has no new cells"),
        ("(;GM[4]AB[aa][bb])", "Line 1: "),
        ("(;GM[4]AB[aa];B[bb])", "Line 1: "),
        (
            "(;GM[4]RE[W+]" + ";B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae])",
            "Line 1: the result is 0-1",
        ),
    ],
)
def test_damaged_sgf_is_refused_with_its_line(text: str, said: str) -> None:
    assert refusal(text).startswith(said)


def test_games_before_a_damaged_one_are_read() -> None:
    found = read_any(io.StringIO("(;GM[4];B[aa])\n(;GM[4];B[bb"))
    assert words(next(found)) == "a1"
    with pytest.raises(noughts.NotationError, match="Line 2"):
        next(found)


# Lines of moves


@pytest.mark.parametrize(
    "line",
    [
        "4453",
        "connect4 4453",
        "https://connect4.gamesolver.org/?pos=4453",
        "https://connect4.gamesolver.org/en/index.html?lang=x&pos=4453&level=2",
    ],
)
def test_strings_of_gamesolver(line: str) -> None:
    found = game(f"\n{line}\n")
    assert (found.start.rules_id, words(found)) == ("connect4", "4 4 5 3")


def test_strings_with_a_wrong_column_are_refused() -> None:
    assert refusal("4453\n44538") == (
        "Line 2: no game fits. As `basic`: Move 2: cell 4 is taken. Free cells: 1 2 3 5 6 7 8 9. "
        "As `connect4`: Move 5: there is no column 8. Type a column from 1 to 7."
    )


# Files and bytes


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("text", [PSQ, SGF])
def test_bytes_and_line_ends(tmp_path: Path, text: str, encoding: str, ends: str) -> None:
    text = text.replace("first", "Jörg").replace("Ann", "Jörg")
    file = tmp_path / "game.txt"
    file.write_bytes(text.replace("\n", ends).encode(encoding))
    (found,) = read(file)
    assert found.tags["X"].startswith("Jörg")
    assert found == game(text)


def test_sgf_names_its_charset(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    for charset, name in (("GB2312", "五子棋"), ("Shift_JIS", "表示"), ("koi8-r", "Иван")):
        file.write_bytes(f"(;GM[4]CA[{charset}]PB[{name}];B[hh])".encode(charset))
        assert next(read(file)).tags["X"] == name


def test_half_of_a_surrogate_pair_is_refused() -> None:
    for text in (PSQ.replace("first", "\ud800"), SGF.replace("Ann", "\ud800")):
        assert refusal(text) == r"UTF-8 cannot encode the character '\ud800'."


def test_form_is_that_of_the_content(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    for text, rules in (
        (PSQ, "mnk:15,15,5"),
        ('\n[Game "basic"]\n\n*\n', "basic"),
        ('{"schema": 1, "game": "basic", "moves": [], "result": "*"}', "basic"),
        ("ultimate 51", "ultimate"),
    ):
        file.write_text(text, encoding="utf-8")
        assert next(read(file)).start.rules_id == rules


def test_every_command_that_reads_records_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "game.psq"
    file.write_text(PSQ, encoding="utf-8")
    done = run("results", str(file))
    assert (done.returncode, "first.zip" in done.stdout) == (0, True), done.stderr
    (opening,) = read_openings(file, ["mnk:15,15,5"], 4)["mnk:15,15,5"]
    assert len(opening.moves) == 4


# Damage


@pytest.mark.parametrize("whole", [PSQ, SGF], ids=["psq", "sgf"])
def test_random_damage_is_read_or_refused_with_a_line(whole: str) -> None:
    rng, refused = random.Random(1), list[str]()
    for _ in range(1500):
        text = list(whole)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            match rng.randrange(4):
                case 0:
                    del text[at : at + rng.randint(1, 20)]
                case 1:
                    text.insert(at, rng.choice("()[];\\,x0123456789BW\n\0é"))
                case 2:
                    text[at] = rng.choice("()[];\\,x0123456789BW\n\0é")
                case _:
                    del text[rng.randrange(len(text)) + 1 :]
            text = text or ["("]
        try:
            for found in games("".join(text)):
                assert parse_text(format_text(found)) == [found]
        except (noughts.NotationError, noughts.IllegalMove) as error:
            refused.append(str(error))
    assert len(refused) > 500
    placed = re.compile(r"Line \d+: |This is an SGF record of ")
    assert [said for said in refused if not placed.match(said)] == []
