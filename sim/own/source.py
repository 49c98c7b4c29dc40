"""The policy files of users, read: what they define, checked without running anything of them."""

from __future__ import annotations

import ast
import hashlib
import io
import keyword
import tokenize
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kernels import registry
from kernels.spec import GameSpec, Parameter, Policy
from sim.errors import UsageError, nearest
from sim.own.code import check_code
from sim.paths import read_given, read_path

SUFFIX = ".py"
ALLOWED = "a Python file with choose_ functions (docs/policies.md)"
LARGEST_FILE = 1 << 20
LONGEST_SHOWN = 120
"""Characters of a line that a message shows."""

QUESTION = "choose_"
GAME, BASE, PARAMETERS = "GAME", "BASE", "PARAMETERS"
OUTCOME_OF_BASE = "base"
"""What a function names to be given the answer of the policy that answers what the file does not."""

NOT_GIVEN = ("policy", "parameters", "work", "memory")
"""Arguments of a game's own functions that a file is not given: it has its own parameters, and no memory."""

LARGEST_PARAMETER = 10**12
FIRST_NUMBER = 1 << 40
"""Policy numbers of files begin here; those of the games are small."""


@dataclass(frozen=True)
class Asked:
    """A question of a game as its module of policies declares it.

    Attributes
    ----------
    arguments
        Annotations by name.
    kinds, names
        Of the values of an answer (`kernels.own`, `kernels.questions`).
    """

    arguments: Mapping[str, str]
    kinds: tuple[str, ...]
    names: tuple[str, ...]

    @cached_property
    def given(self) -> tuple[str, ...]:
        """What a file's function may name, parameters apart."""
        return (*(name for name in self.arguments if name not in NOT_GIVEN), OUTCOME_OF_BASE)


@dataclass(frozen=True, eq=False)
class OwnPolicy:
    """A policy file, checked.

    Attributes
    ----------
    name
        The file as it was named.
    path
        Where it lies; None where its text comes from elsewhere.
    text
        Its content.
    base, base_values
        The game's policy that answers what the file does not, and its parameters as the file sets them.
    parameters
        The file's own.
    functions
        The questions that it answers, each with the names that its function takes, in order.
    lines
        Line of each of these functions.
    may_run
        False of a file that a stored run holds, and that no command has named: it is told of, and not run.
    """

    game: str
    name: str
    path: Path | None
    text: str
    base: Policy
    base_values: tuple[int, ...]
    parameters: tuple[Parameter, ...]
    functions: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, int]
    help: str = ""
    may_run: bool = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnPolicy) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[str, str, str, bool]:
        return self.game, self.name, self.text, self.may_run

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the file."""
        return sha256_of(self.text)

    @cached_property
    def number(self) -> int:
        """Kernel number: another content has another one."""
        return FIRST_NUMBER + int(self.sha256[:9], 16)

    @cached_property
    def policy(self) -> Policy:
        """What a game would declare of such a policy; the parameters of the base come first, then the file's own."""
        of_base = tuple(
            Parameter(known.name, value, known.low, known.high, known.help)
            for known, value in zip(self.base.parameters, self.base_values, strict=True)
        )
        return Policy(self.name, self.number, self.help, (*of_base, *self.parameters))

    def place_of(self, parameter: str) -> int:
        """Place of a parameter in a row of them."""
        return [known.name for known in self.policy.parameters].index(parameter)


def sha256_of(text: str) -> str:
    """SHA-256 of a policy file's content, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def split_policy(text: str) -> tuple[str, str | None]:
    """Cut a policy's text in its name, or the path of its file, and what follows the colon, None if none does."""
    at = text.find(f"{SUFFIX}:")
    if at >= 0:
        return text[: at + len(SUFFIX)], text[at + len(SUFFIX) + 1 :]
    if text.endswith(SUFFIX):
        return text, None
    name, colon, rest = text.partition(":")
    return name, rest if colon else None


def is_file(name: str) -> bool:
    """Whether a policy's name is the path of a file."""
    return name.endswith(SUFFIX)


