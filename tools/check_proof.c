/* Check a proof that a side wins the nine-board game: cc -O2 check_proof.c -lm -o check_proof

       ./check_proof FILE [--sample N [--seed S] | --slice I/N]

   The file has the winner's moves (docs/proof.md). This program knows the rules (docs/rules.md),
   follows every reply, and proves every leaf by its own search; or a random sample of leaves,
   or the I-th of N slices. Exit code: 0 proven, 1 not proven. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint16_t marks[2][9]; /* of X and O on each board; bit 3 * row + column */
  uint16_t hot[2];      /* the boards on which a side can complete a line */
  uint16_t full;
  int board, side, ply; /* board: the one that the last move named, FREE, or DRAWN */
} Position;

enum { FREE = 9, DRAWN = 10, ALL = 511, INFINITE = 1 << 28, MOST = 1280, BUCKETS = 1 << 13, SLOTS = 4 };
static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
static int full_is_draw, sizes[512], completing[512], mirrored[8][512], cell_of[8][9], attacker;
static int powers[MOST + 1], logs[82]; /* 2 to the power of n / 64; 64 times the logarithm of n */

#define fail(...) (printf("not proven: "), printf(__VA_ARGS__), puts(""), exit(1))

static int first(unsigned set) { return __builtin_ctz(set); }
static int empty(const Position *p, int board) { return ALL & ~(p->marks[0][board] | p->marks[1][board]); }
static int boards(const Position *p) { return p->board < FREE ? 1 << p->board : ALL & ~p->full; }
/* Whether the side to move can complete a line, which wins. */
static int can_win(const Position *p) { return (p->hot[p->side] & boards(p)) != 0; }
static int is_legal(const Position *p, int m) { return m < 81 && boards(p) >> m / 9 & empty(p, m / 9) >> m % 9 & 1; }
static int is_drawn(const Position *p) { return p->full == ALL || p->board == DRAWN; }
static void update(Position *p, int board) {
  for (int side = 0; side < 2; side++)
    p->hot[side] = (p->hot[side] & ~(1 << board)) | !!(completing[p->marks[side][board]] & empty(p, board)) << board;
  p->full |= !empty(p, board) << board;
}

/* The position after a move that completes no line. */
static Position after(const Position *p, int move) {
  Position next = *p;
  next.marks[p->side][move / 9] |= 1 << move % 9;
  update(&next, move / 9);
  next.board = !(next.full >> move % 9 & 1) ? move % 9 : full_is_draw ? DRAWN : FREE;
  next.side = !p->side, next.ply = p->ply + 1;
  return next;
}

static void make_tables(void) {
  for (int i = 0; i <= MOST; i++) powers[i] = exp2(i / 64.0);
  for (int i = 1; i < 82; i++) logs[i] = 64 * log2(i);
  for (int set = 1; set < 512; set++) sizes[set] = sizes[set >> 1] + (set & 1);
  for (int marks = 0; marks < 512; marks++)
    for (int i = 0; i < 8; i++)
      if (sizes[lines[i] & ~marks] == 1) completing[marks] |= lines[i] & ~marks;
  for (int s = 0; s < 8; s++)
    for (int cell = 0; cell < 9; cell++) {
      int row = s & 1 ? 2 - cell / 3 : cell / 3, column = s & 2 ? 2 - cell % 3 : cell % 3;
      cell_of[s][cell] = s & 4 ? 3 * column + row : 3 * row + column;
      for (int marks = 0; marks < 512; marks++)
        if (marks >> cell & 1) mirrored[s][marks] |= 1 << cell_of[s][cell];
    }
}

/* The search: depth-first proof numbers, with exact keys. Its first numbers are guesses that save
   time; no proof depends on them. */
typedef struct {
  uint64_t key[3];
  int proof, disproof, effort; /* for the side to move; no effort: nothing is stored here */
} Numbers;
typedef struct { Position position; Numbers numbers; } Node;
static Numbers table[BUCKETS][SLOTS];
static uint64_t expansions, at, size, leaves, proven, cut;

static int is_same(const Numbers *a, const Numbers *b) { return b->effort && !memcmp(a->key, b->key, sizeof a->key); }

