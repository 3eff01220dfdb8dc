#!/usr/bin/python3
# Nine-board tic-tac-toe agent, after the assignment: ./agent.py -p PORT

import random
import socket
import sys

# boards[1..9][1..9]: 0 empty, 1 we played there, 2 the opponent did
boards = [[0] * 10 for _ in range(10)]
curr = 0
LINES = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]


def place(board, num, player):
    global curr
    curr = num
    boards[board][num] = player


def play():
    free = [n for n in range(1, 10) if boards[curr][n] == 0]
    n = random.choice(free)
    for a, b, c in LINES:
        row = [boards[curr][a], boards[curr][b], boards[curr][c]]
        if row.count(1) == 2 and row.count(0) == 1:
            n = (a, b, c)[row.index(0)]
    print("playing", n, "on board", curr)
    place(curr, n, 1)
    return n


def parse(string):
    if "(" in string:
        command, args = string.split("(")
        args = args.split(")")[0].split(",")
    else:
        command, args = string, []

    if command == "second_move":
        # the opponent's first move
        place(int(args[0]), int(args[1]), 2)
        return play()
    elif command == "third_move":
        # our first move was made for us; then the opponent's
        place(int(args[0]), int(args[1]), 1)
        place(curr, int(args[2]), 2)
        return play()
    elif command == "next_move":
        place(curr, int(args[0]), 2)
        return play()
    elif command == "win":
        print("Yay!! We win!! :)")
        return -1
    elif command == "loss":
        print("We lost :(")
        return -1
    return 0


def main():
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    port = int(sys.argv[2])
    s.connect(("localhost", port))
    while True:
        text = s.recv(1024).decode()
        if not text:
            break
        for line in text.split("\n"):
            if line == "end.":
                s.close()
                return
            response = parse(line)
            if response == -1:
                s.close()
                return
            if response > 0:
                s.sendall((str(response) + "\n").encode())


if __name__ == "__main__":
    main()
