"""Tables and links of generated pages, in Markdown or HTML."""

from collections.abc import Iterable, Sequence
from html import escape


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows))


def link(text: str, target: str) -> str:
    return f"[{text}]({target})"


def anchor(text: str, target: str) -> str:
    """A link in HTML."""
    return f'<a href="{escape(target)}">{escape(text)}</a>'


def folded(links: Sequence[str]) -> str:
    """A number that unfolds into links, or nothing."""
    if not links:
        return ""
    items = "".join(f"<li>{one}</li>" for one in links)
    return f"<details><summary>{len(links)}</summary><ul>{items}</ul></details>"