/* Set the key of a node; return its place in the table, or the one to replace: of the least effort. */
static Numbers *place_of(Node *node) {
  const Position *p = &node->position;
  uint64_t hash = 0, *key = node->numbers.key;
  for (int i = 0; i < 3; i++) {
    key[i] = i ? 0 : p->board;
    for (int board = 3 * i; board < 3 * i + 3; board++)
      key[i] = key[i] << 18 | (uint64_t)p->marks[0][board] << 9 | p->marks[1][board];
    hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  Numbers *at = table[hash % BUCKETS], *place = at;
  for (int i = 0; i < SLOTS; i++) {
    if (is_same(&node->numbers, at + i)) return at + i;
    if (at[i].effort < place->effort) place = at + i;
  }
  return place;
}

/* The cells of a board after which the other side cannot complete a line at once. */
static int safe_cells(const Position *p, int board) {
  int safe = 0, all = empty(p, board);
  for (int left = all; left; left &= left - 1) {
    int cell = first(left), rest = all & ~(1 << cell), hot = p->hot[!p->side] & ~(1 << board);
    if (completing[p->marks[!p->side][board]] & rest) hot |= 1 << board;
    int closed = (p->full | (rest ? 0 : 1 << board)) >> cell & 1;
    if (closed ? full_is_draw || !hot : !(hot >> cell & 1)) safe |= 1 << cell;
  }
  return safe;
}

static int power(int log2) { return powers[log2 < 0 ? 0 : log2 > MOST ? MOST : log2]; }
static void set_numbers(Node *node) {
  const Position *p = &node->position;
  int me = p->side, attacks = me == attacker, moves = 0, cells = 0;
  Numbers *numbers = &node->numbers;
  numbers->proof = 0, numbers->disproof = INFINITE;
  if (is_drawn(p) ? !attacks : can_win(p)) return; /* a draw is enough for the defender */
  numbers->proof = INFINITE, numbers->disproof = 0;
  for (int left = is_drawn(p) ? 0 : boards(p); left; left &= left - 1) moves += sizes[safe_cells(p, first(left))];
  if (!moves) return; /* a draw, or every move lets the other side complete a line */
  Numbers *known = place_of(node);
  if (is_same(numbers, known)) *numbers = *known;
  if (is_same(numbers, known)) return;
  int mine = p->hot[me], theirs = p->hot[!me], threats = sizes[mine & ~theirs] - sizes[theirs & ~mine];
  for (int board = 0; board < 9; board++) {
    if (!(mine >> board & 1)) cells += sizes[empty(p, board) & ~theirs];
    if (!(theirs >> board & 1)) cells -= sizes[empty(p, board) & ~mine];
  }
  numbers->proof = power(attacks ? 129 - 140 * threats - 15 * cells + 14 * moves + 48 * logs[moves] / 64
                                 : 228 - 58 * threats - 4 * cells + 22 * moves - 9 * logs[moves] / 64);
  numbers->disproof = power(attacks ? 399 + 125 * threats - 7 * moves + 19 * logs[moves] / 64
                                    : 212 + 34 * threats + 2 * cells - 6 * moves + 83 * logs[moves] / 64);
}

static void search(Node *node, int proof_limit, int disproof_limit) {
  Node children[81], *best = children;
  Numbers *numbers = &node->numbers;
  uint64_t before = expansions++;
  int size = 0;
  for (int left = boards(&node->position); left; left &= left - 1)
    for (int safe = safe_cells(&node->position, first(left)); safe; safe &= safe - 1) {
      children[size].position = after(&node->position, 9 * first(left) + first(safe));
      set_numbers(&children[size++]);
    }
  for (;;) {
    int least = INFINITE, second = INFINITE, most = 0, others = -1;
    for (Node *child = children; child < children + size; child++) {
      int proof = child->numbers.proof, disproof = child->numbers.disproof;
      others += proof > 0;
      if (proof > most) most = proof;
      if (disproof < least) second = least, least = disproof, best = child;
      else if (disproof < second) second = disproof;
    }
    numbers->proof = least, numbers->disproof = !least ? INFINITE : !most ? 0 : most + others;
    if (!least || !most || least >= proof_limit || numbers->disproof >= disproof_limit) break;
    second += second / 4 + 1;
    search(best, disproof_limit - others, second < proof_limit ? second : proof_limit);
  }
  numbers->effort = expansions - before < INFINITE ? expansions - before : INFINITE;
  *place_of(node) = *numbers;
}

static int is_won(const Position *p) {
  Node root = {.position = *p};
  memset(table, 0, sizeof table);
  set_numbers(&root);
  if (root.numbers.proof && root.numbers.disproof) search(&root, INFINITE, INFINITE);
  return root.numbers.proof == 0;
}

static unsigned char *moves, *picked; /* picked: the leaves to prove; null in the first walk */

static int keeps(const Position *p, int s) {
  int same = p->board >= FREE || cell_of[s][p->board] == p->board;
  for (int i = 0; same && i < 18; i++)
    same = mirrored[s][p->marks[i / 9][i % 9]] == p->marks[i / 9][cell_of[s][i % 9]];
  return same;
}

static void walk(Position here) {
  const Position *p = &here;
  if (p->side == attacker && !is_drawn(p) && can_win(p)) return; /* that move proves the node */
  if (is_drawn(p)) fail("a draw after move %" PRIu64, at);
  if (p->side == attacker && (uint64_t)p->ply >= cut) {
    if (picked && picked[leaves] && ++proven && !is_won(p)) fail("leaf %" PRIu64 ", after move %" PRIu64, leaves, at);
    leaves++;
  } else if (p->side == attacker) {
    if (at == size) fail("the file ends after move %" PRIu64, at);
    int code = moves[at++], move = code < 9 ? 9 * p->board + code : code - 9;
    if ((code < 9) != (p->board < FREE) || !is_legal(p, move)) fail("move %" PRIu64 " is illegal", at);
    walk(after(p, move));
  } else {
    if (can_win(p)) fail("the other side wins after move %" PRIu64, at);
    for (int move = 0; move < 81; move++) {
      int answers = is_legal(p, move); /* not for an image of an earlier reply */
      for (int s = 1; answers && s < 8; s++)
        answers = 9 * cell_of[s][move / 9] + cell_of[s][move % 9] >= move || !keeps(p, s);
      if (answers) walk(after(p, move));
    }
  }
}

static char rules[64], cells[256], side, board, winner; /* of the start position */
static Position read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  Position p = {{{0}, {0}}, {0}, 0, FREE, 0, 0};
  const char *head = "noughts-proof%*1[ ]1%*1[\n]start%*1[ ]%63[^~\n]~%255[^~\n]~%c~%c%*1[\n]attacker%*1[ ]%c%*1[\n]"
                     "cut%*1[ ]%" SCNu64 "%*1[\n]moves%*1[ ]%" SCNu64;
  if (!file || fscanf(file, head, rules, cells, &side, &board, &winner, &cut, &size) != 7 || size >> 32 ||
      fgetc(file) != '\n' || fgetc(file) != '\n') fail("%s is no proof", name);
  full_is_draw = !strcmp(rules, "advanced:full=draw");
  int cell = 0, x = 0, over = 0, named = 0; /* cell: with a place for the dot after each board */
  for (const char *c = cells; *c && cell < 90; c++) {
    if (*c == 'X' || *c == 'O') p.marks[*c == 'O'][cell / 10] |= 1 << cell % 10, p.ply++, x += *c == 'X';
    int run = *c >= '1' && *c <= '9' ? *c - '0' : 1, last = 9 + (*c == '.');
    cell += cell % 10 + run > last || (last > 9 && cell % 10 < 9) || !strchr(".XO123456789", *c) ? 99 : run;
  }
  for (int i = 0; i < 144; i++) update(&p, i / 16), over |= !(lines[i / 2 % 8] & ~p.marks[i % 2][i / 16]);
  for (int i = 0; i < 9; i++) named |= p.marks[side == 'X'][i]; /* cells that the last move may have */
  if (board != '-') p.board = !(p.full >> (board - '1') & 1) ? board - '1' : full_is_draw ? DRAWN : FREE;
  p.side = side == 'O', attacker = winner == 'O';
  if ((!full_is_draw && strcmp(rules, "advanced")) || cell != 89 || !strchr("XO", side) || !strchr("XO", winner) ||
      !strchr("-123456789", board) || 2 * x - p.ply != p.side || over ||
      (board == '-' ? p.ply > 0 : !(named >> (board - '1') & 1))) fail("%s has a bad start position", name);
  if (fread(moves = malloc(size + 1), 1, size + 1, file) != size) fail("not as many moves as %" PRIu64, size);
  return p;
}

