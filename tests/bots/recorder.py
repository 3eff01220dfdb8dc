"""A bot that writes what it is sent on its error stream: `python recorder.py OPTION … -- SAID …`.

It offers the options, and says to each `go` what is next; `|` in there is the end of a line.
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
