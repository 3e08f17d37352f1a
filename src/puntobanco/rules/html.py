"""Values as tables in a notebook."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of HTML. Every text is escaped.

    >>> html_table("Result", ["Bet"], [["<tie>"]])
    '<table><caption>Result</caption><tr><th>Bet</th></tr><tr><td>&lt;tie&gt;</td></tr></table>'
    """
    lines = [_row("th", head), *(_row("td", map(str, row)) for row in rows)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def _row(cell: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{cell}>{escape(text)}</{cell}>' for text in texts)}</tr>"
