"""House rules: values for a game's options from the command line, a TOML file, a preset or a program."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernels.spec import GameSpec, Option
from sim.errors import UsageError, nearest, unknown
from sim.numbers import check_integer, parse_integer

TRUE_WORDS = ("true", "yes", "on", "1")
FALSE_WORDS = ("false", "no", "off", "0")
NO_RANKS = "none"
BETWEEN_SCORES = ":"


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
    return f"a whole number from {option.low:_} to {option.high:_}"


def complete_options(
    spec: GameSpec,
    rules: str | Mapping[str, Any] | None = None,
    rule_texts: Sequence[str] = (),
) -> dict[str, Any]:
    """Value of every option of a game.

    Parameters
    ----------
    rules
        Name of a preset, path of a TOML file, or values by name.
    rule_texts
        Values as ``name=value``; they win over `rules`.

    Raises
    ------
    UsageError
        If an option does not exist, is given twice, or a value is not allowed.
    """
    options = default_options(spec)
    known = {option.name: option for option in spec.options}
    if isinstance(rules, str):
        options.update(_named_rules(spec, rules))
    elif rules is not None:
        options.update(checked_options(spec, rules, "rules"))
    written: dict[str, str] = {}
    for text in rule_texts:
        name, equals, value = (piece.strip() for piece in text.partition("="))
        if not equals or not name:
            raise UsageError(f"--rule: {text!r} is not of the form name=value, as --rule {_example(spec)}")
        if name not in known:
            raise unknown(f"option of {spec.name}", name, known)
        if name in written:
            raise UsageError(f"--rule: {name} is given twice, as {written[name]!r} and as {value!r}")
        written[name] = value
        options[name] = parse_value(known[name], value)
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
            raise unknown(f"option of {spec.name}", str(name), known)
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
    for choice in option.choices:
        if text.lower() == str(choice).lower():
            return choice
    raise _not_allowed(option, text, where)


def _check_value(option: Option, value: Any, where: str) -> Any:
    where = f"{where}, {option.name}"
    if option.kind == "integer":
        return check_integer(where, value, option.low, option.high)
    if option.kind == "flag" and isinstance(value, bool):
        return value
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
    near = nearest(value, map(str, option.choices)) if isinstance(value, str) and option.kind == "choice" else None
    hint = f". Did you mean {near}?" if near else ""
    return UsageError(f"{where}: {value!r} is not allowed; allowed is {allowed_text(option)}{hint}")


def _named_rules(spec: GameSpec, name: str) -> dict[str, Any]:
    """Values of a preset or of a TOML file."""
    if name in spec.presets:
        return {option: plain(value) for option, value in spec.presets[name].items()}
    path = Path(name)
    if path.is_file():
        return _read_rules(spec, path)
    if path.is_dir():
        raise UsageError(f"--rules: {name!r} is a folder; allowed is a TOML file or a preset of {spec.name}")
    if path.suffix or len(path.parts) > 1:
        raise UsageError(f"--rules: there is no file {name!r}; allowed is a TOML file or a preset of {spec.name}")
    raise unknown(f"preset of {spec.name}, nor a file,", name, spec.presets)


def _read_rules(spec: GameSpec, path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            values = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--rules: {str(path)!r} is not TOML: {error}") from None
    except OSError as error:
        raise UsageError(f"--rules: {str(path)!r} cannot be read: {error.strerror}") from None
    game = values.pop("game", spec.name)
    if game != spec.name:
        raise UsageError(f"--rules: {str(path)!r} is for the game {game!r}, not for {spec.name}")
    return checked_options(spec, values, f"--rules {path}")


def _example(spec: GameSpec) -> str:
    if not spec.options:
        return "name=value"
    option = spec.options[0]
    return f"{option.name}={option_text(option.choices[-1] if option.choices else option.default)}"
