#!/usr/bin/env python3
"""A Gomocup brain that plays next to the stones on the board."""

import random
import sys

width = height = 0
stones = {}


def answer(line):
    sys.stdout.write(line + "\r\n")
    sys.stdout.flush()


def think():
    free = [(x, y) for x in range(width) for y in range(height) if (x, y) not in stones]
    near = [
        (x, y)
        for x, y in free
        if any((x + i, y + j) in stones for i in (-1, 0, 1) for j in (-1, 0, 1))
    ]
    x, y = random.choice(near or free)
    stones[x, y] = 1
    answer(f"MESSAGE {len(free)} cells are free")
    answer(f"{x},{y}")


while True:
    line = sys.stdin.readline()
    if not line:
        break
    command, _, rest = line.strip().partition(" ")
    command = command.upper()
    if command == "START":
        width = height = int(rest)
        stones = {}
        answer("OK")
    elif command == "RECTSTART":
        width, height = map(int, rest.split(","))
        stones = {}
        answer("OK")
    elif command == "RESTART":
        stones = {}
        answer("OK")
    elif command == "BEGIN":
        think()
    elif command == "TURN":
        x, y = map(int, rest.split(","))
        stones[x, y] = 2
        think()
    elif command == "BOARD":
        while (line := sys.stdin.readline().strip()) != "DONE":
            x, y, who = map(int, line.split(","))
            stones[x, y] = who
        think()
    elif command == "INFO":
        pass
    elif command == "ABOUT":
        answer('name="random neighbour", version="1.0"')
    elif command == "END":
        break
    else:
        answer("UNKNOWN command")
