"""From the words of a command or a program to a setup that can be played: options, policies, seats.

Everything is read off the game's own declaration, so a new game needs nothing here; nothing here imports
numba.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels import registry
from kernels.spec import GameSpec, Policy
from sim.errors import UsageError, nearest, unknown
from sim.names import Names, in_program, on_command_line
from sim.numbers import MAX_UINT64, check_integer, parse_integer
from sim.own.source import OwnPolicy, is_file, read_own, split_policy
from sim.rules import changed_options, complete_options, option_text
from sim.specialise import Part

if TYPE_CHECKING:
    from sim.placing import Placing

DEFAULT_SEED = 0
"""The seed of a run that names none: fixed, so that the same command gives the same numbers."""


Files = Mapping[str, OwnPolicy]


@dataclass(frozen=True, slots=True)
class PolicyChoice:
    """A policy with a value for each of its parameters, in kernel order.

    Attributes
    ----------
    own
        The file that it is, of a policy that is not built in.
    """

    policy: Policy
    values: tuple[int, ...]
    own: OwnPolicy | None = None

    @property
    def is_made(self) -> bool:
        """Whether it needs a play module that is made for it (`sim.specialise`): a search, or a file."""
        return self.is_search or self.own is not None

    @property
    def is_search(self) -> bool:
        """Whether it searches, so that a deal takes as long as thousands of others."""
        return bool(self.policy.part)

    @property
    def text(self) -> str:
        """Its text: the name, then the parameters that differ from the default, as ``standard:take_lixo=4``."""
        changed = [
            f"{parameter.name}={value}"
            for parameter, value in zip(self.policy.parameters, self.values, strict=True)
            if value != parameter.default
        ]
        return self.policy.name + (":" + ",".join(changed) if changed else "")


@dataclass(frozen=True)
class Setup:
    """All that decides what is played, apart from the number of the deal.

    Attributes
    ----------
    spec
        The game.
    options
        A value for every option: texts, integers, booleans, and lists of rank characters.
    policies
        One for each seat.
    seed
        0 to 2^64 - 1.
    placing
        Cards that are given in every deal.
    beside
        Policies of other tables that are played with this one, so that one play module serves all of them.
    """

    spec: GameSpec
    options: Mapping[str, Any]
    policies: tuple[PolicyChoice, ...]
    seed: int = DEFAULT_SEED
    placing: Placing | None = None
    beside: tuple[PolicyChoice, ...] = ()

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return len(self.policies)

    @property
    def sides(self) -> int:
        """Sides that score."""
        return self.spec.sides(self.options)

    @property
    def policy_texts(self) -> list[str]:
        """Text of the policy at each seat."""
        return [choice.text for choice in self.policies]

    @property
    def changed(self) -> dict[str, Any]:
        """The options that differ from the game's defaults."""
        return changed_options(self.spec, self.options)

    @cached_property
    def encoded_options(self) -> npt.NDArray[np.void]:
        """The options as the kernels read them, shape (1,), in the game's `option_layout`."""
        record = np.zeros(1, self.spec.option_layout)
        for name, value in self.spec.encode(self.options).items():
            record[name] = value
        return record

    @property
    def is_searched(self) -> bool:
        """Whether a policy at the table searches."""
        return any(choice.is_search for choice in self.policies)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What the policies at the table need beside the game's own."""
        package = registry.GAMES[self.spec.name]
        choices = (*self.policies, *self.beside)
        searches = {choice.policy.number: choice.policy.part for choice in choices if choice.policy.part}
        parts = [Part(number, f"{package}.{part}") for number, part in sorted(searches.items())]
        files = {choice.own.number: choice.own for choice in choices if choice.own is not None}
        if files:
            from sim.own.adapter import part_of

            parts += [part_of(own) for _, own in sorted(files.items())]
        return tuple(parts)

    @property
    def own_policies(self) -> tuple[OwnPolicy, ...]:
        """The files among the policies, each once."""
        return tuple({choice.own.name: choice.own for choice in self.policies if choice.own is not None}.values())

    @property
    def file_words(self) -> list[str]:
        """Words with which a command names these files, where a folder says all else."""
        return [word for own in self.own_policies for word in ("--policy", own.name)]

    @cached_property
    def policy_numbers(self) -> npt.NDArray[np.int64]:
        """Kernel number of the policy at each seat, shape (seats,)."""
        return np.array([choice.policy.number for choice in self.policies], np.int64)

    @cached_property
    def parameters(self) -> npt.NDArray[np.int64]:
        """Parameters of the policy at each seat, shape (seats, max_parameters or more), padded with zeros."""
        width = max(self.spec.max_parameters, *(len(choice.values) for choice in (*self.policies, *self.beside)))
        table = np.zeros((self.seats, width), np.int64)
        for seat, choice in enumerate(self.policies):
            table[seat, : len(choice.values)] = choice.values
        return table

    def arguments(self) -> list[str]:
        """Command-line words that make this setup again: seed, policies and changed options."""
        words = ["--seed", str(self.seed)]
        texts = self.policy_texts
        if len(set(texts)) > 1:
            for seat, text in enumerate(texts):
                words += ["--policy", f"{seat}={text}"]
        elif texts[0] != self.spec.default_policy:
            words += ["--policy", texts[0]]
        for name, value in self.changed.items():
            words += ["--rule", f"{name}={option_text(value)}"]
        return words

    def command(self, verb: str, *words: object) -> str:
        """Return a ``carteador`` command of this setup, as ``carteador show canastra --seed 7 --deal 3``."""
        return shlex.join(["carteador", verb, self.spec.name, *map(str, words), *self.arguments()])

    def run_command(self, unit: str, first: int, count: int, confidence: float = 0.95) -> str:
        """Return the ``carteador run`` command that plays these ``deals`` or ``matches`` again."""
        words: list[object] = [f"--{unit}", count]
        words += ["--first", first] if first else []
        words += ["--confidence", f"{confidence:.15g}"] if confidence != 0.95 else []
        return self.command("run", *words)


