"""Positions that people type in: what a player knows, field by field (`kernels.positions`)."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import msgspec

from kernels import positions as declared
from kernels import registry
from kernels.cards import JOKER, RANKS, card_text, card_texts
from kernels.positions import PositionField, WrongPositionError
from sim.errors import UsageError, unknown
from sim.games import Setup
from sim.names import Names
from sim.numbers import check_integer
from sim.paths import read_given, read_path
from sim.placing import read_cards
from sim.positions import Position, words
from sim.rules import FALSE_WORDS, LARGEST_FILE, TRUE_WORDS
from sim.specialise import questions

ALLOWED_FILE = "a TOML or JSON file with the fields of a position"
BETWEEN_ENTRIES = "|"
BETWEEN_MELDS = "/"
HAND = "hand"


def fields(game: str) -> tuple[PositionField, ...]:
    """What can be typed in of a position of a game; nothing where the game does not say."""
    if find_spec(f"{registry.GAMES[game]}.position") is None:
        return ()
    found: tuple[PositionField, ...] = registry.module(game, "position").FIELDS
    return found


@dataclass(frozen=True)
class Typed:
    """A position that was typed in.

    Attributes
    ----------
    texts
        What was said of it, as ``name=value`` for the command line.
    """

    position: Position
    texts: tuple[str, ...]


def typed_position(
    setup: Setup,
    hand: str | Sequence[str] | None,
    position: str | os.PathLike[str] | Mapping[str, Any] | None,
    texts: Sequence[str],
    names: Names,
) -> Typed:
    """Put together what a player knows.

    Parameters
    ----------
    hand
        The cards of the field ``hand``; wins over `position`.
    position
        A file, or the fields by name.
    texts
        Further fields as ``name=value``, which win over the file.
    names
        What errors call `hand`, `position` and ``know``.

    Raises
    ------
    UsageError
        If a field is wrong, or they do not go together.
    """
    game = setup.spec.name
    known_fields = {field.name: field for field in fields(game)}
    if not known_fields:
        raise UsageError(f"game: no position of {game} can be typed in yet; give a deal and a turn of it instead")
    reader = _Reader(setup)
    given: dict[str, Any] = {}
    where: dict[str, str] = {}
    for name, value in _mapping(position, names("position")).items():
        _check_name(game, name, known_fields, names("position"))
        where[name] = f"{names('position')}, {name}"
        given[name] = reader.value(known_fields[name], value, where[name])
    for name, text in _pairs(texts, known_fields, game, names("know")):
        where[name] = f"{names('know')} {name}"
        given[name] = reader.text(known_fields[name], text, where[name])
    if hand is not None:
        if any(text.partition("=")[0].strip() == HAND for text in texts):
            raise UsageError(f"{names('hand')} and {names('know')} {HAND} cannot stand together; give one of them")
        where[HAND] = names("hand")
        given[HAND] = reader.value(known_fields[HAND], hand, where[HAND])
    position_asked = _built(setup, known_fields, given, where, names)
    return Typed(position_asked, tuple(f"{name}={field_text(value)}" for name, value in given.items()))


def field_text(value: Any) -> str:
    """Return a checked value as the command line takes it.

    Examples
    --------
    >>> field_text([(45, 61), ()])
    'KH KS |'
    >>> field_text([((4, 5, 6), (20, 36, 52)), ()])
    '4C 5C 6C / 4D 4H 4S |'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, frozenset):
        return "".join(sorted(value, key=RANKS.index))
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return f" {BETWEEN_MELDS} ".join(map(field_text, value))
    if isinstance(value, tuple):
        return " ".join(card_texts(value))
    if isinstance(value, list):
        return f" {BETWEEN_ENTRIES} ".join(map(field_text, value)).strip()
    return str(value)


