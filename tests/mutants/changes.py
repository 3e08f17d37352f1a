"""Every small change that can be made to a module: another comparison, a condition dropped, a call left out.

Changes are counted in the order of the syntax tree: a number names the same change as long as the module is the same.
"""

import ast
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Continue: ast.Break,
    ast.Break: ast.Continue,
}

OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


class Change(NamedTuple):
    first: int
    last: int
    """The lines it is made in."""
    before: str
    after: str


class Changer(ast.NodeTransformer):
    """Lists every change in order, and makes the one that is chosen, if any."""

    def __init__(self, chosen: int = -1) -> None:
        self.chosen = chosen
        self.found: list[Change] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Assert) or _only_for_types(node):
            return node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list") or (
                name == "keywords" and isinstance(node, ast.ClassDef)
            ):
                continue
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                value[:] = [self.visit(one) if isinstance(one, ast.AST) else one for one in value]
        made = node
        for where, other in _variations(node):
            if len(self.found) == self.chosen:
                made = ast.copy_location(other, node) if hasattr(node, "lineno") else other
            self.found.append(Change(where.lineno, where.end_lineno or where.lineno, _shown(node), _shown(other)))
        return made


def changes(source: str) -> list[Change]:
    changer = Changer()
    changer.visit(ast.parse(source))
    return changer.found


def changed(source: str, chosen: int) -> ast.Module:
    """The module with that one change."""
    tree = ast.parse(source)
    Changer(chosen).visit(tree)
    return ast.fix_missing_locations(tree)


def _only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _shown(node: ast.AST) -> str:
    """On one line: of a statement with a body, its head."""
    return "nothing" if isinstance(node, ast.Pass) else ast.unparse(node).strip().partition("\n")[0]


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


Place = ast.expr | ast.stmt


def _variations(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    """What else could stand there, each with where in the file that is."""
    yield from _conditions(node)
    yield from _values(node)


def _conditions(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                yield node, _with(node, ops=[*node.ops[:place], OTHER[type(op)](), *node.ops[place + 1 :]])
        case ast.BoolOp():
            yield node, _with(node, op=OTHER[type(node.op)]())
            for place in range(len(node.values)):
                left = node.values[:place] + node.values[place + 1 :]
                yield node, left[0] if len(left) == 1 else _with(node, values=left)
        case ast.UnaryOp(op=ast.Not()):
            yield node, node.operand
        case ast.If() | ast.IfExp():
            for forced in (True, False):
                yield node.test, _with(node, test=ast.Constant(forced))
        case ast.comprehension():
            for place, condition in enumerate(node.ifs):
                yield condition, _with(node, ifs=node.ifs[:place] + node.ifs[place + 1 :])
        case ast.match_case(guard=ast.expr() as guard):
            yield guard, _with(node, guard=None)


def _values(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    match node:
        case ast.BinOp() | ast.AugAssign() if type(node.op) in OTHER:
            yield node, _with(node, op=OTHER[type(node.op)]())
        case ast.Constant(value=bool(flag)):
            yield node, ast.Constant(not flag)
        case ast.Constant(value=int(number)):
            yield node, ast.Constant(number + 1)
        case ast.Call(func=ast.Name(id=name)) if name in OTHER_NAME:
            keywords = [] if name == "sorted" else node.keywords
            yield node, _with(node, func=ast.Name(OTHER_NAME[name], ast.Load()), keywords=keywords)
        case ast.Expr(value=ast.Call()) | ast.Raise():
            yield node, ast.Pass()
        case ast.Continue() | ast.Break():
            yield node, OTHER[type(node)]()
