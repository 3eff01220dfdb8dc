import sys

# Win the small board if you can, otherwise take the first cell you are offered.

mine = set()
lines = [
    [(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)],
]  # fmt: skip


def wins(row, col):
    top, left = row // 3 * 3, col // 3 * 3
    have = mine | {(row, col)}
    return any(all((top + i, left + j) in have for i, j in line) for line in lines)


# game loop
while True:
    opponent_row, opponent_col = [int(i) for i in input().split()]
    valid_action_count = int(input())
    actions = []
    for i in range(valid_action_count):
        row, col = [int(j) for j in input().split()]
        actions.append((row, col))

    # Write an action using print
    # To debug: print("Debug messages...", file=sys.stderr, flush=True)
    row, col = next((a for a in actions if wins(*a)), actions[0])
    mine.add((row, col))
    print("playing", row, col, file=sys.stderr, flush=True)
    print(row, col)
