"""House rules: values for a game's options from the command line, a TOML file, a preset or a program."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernels.spec import GameSpec, Option
from sim.errors import UsageError, nearest, unknown
from sim.names import Names, in_program
from sim.numbers import check_integer, check_rate, parse_integer, parse_rate
from sim.paths import read_given, read_path

TRUE_WORDS = ("true", "yes", "on", "1")
FALSE_WORDS = ("false", "no", "off", "0")
NO_RANKS = "none"
BETWEEN_SCORES = ":"

LARGEST_FILE = 1 << 15
"""Bytes in a file of rules or of a position: the time to read TOML grows with the square of the length of a name."""


def plain(value: Any) -> Any:
    """Return an option's value as JSON writes it: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value


def default_options(spec: GameSpec) -> dict[str, Any]:
    """Value of every option when nothing is said."""
    return {option.name: plain(option.default) for option in spec.options}


def changed_options(spec: GameSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options whose value differs from the default."""
    defaults = default_options(spec)
    return {name: value for name, value in options.items() if value != defaults[name]}


def option_text(value: Any) -> str:
    """Return a value as the command line takes it: ``true``, ``4``, ``45KA``, ``none`` or ``0:1600``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        if value and all(isinstance(score, int) for score in value):
            return BETWEEN_SCORES.join(map(str, value))
        return "".join(value) or NO_RANKS
    return str(value)


def allowed_text(option: Option) -> str:
    """Return what an option may be, in words."""
    if option.kind == "choice":
        return " or ".join(str(choice) for choice in option.choices)
    if option.kind == "flag":
        return "true or false"
    if option.kind == "ranks":
        return f"a set of the ranks {''.join(option.choices)}, as 4,5,K,A or 45KA, or {NO_RANKS}"
    if option.kind == "scores":
        return (
            f"{len(option.default)} whole numbers from {option.low:_} to {option.high:_}, one for each side, "
            f"as {option_text(option.default)}"
        )
    if option.kind == "rate":
        return "a probability from 0 to 1, as 0.1 or 10%"
    return f"a whole number from {option.low:_} to {option.high:_}"


def complete_options(
    spec: GameSpec,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    rule_texts: Sequence[str] = (),
    names: Names = in_program,
) -> dict[str, Any]:
    """Value of every option of a game.

    Parameters
    ----------
    rules
        Name of a preset, path of a TOML file, or values by name.
    rule_texts
        Values as ``name=value``, from the option ``--rule``; they win over `rules`.
    names
        What errors call `rules`.

    Raises
    ------
    UsageError
        If an option does not exist, is given twice, or a value is not allowed, alone or beside the others.
    """
    options = default_options(spec)
    known = {option.name: option for option in spec.options}
    where = names("rules")
    if isinstance(rules, str | os.PathLike):
        options.update(_named_rules(spec, rules, where))
    elif isinstance(rules, Mapping):
        options.update(checked_options(spec, rules, where))
    elif rules is not None:
        raise UsageError(
            f"{where}: {rules!r} is not allowed; allowed is a preset of {spec.name}, "
            "the path of a TOML file, or a mapping from option to value"
        )
    written: dict[str, str] = {}
    for text in rule_texts:
        name, equals, value = (piece.strip() for piece in text.partition("="))
        if not equals or not name:
            raise UsageError(f"--rule: {text!r} is not of the form name=value, as --rule {_example(spec)}")
        if name not in known:
            raise unknown("--rule", f"option of {spec.name}", name, known)
        if name in written:
            raise UsageError(f"--rule: {name} is given twice, as {written[name]!r} and as {value!r}")
        written[name] = value
        options[name] = parse_value(known[name], value)
    conflict = spec.conflict(options)
    if conflict is not None:
        name, allowed = conflict
        where = f"--rule {name}" if name in written else f"{names('rules')}, {name}"
        raise UsageError(f"{where}: {option_text(options[name])!r} is not allowed; allowed is {allowed}")
    return options


def checked_options(spec: GameSpec, values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check values that have types already, from a program or a TOML file.

    Parameters
    ----------
    where
        What holds the values, for the message, as ``rules`` or a file's name.

    Raises
    ------
    UsageError
        If an option does not exist or a value is not allowed.
    """
    known = {option.name: option for option in spec.options}
    checked = {}
    for name, value in values.items():
        if name not in known:
            raise unknown(where, f"option of {spec.name}", str(name), known)
        checked[name] = _check_value(known[name], value, where)
    return checked


def parse_value(option: Option, text: str) -> Any:
    """Read the value of an option from text.

    Raises
    ------
    UsageError
        If it is not allowed.
    """
    where = f"--rule {option.name}"
    if option.kind == "integer":
        return parse_integer(where, text, option.low, option.high)
    if option.kind == "flag":
        word = text.lower()
        if word in TRUE_WORDS + FALSE_WORDS:
            return word in TRUE_WORDS
        raise _not_allowed(option, text, where)
    if option.kind == "ranks":
        return _parse_ranks(option, text, where)
    if option.kind == "scores":
        return _parse_scores(option, text, where)
    if option.kind == "rate":
        return parse_rate(where, text)
    for choice in option.choices:
        if text == str(choice) or (isinstance(choice, int) and _is_number(text, choice)):
            return choice
    raise _not_allowed(option, text, where)


def _is_number(text: str, number: int) -> bool:
    try:
        return parse_integer("", text, number, number) == number
    except UsageError:
        return False


def _check_value(option: Option, value: Any, where: str) -> Any:
    where = f"{where}, {option.name}"
    if option.kind == "integer":
        return check_integer(where, value, option.low, option.high)
    if option.kind == "flag" and isinstance(value, bool):
        return value
    if option.kind == "rate":
        return check_rate(where, value)
    if option.kind == "ranks":
        if isinstance(value, str):
            return _parse_ranks(option, value, where)
        if isinstance(value, list | tuple | set | frozenset) and all(isinstance(rank, str) for rank in value):
            return _rank_set(option, list(value), where)
    if option.kind == "scores":
        if isinstance(value, str):
            return _parse_scores(option, value, where)
        if isinstance(value, list | tuple) and len(value) == len(option.default):
            return [check_integer(where, score, option.low, option.high) for score in value]
    if option.kind == "choice" and isinstance(value, int | str) and not isinstance(value, bool):
        for choice in option.choices:
            if value == choice:
                return choice
    raise _not_allowed(option, value, where)


def _parse_ranks(option: Option, text: str, where: str) -> list[str]:
    written = text.strip()
    if written.lower() == NO_RANKS:
        return []
    if not written:
        raise UsageError(f"{where}: the value is empty; allowed is {allowed_text(option)}")
    pieces = written.replace(",", " ").split()
    if len(pieces) == 1:
        pieces = list(pieces[0].replace("10", "T"))
    return _rank_set(option, pieces, where)


def _parse_scores(option: Option, text: str, where: str) -> list[int]:
    pieces = text.strip().removeprefix("[").removesuffix("]").replace(",", BETWEEN_SCORES).split(BETWEEN_SCORES)
    if len(pieces) != len(option.default):
        raise _not_allowed(option, text, where)
    return [parse_integer(where, piece.strip(), option.low, option.high) for piece in pieces]


def _rank_set(option: Option, pieces: Sequence[str], where: str) -> list[str]:
    ranks = []
    for piece in pieces:
        rank = "T" if piece == "10" else piece.upper()
        if rank not in option.choices:
            raise UsageError(f"{where}: {piece!r} is no rank that it may hold; allowed is {allowed_text(option)}")
        if rank in ranks:
            raise UsageError(f"{where}: rank {rank} is given twice")
        ranks.append(rank)
    return [rank for rank in option.choices if rank in ranks]


def _not_allowed(option: Option, value: object, where: str) -> UsageError:
    names = [choice for choice in option.choices if isinstance(choice, str)] if option.kind == "choice" else []
    near = nearest(value, names) if isinstance(value, str) else None
    hint = f". Did you mean {near}?" if near else ""
    return UsageError(f"{where}: {value!r} is not allowed; allowed is {allowed_text(option)}{hint}")


def _named_rules(spec: GameSpec, given: str | os.PathLike[str], where: str) -> dict[str, Any]:
    """Values of a preset or of a TOML file."""
    if isinstance(given, str) and given in spec.presets:
        return {option: plain(value) for option, value in spec.presets[given].items()}
    allowed = f"a TOML file or a preset of {spec.name}"
    path = read_path(where, given, allowed)
    name = os.fspath(given)
    try:
        if path.is_file():
            return _read_rules(spec, path, where)
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise UsageError(f"{where}: {name!r} cannot be read: {error.strerror or error}") from None
    if is_there:
        what = "a folder" if is_folder else "no regular file"
        raise UsageError(f"{where}: {name!r} is {what}; allowed is {allowed}")
    if isinstance(given, str) and not path.suffix and len(path.parts) == 1:
        raise unknown(where, f"preset of {spec.name}, nor a file,", name, spec.presets)
    raise UsageError(f"{where}: there is no file {name!r}; allowed is {allowed}")


def _read_rules(spec: GameSpec, path: Path, where: str) -> dict[str, Any]:
    try:
        # Editors of Windows begin a file with a byte order mark.
        values = tomllib.loads(read_given(path, LARGEST_FILE).decode("utf-8-sig"))
    except RecursionError:
        raise UsageError(f"{where}: {str(path)!r} cannot be read: its values are nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{where}: {str(path)!r} is not TOML: {error}") from None
    except ValueError:
        raise UsageError(f"{where}: {str(path)!r} cannot be read: it holds a number of too many digits") from None
    game = values.pop("game", spec.name)
    if game != spec.name:
        raise UsageError(f"{where}: {str(path)!r} is for the game {game!r}, not for {spec.name}")
    return checked_options(spec, values, f"{where} {path}")


def _example(spec: GameSpec) -> str:
    if not spec.options:
        return "name=value"
    option = spec.options[0]
    return f"{option.name}={option_text(option.choices[-1] if option.choices else option.default)}"
