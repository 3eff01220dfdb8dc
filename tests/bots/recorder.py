"""A bot that copies its input to stderr: `python recorder.py OPTION … -- ANSWER …`.

It offers the options, and answers each `go` with the next ANSWER; `|` separates lines.
"""

import sys


def main() -> None:
    divide = sys.argv.index("--")
    options, answers = sys.argv[1:divide], iter(sys.argv[divide + 1 :])
    for line in sys.stdin:
        sys.stderr.write(line)
        sys.stderr.flush()
        said = ""
        match line.split()[0]:
            case "uci":
                said = "|".join([*(f"option name {each}" for each in options), "uciok"])
            case "isready":
                said = "readyok"
            case "go":
                said = next(answers)
        if said:
            print(said.replace("|", "\n"), flush=True)
        if line == "quit\n":
            return


main()