def find_game(name: str) -> GameSpec:
    """Declaration of the game called `name`.

    Raises
    ------
    UsageError
        If there is no such game.
    """
    if not isinstance(name, str):
        raise UsageError(f"game: {name!r} is no name of a game; there is {', '.join(registry.GAMES)}")
    if name not in registry.GAMES:
        raise unknown("", "game", name, registry.GAMES)
    return registry.spec(name)


def make_setup(
    game: str,
    *,
    seed: int | str | None = None,
    policies: str | Sequence[str] | Mapping[int, str] | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    policy_texts: Sequence[str] = (),
    rule_texts: Sequence[str] = (),
    names: Names = in_program,
    files: Files | None = None,
) -> Setup:
    """Check everything that decides a run and put it together.

    Parameters
    ----------
    game
        Name of the game.
    seed
        0 to 2^64 - 1; `DEFAULT_SEED` if None.
    policies
        A policy for all seats, one for each seat, or those of some seats by number (the others play the
        game's default policy).
    rules
        Name of a preset, path of a TOML file, or option values by name.
    policy_texts
        In place of `policies`, the ``--policy`` options of a command.
    rule_texts
        Further values as ``name=value``, which win over `rules`.
    names
        What errors call `seed`, `policies` and `rules`.
    files
        The policy files that there are, by name; those on disk if None.

    Raises
    ------
    UsageError
        If anything is wrong; the message says what is allowed.
    """
    spec = find_game(game)
    checked_seed = DEFAULT_SEED if seed is None else check_integer(names("seed"), seed, 0, MAX_UINT64)
    options = complete_options(spec, rules, rule_texts, names)
    where = names("policies")
    if policy_texts:
        where = on_command_line("policies")
        policies = policies_from_texts(spec, options, policy_texts)
    return Setup(spec, options, seat_policies(spec, options, policies, where, files), checked_seed)


def seat_policies(
    spec: GameSpec,
    options: Mapping[str, Any],
    policies: str | Sequence[str] | Mapping[int, str] | None,
    where: str = "policies",
    files: Files | None = None,
) -> tuple[PolicyChoice, ...]:
    """Policy of each seat.

    Parameters
    ----------
    where
        What gave the policies, for the message.
    files
        The policy files that there are, by name; those on disk if None.

    Raises
    ------
    UsageError
        If a policy or a parameter does not exist, a value is out of range, or the seats do not fit.
    """
    seats = spec.seats(options)
    default = parse_policy(spec, spec.default_policy)
    if policies is None:
        return (default,) * seats
    if isinstance(policies, str):
        return (parse_policy(spec, policies, where, files),) * seats
    if isinstance(policies, Mapping):
        table = [default] * seats
        for seat, text in policies.items():
            if isinstance(seat, bool) or not hasattr(seat, "__index__") or not 0 <= seat < seats:
                raise UsageError(f"{where}: there is no seat {seat!r}; the seats are {_seats_text(seats)}")
            table[seat] = parse_policy(spec, text, where, files)
        return tuple(table)
    if not isinstance(policies, Sequence):
        raise UsageError(
            f"{where}: {policies!r} is not allowed; allowed is one policy for all seats, "
            "a list with one for each seat, or a mapping from seat to policy"
        )
    choices = tuple(parse_policy(spec, text, where, files) for text in policies)
    if len(choices) == 1:
        return choices * seats
    if len(choices) != seats:
        raise UsageError(f"{where}: {len(choices)} are given for {seats} seats; give one for all, or one for each")
    return choices


