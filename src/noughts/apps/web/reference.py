"""The API for people: `/docs`, one page without a script, from the API's own description.

routes and types ──► OpenAPI ──► reference(OpenAPI) ──► HTML
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Schema = Mapping[str, Any]

PARTS = {
    "Games": ("games",),
    "Positions and rules": ("position", "rules"),
    "What the engine thinks": ("analysis", "graph", "explain", "hint", "review"),
    "Labs and replays": ("labs", "replay", "replay.html"),
}
"""The parts of the page, each with the first words of its addresses."""

ABOUT = """
<p>Whatever the page does, a program can do: it asks the addresses below, and gets JSON. Moves,
rules and positions are written as everywhere in noughts; an error is a
<a href="#Problem">problem document</a> with a sentence for people. The same in one file, for
programs: <a href="/openapi.json">openapi.json</a>.</p>
<pre>GAMES=http://127.0.0.1:8322/api/v1/games
curl -c me -b me $GAMES --json '{"start": "basic", "o": "engine:level=4"}'
curl -c me -b me $GAMES/ID/moves --json '{"version": 0, "move": "5"}'</pre>
<p>Who you are is told by a cookie, which you get with your first game and keep. Somebody else's
game opens with its watch or join key, in the header <code>noughts-key</code>. A request that
changes a game names the <code>version</code> that it has seen: if the game has gone on, the answer
is 409 and nothing happens. 429 and 503 say in <code>Retry-After</code> when to ask again.</p>
"""

SOCKETS = """
<section><h2 id="websockets">WebSockets</h2>
<article><h3><b>WS</b> <code>/api/v1/games/{id}/live</code></h3>
<p>Sends a <a href="#GameView">GameView</a> at once and at every change. Somebody without a seat
gives the key in the address: <code>?key=…</code>. A game that is not there, or not yours to see, is
a problem document, and the connection is closed with 4404.</p></article>
<article><h3><b>WS</b> <code>/api/v1/analysis</code></h3>
<p>Takes questions, each a <a href="#Question">Question</a>, and answers as it finds more. An answer
has the question's <code>id</code> and a <code>kind</code>: <code>values</code>
(<a href="#AnalysisView">AnalysisView</a>), <code>point</code> for each position of a line, then
<code>graph_done</code>, <code>why</code>, <code>hint</code>, <code>tried</code>,
<code>progress</code>, <code>review</code>, <code>report</code>, or <code>problem</code>. A new
question takes the place of one alike.</p>
</article></section>
"""


def reference(api: Schema, others: Mapping[str, Schema]) -> str:
    """Return the page.

    Args:
        api: the OpenAPI description.
        others: types that only WebSockets use, by name.
    """
    types = {**api["components"]["schemas"], **others}
    sections, links = [], []
    for title, words in PARTS.items():
        found = [
            _operation(method, path, operation)
            for path, operations in api["paths"].items()
            for method, operation in operations.items()
            if path.removeprefix("/api/v1/").partition("/")[0] in words
        ]
        links.append((_id(title), title))
        sections.append(f'<section><h2 id="{_id(title)}">{title}</h2>{"".join(found)}</section>')
    links += [("websockets", "WebSockets"), ("types", "Types")]
    shown = "".join(_type(name, types[name]) for name in sorted(types))
    contents = "".join(f'<a href="#{target}">{text}</a>' for target, text in links)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>noughts: the API</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/palette.css">
<link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/static/reference.css">
</head>
<body>
<header class="header">
<a class="wordmark" href="/"><span aria-hidden="true">n<i></i>ughts</span><span
class="visually-hidden">noughts</span></a>
</header>
<main class="reference">
<h1>The API</h1>
{ABOUT}
<nav aria-label="Parts">{contents}</nav>
{"".join(sections)}
{SOCKETS}
<section><h2 id="types">Types</h2>{shown}</section>
</main>
</body>
</html>
"""


def _operation(method: str, path: str, operation: Schema) -> str:
    asked = [
        (
            f"{escape(parameter['name'])} <small>{parameter['in']}</small>",
            _kind(parameter["schema"], not parameter.get("required", False)),
            parameter.get("description", ""),
        )
        for parameter in operation.get("parameters", ())
    ]
    lines = [f"<p>{_text(operation.get('description', ''))}</p>", _table(asked)]
    body = operation.get("requestBody")
    if body is not None:
        lines.append(f"<p>Takes {_content(body)}.</p>")
    for status, answer in operation["responses"].items():
        if status != "default":
            lines.append(f"<p>Answers {status}{_of(_content(answer))}.</p>")
    return (
        f"<article><h3><b>{method.upper()}</b> <code>{escape(path)}</code></h3>"
        f"{''.join(lines)}</article>"
    )


def _content(holder: Schema) -> str:
    kinds = [
        _kind(content["schema"]) if "schema" in content else f"<code>{escape(media)}</code>"
        for media, content in holder.get("content", {}).items()
    ]
    return " or ".join(dict.fromkeys(kinds))


def _of(kind: str) -> str:
    return f" with {kind}" if kind else ""


def _type(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    fields = [
        (escape(field), _kind(about, field not in required), about.get("description", ""))
        for field, about in schema.get("properties", {}).items()
    ]
    values = "".join(f" <code>{escape(str(each))}</code>" for each in schema.get("enum", ()))
    return (
        f'<article><h3 id="{name}">{name}</h3>'
        f"<p>{_text(schema.get('description', ''))}{values}</p>{_table(fields)}</article>"
    )


def _kind(schema: Schema, may_lack: bool = False) -> str:
    """Return a type in words, with links to those of the page."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        words = f'<a href="#{name}">{name}</a>'
    elif "anyOf" in schema:
        words = " or ".join(_kind(each) for each in schema["anyOf"])
    elif "enum" in schema:
        words = " or ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    elif "const" in schema:
        words = f"<code>{escape(str(schema['const']))}</code>"
    elif schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})]
        words = f"[{', '.join(map(_kind, items))}{'' if 'prefixItems' in schema else ', …'}]"
    elif isinstance(schema.get("additionalProperties"), Mapping):
        words = f"{{…: {_kind(schema['additionalProperties'])}}}"
    else:
        words = str(schema.get("type", "anything"))
    if may_lack:
        default = schema.get("default")
        words += (
            " <small>may be left out</small>"
            if default in (None, "", [], {})
            else (f" <small>{escape(str(default))} if left out</small>")
        )
    return words


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    lines = [
        f'<tr><th scope="row">{name}</th><td>{kind}</td><td>{_text(about)}</td></tr>'
        for name, kind, about in rows
    ]
    return f"<table>{''.join(lines)}</table>" if lines else ""


def _text(about: str) -> str:
    """Return a sentence as HTML; what stands between backticks is code."""
    parts = escape(" ".join(about.split())).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _id(title: str) -> str:
    return title.lower().replace(" ", "-")