def _built(
    setup: Setup,
    known_fields: Mapping[str, PositionField],
    given: Mapping[str, Any],
    where: Mapping[str, str],
    names: Names,
) -> Position:
    game = setup.spec.name
    known = {name: given.get(name, field.default) for name, field in known_fields.items()}
    for name, value in known.items():
        if value == declared.REQUIRED:
            what = names("hand") if name == HAND else f"{names('know')} {name}=..."
            raise UsageError(f"{what}: this is needed. {known_fields[name].help}")
    _check_pack(setup, known_fields, given, where)
    try:
        built = registry.module(game, "position").build(known, setup.options)
    except WrongPositionError as error:
        place = where.get(error.field, f"{names('know')} {error.field}")
        raise UsageError(f"{place}: {error}") from None
    question = next(question for question in questions(game) if question.name == built.question)
    return Position(setup, question, built.seat, built.table, words(built.given))


def _mapping(position: str | os.PathLike[str] | Mapping[str, Any] | None, where: str) -> Mapping[str, Any]:
    """Fields from a file or a program."""
    if position is None or isinstance(position, Mapping):
        return position or {}
    path = read_path(where, position, ALLOWED_FILE)
    try:
        content = read_given(path, LARGEST_FILE)
    except OSError as error:
        raise UsageError(f"{where}: {str(path)!r} cannot be read: {error.strerror or error}") from None
    try:
        text = content.decode("utf-8-sig")
        found = msgspec.json.decode(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = str(error).splitlines()[0] if str(error) else "it cannot be read"
        raise UsageError(f"{where}: {str(path)!r} is no {path.suffix.upper().lstrip('.') or 'TOML'}: {said}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{where}: {str(path)!r} holds no fields by name; allowed is {ALLOWED_FILE}")
    return found


def _pairs(
    texts: Sequence[str], known_fields: Mapping[str, PositionField], game: str, where: str
) -> list[tuple[str, str]]:
    """Read fields as ``name=value``."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (piece.strip() for piece in text.partition("="))
        if not equals or not name:
            raise UsageError(f"{where}: {text!r} is not of the form name=value, as {where} table='KH 5D'")
        _check_name(game, name, known_fields, where)
        if name in found:
            raise UsageError(f"{where}: {name} is given twice, as {found[name]!r} and as {value!r}")
        found[name] = value
    return list(found.items())


def _check_name(game: str, name: str, known_fields: Mapping[str, PositionField], where: str) -> None:
    if name not in known_fields:
        raise unknown(where, f"field of a position of {game}", name, known_fields)


class _Reader:
    """Values of fields at one table."""

    def __init__(self, setup: Setup) -> None:
        self.seats = setup.seats
        self.sides = setup.sides

    def text(self, field: PositionField, text: str, where: str) -> Any:
        """Read what stands on the command line."""
        kind = field.kind
        if kind.endswith((" by seat", " by side")):
            parted = text.split(BETWEEN_ENTRIES)
            if kind.startswith("numbers") and BETWEEN_ENTRIES not in text:
                parted = text.replace(",", " ").split()
            return self.value(field, [part.strip() for part in parted], where)
        return self.value(field, text, where)

    def value(self, field: PositionField, value: Any, where: str) -> Any:
        """Check a value of a file or a program, or a text."""
        kind = field.kind
        for ending, count, what in ((" by seat", self.seats, "seat"), (" by side", self.sides, "side")):
            if kind.endswith(ending):
                return self._each(field, value, count, what, where)
        return self._one(field, kind, value, where)

    def _each(self, field: PositionField, value: Any, count: int, what: str, where: str) -> list[Any]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise UsageError(f"{where}: {value!r} is not allowed; allowed is a list with an entry for each {what}")
        if len(value) != count:
            entries = f" (in a text, {BETWEEN_ENTRIES!r} stands between them)" if len(value) == 1 else ""
            found = "there is 1 entry" if len(value) == 1 else f"there are {len(value)} entries"
            raise UsageError(f"{where}: {found} for {count} {what}s{entries}")
        kind = field.kind.removesuffix(f" by {what}")
        return [self._one(field, kind, one, where) for one in value]

    def _one(self, field: PositionField, kind: str, value: Any, where: str) -> Any:
        read: Mapping[str, Callable[[PositionField, Any, str], Any]] = {
            "cards": _cards,
            "some cards": _cards,
            "melds": _melds,
            "card": _card,
            "ranks": _ranks,
            "number": _number,
            "numbers": _number,
            "seat": self._seat,
            "flag": _flag,
            "choice": _choice,
        }
        return read[kind](field, value, where)

    def _seat(self, _field: PositionField, value: Any, where: str) -> int:
        return check_integer(where, value, 0, self.seats - 1)


def _cards(_field: PositionField, value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, str) and not (
        isinstance(value, Sequence) and all(isinstance(card, str) for card in value)
    ):
        raise UsageError(
            f'{where}: {value!r} is not allowed; allowed are cards, as "7D KS 10H" or a list of such texts'
        )
    return read_cards(where, value)


def _melds(field: PositionField, value: Any, where: str) -> tuple[tuple[int, ...], ...]:
    """Melds as they lie: in a text with a stroke between them, otherwise a list of them."""
    if isinstance(value, str):
        value = [meld for meld in value.split(BETWEEN_MELDS) if meld.strip()]
    if not isinstance(value, Sequence):
        raise UsageError(
            f'{where}: {value!r} is not allowed; allowed are melds, as "6S 7S 8S {BETWEEN_MELDS} 4C 4D 4H" or a list'
        )
    return tuple(_cards(field, meld, where) for meld in value)


def _card(field: PositionField, value: Any, where: str) -> tuple[int, ...]:
    cards = _cards(field, value, where)
    if len(cards) != 1:
        raise UsageError(f"{where}: {value!r} is not allowed; allowed is one card, as 7D")
    return cards


def _ranks(_field: PositionField, value: Any, where: str) -> frozenset[str]:
    text = value if isinstance(value, str) else "".join(map(str, value)) if isinstance(value, Sequence) else None
    if text is None:
        raise UsageError(f"{where}: {value!r} is not allowed; allowed are ranks, as 27K")
    found = text.upper().replace("10", "T").replace(",", " ").split()
    ranks = frozenset("".join(found))
    if not ranks <= set(RANKS):
        raise UsageError(f"{where}: {text!r} is not allowed; allowed are ranks of {RANKS}, as 27K")
    return ranks


def _number(field: PositionField, value: Any, where: str) -> int:
    return check_integer(where, value, field.low, field.high)


def _flag(_field: PositionField, value: Any, where: str) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in (*TRUE_WORDS, *FALSE_WORDS):
        raise UsageError(f"{where}: {value!r} is not allowed; allowed is true or false")
    return text in TRUE_WORDS


def _choice(field: PositionField, value: Any, where: str) -> str:
    if value not in field.choices:
        raise UsageError(f"{where}: {value!r} is not allowed; allowed is {' or '.join(field.choices)}")
    return str(value)


def _check_pack(
    setup: Setup, known_fields: Mapping[str, PositionField], given: Mapping[str, Any], where: Mapping[str, str]
) -> None:
    """No card is in more places than the pack has of it."""
    assert setup.spec.pack is not None
    pack = Counter(_face(card) for card in setup.spec.pack(setup.options).tolist())
    seen: Counter[int] = Counter()
    for name, value in given.items():
        if known_fields[name].kind not in declared.PLACES:
            continue
        for card in map(_face, _flat(value)):
            seen[card] += 1
            if seen[card] > pack[card]:
                text, title = card_text(card), setup.spec.name
                if not pack[card]:
                    raise UsageError(f"{where[name]}: {text} is not in the pack of {title}")
                times = "once" if pack[card] == 1 else f"{pack[card]} times"
                raise UsageError(f"{where[name]}: {text} is given too often; the pack of {title} has it {times}")


def _flat(value: Any) -> list[int]:
    """Cards of a field, wherever they lie."""
    return [value] if isinstance(value, int) else [card for part in value for card in _flat(part)]


def _face(card: int) -> int:
    """Return a card, every joker as the same."""
    return JOKER if card & 15 == JOKER else card