def policies_from_texts(spec: GameSpec, options: Mapping[str, Any], texts: Sequence[str]) -> str | dict[int, str]:
    """Read the ``--policy`` options of a command, at least one: ``P`` once for all seats, or ``SEAT=P`` for some.

    Raises
    ------
    UsageError
        If the two forms are mixed, a seat is named twice or is not at the table.
    """
    seats = spec.seats(options)
    by_seat: dict[int, str] = {}
    for text in texts:
        head, equals, tail = text.partition("=")
        if not equals or ":" in head:
            if len(texts) > 1:
                raise UsageError(
                    f"--policy: {text!r} is for all seats and cannot stand beside another --policy; "
                    f"write one for all, or SEAT=POLICY for each, as --policy 0={text} --policy 1={text}"
                )
            return text
        if not (head.isascii() and head.strip().isdecimal()):
            names = [policy.name for policy in spec.all_policies]
            near = nearest(head, names)
            hint = f" Did you mean {near}:{tail}?" if near and tail else ""
            raise UsageError(
                f"--policy: {head!r} in {text!r} is no seat; allowed is POLICY, POLICY:parameter=value "
                f"or SEAT=POLICY with a seat of {_seats_text(seats)}.{hint}"
            )
        seat = int(head)
        if seat >= seats:
            raise UsageError(f"--policy: there is no seat {seat} in {text!r}; the seats are {_seats_text(seats)}")
        if seat in by_seat:
            raise UsageError(f"--policy: seat {seat} is given twice, as {by_seat[seat]!r} and as {tail!r}")
        by_seat[seat] = tail
    return by_seat


def parse_policy(spec: GameSpec, text: str, where: str = "policy", files: Files | None = None) -> PolicyChoice:
    """Read a policy as ``NAME`` or ``NAME:parameter=value,parameter=value``, the name that of a file if it ends so.

    Parameters
    ----------
    where
        What gave the policy, for the message, as ``--policy``.
    files
        The policy files that there are, by name; those on disk if None.

    Raises
    ------
    UsageError
        If the policy or a parameter does not exist, or a value is out of range.
    """
    if not isinstance(text, str):
        raise UsageError(f"{where}: {text!r} is no text; allowed is NAME or NAME:parameter=value")
    name, rest = split_policy(text.strip())
    own = None
    if is_file(name):
        own = read_own(spec, name, where) if files is None else files.get(name)
        if own is None:
            raise UsageError(f"{where}: the policy file {name!r} is run only if the command itself names it")
        policy = own.policy
    else:
        known = {policy.name: policy for policy in spec.all_policies}
        if name not in known:
            raise unknown(where, f"policy of {spec.name}", name, known)
        policy = known[name]
    values = {parameter.name: parameter.default for parameter in policy.parameters}
    ranges = {parameter.name: parameter for parameter in policy.parameters}
    given: set[str] = set()
    for part in rest.split(",") if rest is not None else ():
        parameter_name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not parameter_name:
            raise UsageError(f"{where}: {part!r} in {text!r} is not of the form parameter=value")
        if parameter_name not in ranges:
            if not ranges:
                raise UsageError(f"{where}: {name} has no parameters, so {parameter_name!r} cannot be set")
            raise unknown(where, f"parameter of policy {name}", parameter_name, ranges)
        if parameter_name in given:
            raise UsageError(f"{where}: {parameter_name} is given twice in {text!r}")
        given.add(parameter_name)
        parameter = ranges[parameter_name]
        what = f"{where}: {name}, parameter {parameter_name}"
        values[parameter_name] = parse_integer(what, value, parameter.low, parameter.high)
    return PolicyChoice(policy, tuple(values.values()), own)


def _seats_text(seats: int) -> str:
    return f"0 to {seats - 1}" if seats > 1 else "0"
