# My first ConnectX submission: take a win, stop the opponent's, otherwise the middle.


def drop(grid, col, mark, config):
    next_grid = [row[:] for row in grid]
    for row in range(config.rows - 1, -1, -1):
        if next_grid[row][col] == 0:
            next_grid[row][col] = mark
            break
    return next_grid


def is_win(grid, mark, config):
    for r in range(config.rows):
        for c in range(config.columns):
            for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                cells = [(r + i * dr, c + i * dc) for i in range(config.inarow)]
                if all(
                    0 <= i < config.rows and 0 <= j < config.columns and grid[i][j] == mark
                    for i, j in cells
                ):
                    return True
    return False


def my_agent(observation, configuration):
    import random

    board = observation["board"]
    cols = configuration.columns
    grid = [board[i * cols : (i + 1) * cols] for i in range(configuration.rows)]
    valid = [c for c in range(cols) if board[c] == 0]
    print("step", observation.step, "valid", valid)
    for mark in (observation.mark, 3 - observation.mark):
        for col in valid:
            if is_win(drop(grid, col, mark, configuration), mark, configuration):
                return col
    if cols // 2 in valid:
        return cols // 2
    return random.choice(valid)
