"""Recursion in policy files: found by reading, since a recursion without end would take the whole process with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Mentions = Mapping[str, Mapping[str, ast.Name]]


@dataclass(frozen=True)
class Recursion:
    """A function that comes to call itself.

    Attributes
    ----------
    node
        Where it names itself, or the function by way of which it does.
    names
        The functions on the way round, from itself on.
    """

    node: ast.Name
    names: tuple[str, ...]


def find_recursion(tree: ast.Module) -> Recursion | None:
    r"""Find the first function of a file that calls itself, at once or by way of others.

    A name that is only mentioned counts as called: it may be passed on, or called by another name.

    Examples
    --------
    >>> found = find_recursion(ast.parse("def f(x):\n    return g(x)\ndef g(x):\n    return f(x)"))
    >>> found.names, found.node.lineno
    (('f', 'g'), 2)
    """
    mentions = _mentions(tree)
    for start in mentions:
        way = _way_round(mentions, start)
        if way:
            follower = way[1] if len(way) > 1 else start
            return Recursion(mentions[start][follower], way)
    return None


def _mentions(tree: ast.Module) -> Mapping[str, dict[str, ast.Name]]:
    """By function, and by name that the file gives one, the names in it that are such too; local variables are none."""
    places: list[tuple[str, ast.AST, set[str]]] = [
        (node.name, node, set(_bound(node))) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    ]
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            places += [(name, statement, set()) for name in names]
    known = {name for name, _, _ in places}
    found: dict[str, dict[str, ast.Name]] = {name: {} for name, _, _ in places}
    for name, place, local in places:
        for node in ast.walk(place):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Load)
                and node.id in known
                and node.id not in local
            ):
                found[name].setdefault(node.id, node)
    return found


def _bound(function: ast.FunctionDef) -> Iterator[str]:
    """Names of a function's arguments and variables."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _way_round(mentions: Mentions, start: str) -> tuple[str, ...]:
    """The shortest way from a name back to itself; empty if there is none."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    for way in ways:
        for name in mentions[way[-1]]:
            if name == start:
                return way
            if name not in seen:
                seen.add(name)
                ways.append((*way, name))
    return ()