int main(int count, char **words) {
  uint64_t sample = 0, seed = 1, slice = 1, slices = 1;
  int good = count > 1 && count % 2 == 0;
  for (int i = 2; good && i < count; i += 2)
    if (!strcmp(words[i], "--sample")) good = sscanf(words[i + 1], "%" SCNu64, &sample) == 1 && sample && !(sample >> 32);
    else if (!strcmp(words[i], "--seed")) good = sscanf(words[i + 1], "%" SCNu64, &seed) == 1;
    else good = !strcmp(words[i], "--slice") && sscanf(words[i + 1], "%" SCNu64 "/%" SCNu64, &slice, &slices) == 2;
  if (!good || slice < 1 || slice > slices || slices >> 32) fail("usage: FILE [--sample N [--seed S] | --slice I/N]");
  Position start = (make_tables(), read_file(words[1]));
  walk(start); /* the whole file, before a leaf is proven */
  if (at < size) fail("nothing needs move %" PRIu64, at + 1);
  uint64_t all = leaves, from = all * (slice - 1) / slices;
  picked = calloc(all + 1, 1);
  if (!sample) memset(picked + from, 1, all * slice / slices - from);
  for (uint64_t i = 0; i < sample && all; i++)
    seed = seed * 6364136223846793005u + 1442695040888963407u, picked[(seed >> 16) % all] = 1;
  walk((at = leaves = 0, start));
  printf("%c wins %s~%s~%c~%c: %" PRIu64 " of %" PRIu64 " leaves proven, %" PRIu64 " moves to ply %" PRIu64 ", %" PRIu64
         " expansions", winner, rules, cells, side, board, proven, all, size, cut, expansions);
  if (sample) printf("; with 99 %% confidence fewer than %.2g %% fail", 100 * (1 - pow(0.01, 1.0 / sample)));
  return puts("") < 0;
}