def read_own(spec: GameSpec, name: str, where: str) -> OwnPolicy:
    """Read the policy file of a path and check it for a game.

    Raises
    ------
    UsageError
        If it cannot be read, or is no policy of that game; the message says the line and what is wrong.
    """
    path = read_path(where, name, ALLOWED)
    return parse_own(spec, name, path, _content(name, path, where), where)


def _content(name: str, path: Path, where: str) -> bytes:
    try:
        return read_given(path, LARGEST_FILE)
    except FileNotFoundError:
        raise UsageError(f"{where}: there is no file {name!r}{_near_file(path)}") from None
    except OSError as error:
        raise UsageError(f"{where}: {name!r} cannot be read: {error.strerror or error}") from None


def game_of(name: str, where: str) -> str | None:
    """Return the game that a policy file says it is for; None if it says none, or cannot be read as Python.

    Raises
    ------
    UsageError
        If there is no such file.
    """
    content = _content(name, read_path(where, name, ALLOWED), where)
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in tree.body:
        if not isinstance(node, ast.Assign) or [ast.unparse(target) for target in node.targets] != [GAME]:
            continue
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return node.value.value
    return None


def _near_file(path: Path) -> str:
    try:
        near = nearest(path.name, [found.name for found in path.parent.iterdir() if found.suffix == SUFFIX])
    except OSError:
        return ""
    return f". Did you mean {path.with_name(near)}?" if near else ""


def parse_own(spec: GameSpec, name: str, path: Path | None, content: bytes, where: str) -> OwnPolicy:
    """Check the content of a policy file for a game; runs nothing of it.

    Raises
    ------
    UsageError
        If it is no policy of that game; the message says the line and what is wrong.
    """
    text = _decoded(content, name, where)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            # What the grammar lets through, as the same argument twice.
            compile(tree, name, "exec", dont_inherit=True)
    except (RecursionError, MemoryError):
        raise UsageError(f"{where}: {name}: it is nested too deeply to be read") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        reason = getattr(error, "msg", None) or str(error)
        shown = shortened((getattr(error, "text", None) or "").strip())
        raise UsageError(f"{where}: {_at(name, line)}: {reason}" + (f", in {shown!r}" if shown else "")) from None
    return _Reader(spec, name, path, text, tree, where).read()


def _decoded(content: bytes, name: str, where: str) -> str:
    """Text of a policy file, which is UTF-8: it is kept, sent and compiled as text."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if not encoding.startswith("utf-8"):
            raise UsageError(f"{where}: {name}: it says that it is written in {encoding}; save it as UTF-8")
        text = content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        raise UsageError(f"{where}: {name}: it is no text in UTF-8; save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def shortened(text: str) -> str:
    """A line of a file as a message shows it."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _at(name: str, line: int) -> str:
    return f"{name}, line {line}" if line else name


