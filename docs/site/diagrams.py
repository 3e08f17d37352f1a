"""The Mermaid diagrams of our pages as SVG, so that the site needs no script from elsewhere and prints.

It reads what our generators write: `flowchart TD` and `stateDiagram-v2`, one node or one arrow a line.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape

from grandalf.graphs import Edge, Graph, Vertex
from grandalf.layouts import SugiyamaLayout

from docs.site.tables import markdown_table

BLOCK = re.compile(r"^```mermaid\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_NODE = re.compile(r'\s+(\w+)\["(.+)"\]')
_ARROW = re.compile(r"\s+(\S+) --> ([^\s:]+)(?:: (.+))?")
_LETTER, _LINE = 7.6, 17
_START = "[*]"


def drawn(text: str) -> str:
    """The page with every diagram drawn."""
    return BLOCK.sub(lambda found: svg(found[1]) + "\n", text)


class _Box:
    """What grandalf needs to know about a node: its size. It adds where the node is."""

    def __init__(self, width: float, height: float) -> None:
        self.w, self.h = width, height
        self.xy = (0.0, 0.0)


Nodes = dict[str, str]
Arrows = dict[tuple[str, str], list[str]]


def svg(written: str) -> str:
    nodes, arrows = _read(written)
    return _states(nodes, arrows) if written.startswith("stateDiagram") else _layers(nodes, arrows)


def _read(written: str) -> tuple[Nodes, Arrows]:
    nodes: Nodes = {}
    arrows: Arrows = defaultdict(list)
    for line in written.splitlines():
        if node := _NODE.fullmatch(line):
            nodes[node[1]] = node[2]
        elif arrow := _ARROW.fullmatch(line):
            source, target, label = arrow.groups()
            for end in (source, target):
                nodes.setdefault(end, "start" if end == _START else end)
            arrows[source, target] += [label] if label else []
    return nodes, arrows


# ---- who imports whom: in layers, from the top down --------------------------------------------------------------


def _layers(nodes: Nodes, arrows: Arrows) -> str:
    vertices = {name: Vertex(name) for name in nodes}
    for name, vertex in vertices.items():
        vertex.view = _sized(nodes[name])
    right = height = 0.0
    for component in Graph(list(vertices.values()), [Edge(vertices[one], vertices[other]) for one, other in arrows]).C:
        layout = SugiyamaLayout(component)
        layout.xspace, layout.yspace = 30, 40
        layout.init_all(optimize=True)
        layout.draw(10)
        boxes = [vertex.view for vertex in component.sV if vertex.data in vertices]
        left = min(one.xy[0] - one.w / 2 for one in boxes)
        top = min(one.xy[1] - one.h / 2 for one in boxes)
        for one in boxes:
            one.xy = (one.xy[0] - left + right + 10, one.xy[1] - top + 10)
        right = max(one.xy[0] + one.w / 2 for one in boxes) + 20
        height = max([height, *(one.xy[1] + one.h / 2 + 10 for one in boxes)])
    parts = [_down(vertices[one].view, vertices[other].view) for one, other in arrows]
    parts += [part for name, vertex in vertices.items() for part in _box(vertex.view, _lines(nodes[name]))]
    return _figure(right, height, ", ".join(nodes.values()), parts)


def _down(one: _Box, other: _Box) -> str:
    (x, y), (to_x, to_y) = one.xy, other.xy
    y, to_y = y + one.h / 2, to_y - other.h / 2
    middle = (y + to_y) / 2
    return _path(f"M{x:.0f} {y:.0f}C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}")


# ---- phases: one below the other, with a bow for each way that leads from one to another --------------------------


def _states(nodes: Nodes, arrows: Arrows) -> str:
    """Forward on the right, back on the left, and a table of what leads there."""
    place = {name: number for number, name in enumerate(nodes)}
    middle, step = 60.0 + 9 * len(nodes) + 60, 54
    boxes = {name: _sized(text) for name, text in nodes.items()}
    for name, box in boxes.items():
        box.xy = (middle, 24 + place[name] * step)
    parts = []
    for (one, other), labels in arrows.items():
        far, side = abs(place[other] - place[one]), 1 if place[other] > place[one] else -1
        (_, y), (_, to_y) = boxes[one].xy, boxes[other].xy
        x, to_x = middle + side * boxes[one].w / 2, middle + side * boxes[other].w / 2
        out = middle + side * (60 + 18 * far)
        y, to_y = y + side * 4, to_y - side * 4
        title = ", ".join(labels)
        parts.append(_path(f"M{x:.0f} {y:.0f}C{out:.0f} {y:.0f} {out:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}", title))
    parts += [part for name, box in boxes.items() for part in _box(box, [nodes[name]])]
    drawn = _figure(2 * middle, 24 + len(nodes) * step, "the phases and where commands lead", parts)
    rows = [
        (nodes[one], nodes[other], ", ".join(f"`{label}`" for label in labels))
        for (one, other), labels in sorted(arrows.items(), key=lambda arrow: [place[end] for end in arrow[0]])
    ]
    return drawn + "\n" + markdown_table(("from", "to", "by"), rows) + "\n"


# ---- parts -------------------------------------------------------------------------------------------------------


def _figure(width: float, height: float, title: str, parts: list[str]) -> str:
    return "\n".join(
        [
            f'<div class="diagram"><svg role="img" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}"><title>{escape(title)}</title>',
            '<defs><marker id="arrow" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z"/></marker></defs>',
            *parts,
            "</svg></div>",
            "",
        ]
    )


def _path(line: str, title: str = "") -> str:
    return f'<path d="{line}" marker-end="url(#arrow)"><title>{escape(title)}</title></path>'


def _sized(text: str) -> _Box:
    lines = _lines(text)
    return _Box(max(map(len, lines)) * _LETTER + 16, len(lines) * _LINE + 12)


def _lines(text: str) -> list[str]:
    """A long list of files takes several lines."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) > 34:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _box(box: _Box, lines: list[str]) -> Iterator[str]:
    x, y = box.xy
    yield f'<rect x="{x - box.w / 2:.0f}" y="{y - box.h / 2:.0f}" width="{box.w:.0f}" height="{box.h:.0f}" rx="4"/>'
    for number, line in enumerate(lines):
        at = y + (number - (len(lines) - 1) / 2) * _LINE + 4
        yield f'<text x="{x:.0f}" y="{at:.0f}" text-anchor="middle">{escape(line)}</text>'
