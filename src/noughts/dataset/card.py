"""The card of a data set: README.md, whose head the library `datasets` of Hugging Face reads.

Source of the fields: https://huggingface.co/docs/hub/datasets-cards
"""

from __future__ import annotations

from noughts import _core
from noughts.dataset.pieces import schema
from noughts.dataset.plan import Facts
from noughts.games.registry import game

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
"""The classes of size of the Hugging Face Hub, with their bounds."""
SOURCES = {
    "all": "every position that a game can reach, in an order of chance",
    "levels": "games of two of the ten levels of noughts, which begin with up to 6 random moves",
    "random": "games of random moves",
    "selfplay": "games of the engine of noughts against itself, with 1,000 nodes a move, which "
    "begin with up to 6 random moves",
}
LABELS = {
    "exact": "Every value is proven: by the rules, a table, a book or a solver. No value is an "
    "estimate.",
    "searched": "Where `proven` is false, `value` is 0, and `estimate` and `optimal` are those of "
    "a search; where `move_proven` is false, `move_values` has an estimate.",
}


def card(facts: Facts) -> str:
    """Return the text of the card of a finished data set."""
    plan, counts = facts.plan, facts.counts
    assert counts is not None
    title = f"{game(plan.rules).title} ({plan.rules}): positions with their values"
    size = next((name for bound, name in SIZES if counts.positions < bound), "10M<n<100M")
    rows, columns, planes, actions = _core.Batch(plan.rules, 1, 1).shape()
    head = [
        "---",
        f'pretty_name: "{title}"',
        f"license: {plan.licence}",
        f"size_categories: [{size}]",
        "task_categories: [tabular-classification, reinforcement-learning]",
        "tags: [board-games, game-theory, noughts]",
        "configs:",
        "- config_name: default",
        "  data_files:",
    ]
    for split in counts.rows:
        head += [f"  - split: {split}", f"    path: data/{split}-*.parquet"]
    head.append("---")
    made = [
        f"- Made with noughts {plan.version}: `{plan.command} --out DIR`. The same command makes "
        "the same rows.",
        f"- Licence: {plan.licence}.",
        f"- Source: {SOURCES[plan.source]}.",
    ]
    if counts.games:
        made.append(
            f"- Games: {counts.games:,}. All positions of a game are in one split: by the last "
            "digit of its number, 0 to 7 in train, 8 in validation, 9 in test."
        )
    else:
        made.append("- Splits: one. These positions belong to no game by which to split them.")
    made += [
        f"- Duplicates: of positions that are equal up to rotation and reflection, the first is "
        f"here; {counts.duplicates:,} others were left out. So no position of one split has an "
        "image in another.",
        f"- Labels: {plan.labels}. {LABELS[plan.labels]} "
        + (
            f"Left out without a proof: {counts.unproven:,} positions."
            if plan.labels == "exact"
            else f"Proven are {counts.proven:,} of {counts.positions:,} positions."
        ),
        "- Check: `noughts dataset check DIR` proves a sample again.",
    ]
    table = ["| split | positions |", "|---|---:|"]
    table += [f"| {split} | {number:,} |" for split, number in counts.rows.items()]
    fields = ["| column | type | content |", "|---|---|---|"]
    for field in schema(plan.rules):
        about = field.metadata[b"about"].decode()
        fields.append(f"| `{field.name}` | {field.type} | {about} |")
    observation = (
        f"`observation` has {rows} × {columns} × {planes} numbers: the marks of the side to move, "
        "those of the other" + (", the boards of the next move" if planes == 3 else "")
    )
    parts = [
        "\n".join(head),
        f"# {title}",
        "\n".join(table),
        "## How it was made",
        "\n".join(made),
        "## Columns",
        "\n".join(fields),
        f"{observation}. There are {actions} actions: the move numbers of noughts.",
        "## Use",
        "```python\nfrom datasets import load_dataset\n\n"
        'data = load_dataset("DIR")\nprint(data["train"][0]["position"])\n```',
    ]
    return "\n\n".join(parts) + "\n"