class _Reader:
    """One file while it is read."""

    def __init__(self, spec: GameSpec, name: str, path: Path | None, text: str, tree: ast.Module, where: str) -> None:
        self.spec, self.name, self.path, self.text, self.tree, self.where = spec, name, path, text, tree, where

    def error(self, node: ast.AST | None, reason: str) -> UsageError:
        return UsageError(f"{self.where}: {_at(self.name, getattr(node, 'lineno', 0))}: {reason}")

    def read(self) -> OwnPolicy:
        check_code(self.tree, self.error)
        constants = self._declared()
        self._check_game(constants.get(GAME))
        base, values = self._base(constants.get(BASE))
        parameters = self._parameters(constants.get(PARAMETERS), base)
        questions = questions_of(self.spec.name)
        functions: dict[str, tuple[str, ...]] = {}
        lines: dict[str, int] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith(QUESTION):
                functions[node.name] = self._function(node, questions, base, parameters)
                lines[node.name] = node.lineno
        if not functions:
            known = ", ".join(questions)
            raise self.error(None, f"it answers no question of {self.spec.name}; these are {known}")
        self._check_clashes(parameters, questions)
        return OwnPolicy(
            self.spec.name,
            self.name,
            self.path,
            self.text,
            base,
            values,
            parameters,
            functions,
            lines,
            (ast.get_docstring(self.tree) or "").partition("\n")[0],
        )

    def _declared(self) -> dict[str, Any]:
        """Statements that give `GAME`, `BASE` and `PARAMETERS` their values; refuses what would pass unnoticed."""
        found: dict[str, Any] = {}
        for node in self.tree.body:
            for inner, name in _bound_names(node):
                if name.startswith(QUESTION):
                    raise self.error(inner, f"{name} must be a function that begins at the margin of the file, once")
                if name not in (GAME, BASE, PARAMETERS):
                    continue
                is_plain = isinstance(node, ast.Assign) and len(node.targets) == 1 and inner is node.targets[0]
                if isinstance(node, ast.AnnAssign) and node.value is not None:
                    is_plain = inner is node.target
                if not is_plain or name in found:
                    raise self.error(inner, f"{name} must be given its value once, by {name} = ... at the margin")
                found[name] = node
        names = [node.name for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith(QUESTION) and names.count(node.name) > 1:
                raise self.error(node, f"{node.name} is there {names.count(node.name)} times; write it once")
        return found

    def _literal(self, node: Any, what: str) -> Any:
        if isinstance(node.value, ast.Dict):
            seen: set[str] = set()
            for key in filter(None, node.value.keys):
                if ast.dump(key) in seen:
                    raise self.error(key, f"{what}: {ast.unparse(key)} is there twice")
                seen.add(ast.dump(key))
        try:
            return ast.literal_eval(node.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            raise self.error(node, f"{what} must be written out, in numbers and texts, not reckoned") from None

    def _check_game(self, node: Any) -> None:
        if node is None:
            return
        game = self._literal(node, GAME)
        if not isinstance(game, str):
            raise self.error(node, f"{GAME}: {game!r} is no text; write {GAME} = {self.spec.name!r}")
        if game != self.spec.name:
            known = "" if game in registry.GAMES else f", which is no game: there is {', '.join(registry.GAMES)}"
            raise self.error(node, f"it is a policy of {game!r}{known or ', not of ' + self.spec.name}")

    def _base(self, node: Any) -> tuple[Policy, tuple[int, ...]]:
        from sim.games import parse_policy

        text = self.spec.default_policy if node is None else self._literal(node, BASE)
        if isinstance(text, str) and is_file(split_policy(text)[0]):
            raise self.error(node, f"{BASE}: {text!r} is a file; allowed is a policy that is built in")
        try:
            choice = parse_policy(self.spec, text, BASE)
        except UsageError as error:
            raise self.error(node, str(error)) from None
        if choice.policy.part:
            known = ", ".join(policy.name for policy in self.spec.policies)
            raise self.error(node, f"{BASE}: {text!r} searches, which a file cannot ask for; there is {known}")
        return choice.policy, choice.values

    def _parameters(self, node: Any, base: Policy) -> tuple[Parameter, ...]:
        if node is None:
            return ()
        form = 'write {"name": default} or {"name": (default, low, high, "what it is")}'
        written = self._literal(node, PARAMETERS)
        if not isinstance(written, dict):
            raise self.error(node, f"{PARAMETERS}: {written!r} is not of the right form; {form}")
        of_base = {known.name for known in base.parameters}
        found = []
        for name, value in written.items():
            what = f"{PARAMETERS}: {shortened(repr(name))}"
            if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
                raise self.error(node, f"{what} is no name; {form}")
            if name in of_base:
                raise self.error(node, f"{what} is a parameter of {base.name}, its base, already; call it otherwise")
            parts = value if isinstance(value, tuple | list) else (value, -LARGEST_PARAMETER, LARGEST_PARAMETER)
            numbers, rest = parts[:3], parts[3:]
            is_well = len(numbers) == 3 and all(type(number) is int for number in numbers)
            if not is_well or len(rest) > 1 or not all(isinstance(text, str) for text in rest):
                raise self.error(
                    node, f"{what}: {shortened(repr(value))} is not of the right form; {form}, in whole numbers"
                )
            default, low, high = numbers
            if not -LARGEST_PARAMETER <= low <= default <= high <= LARGEST_PARAMETER:
                raise self.error(node, f"{what}: {shortened(f'{default} does not lie from {low} to {high}')}")
            found.append(Parameter(name, default, low, high, rest[0] if rest else ""))
        return tuple(found)

    def _function(
        self,
        node: ast.FunctionDef,
        questions: Mapping[str, Asked],
        base: Policy,
        parameters: tuple[Parameter, ...],
    ) -> tuple[str, ...]:
        if node.name not in questions:
            near = nearest(node.name, questions)
            hint = f" Did you mean {near}?" if near else ""
            known = ", ".join(questions)
            raise self.error(node, f"{self.spec.name} has no question {node.name!r}: there is {known}.{hint}")
        arguments = node.args
        if arguments.vararg or arguments.kwarg:
            raise self.error(node, f"{node.name} must name what it wants to be given; * and ** cannot be filled in")
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        given = questions[node.name].given
        settings = [known.name for known in (*base.parameters, *parameters)]
        for one in names:
            if one not in given and one not in settings:
                near = nearest(one, (*given, *settings))
                hint = f" Did you mean {near}?" if near else ""
                more = f", and the parameters {', '.join(settings)}" if settings else ""
                raise self.error(node, f"{node.name} cannot be given {one!r}: there is {', '.join(given)}{more}.{hint}")
        if arguments.kwonlyargs or arguments.posonlyargs:
            raise self.error(node, f"{node.name}: leave out * and / among the arguments")
        return tuple(names)

    def _check_clashes(self, parameters: tuple[Parameter, ...], questions: Mapping[str, Asked]) -> None:
        given = {name for asked in questions.values() for name in (*asked.arguments, OUTCOME_OF_BASE)}
        for known in parameters:
            if known.name in given:
                raise self.error(None, f"{PARAMETERS}: {known.name!r} is what a question gives; call it otherwise")


def _bound_names(statement: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    """Names that a statement outside the functions binds, but by a function at the margin and by an import."""
    if isinstance(statement, ast.FunctionDef):
        return
    waiting: list[ast.AST] = [statement]
    for node in waiting:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node, node.id
        elif isinstance(node, ast.FunctionDef):
            yield node, node.name
            continue
        elif isinstance(node, ast.Lambda):
            continue
        waiting += ast.iter_child_nodes(node)


def questions_of(game: str) -> dict[str, Asked]:
    """Questions of a game by name, in the order of its module of policies; imports no kernel."""
    found = find_spec(f"{registry.GAMES[game]}.policies")
    assert found is not None
    assert found.origin is not None
    tree = ast.parse(Path(found.origin).read_text(encoding="utf-8"))
    told = {question.name: question for question in told_questions(game)}
    questions = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith(QUESTION):
            kinds = _kinds_of(node)
            names = (
                tuple(value.name for value in told[node.name].answer)
                if node.name in told
                else tuple(f"value {place + 1}" for place in range(len(kinds)))
            )
            arguments = {one.arg: ast.unparse(one.annotation or ast.Constant(None)) for one in node.args.args}
            questions[node.name] = Asked(arguments, kinds, names)
    return questions


def told_questions(game: str) -> tuple[Any, ...]:
    """What the game tells of its questions; nothing where it tells nothing."""
    package = registry.GAMES[game]
    if find_spec(f"{package}.questions") is None:
        return ()
    questions: tuple[Any, ...] = registry.module(game, "questions").QUESTIONS
    return questions


def _kinds_of(node: ast.FunctionDef) -> tuple[str, ...]:
    returned = node.returns
    parts = returned.slice if isinstance(returned, ast.Subscript) else returned
    each = parts.elts if isinstance(parts, ast.Tuple) else [parts]
    kinds = {"np.uint64": "word", "np.int64": "number", "int": "number", "bool": "yes"}
    return tuple(kinds[ast.unparse(one)] for one in each if one is not None)
