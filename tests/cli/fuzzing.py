"""Random command lines and files: what people might type or be sent, right, nearly right, and wrong.

Whatever is right in them is small: a few deals, so that ten thousand of them can be played.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from kernels import registry
from kernels.spec import GameSpec

PARTS = [f"{table}-0000{index}.parquet" for index in range(3) for table in ("deals", "sides")]
"""Parts of the runs `run-a` and `run-b` that lie in the folder of every command."""

RUNS = ("run-a", "run-b")

# No way out of the folder: what is tried there might succeed.
JUNK = st.text(st.characters(exclude_characters="/~", exclude_categories=["Cs"]), max_size=12).filter(
    lambda text: ".." not in text
)
NUMBERS = st.one_of(
    st.sampled_from(["1", "2", "3"]),
    st.sampled_from(["0", "1", "2", "3", "+2", "0_1", "1e0", "2.0", "20e-1", " 2 ", "007"]),
    st.sampled_from(["-1", "1.5", "1e99", "nan", "inf", "", "x", "1__0", "٣", "0x10", "1e-3", "9" * 40, "2e0 deals"]),
)
LARGE = st.one_of(NUMBERS, st.sampled_from(["18446744073709551615", "18446744073709551616", "9223372036854775807"]))
PATHS = st.sampled_from(
    [
        "new",
        "a/b/c",
        "run-a",
        "run-b",
        "rules.toml",
        "file.txt",
        ".",
        "",
        "new.json",
        "new.csv",
        "new.xlsx",
        "nowhere.toml",
    ]
)
LONG = st.just("n" * 300)
HANDS = st.one_of(
    st.lists(st.sampled_from(["KS", "KD", "7H", "10H", "TD", "AC", "4C", "JK", "2S"]), max_size=5).map(" ".join),
    st.sampled_from(["KS,KD", "KSKD", "1S", "KX", "ks", "", "KS KS KS KS KS", "♠", "JK JK JK JK JK JK"]),
    JUNK,
)


@dataclass
class Case:
    """A command and what lies in its folder.

    Attributes
    ----------
    words
        Of the command.
    rules
        Content of ``rules.toml``.
    harm
        What is done to ``run-a``: a file of it and its new content, made of the old one.
    """

    words: list[str]
    rules: bytes = b""
    harm: tuple[str, Callable[[bytes], bytes]] | None = field(default=None)

    def __repr__(self) -> str:
        harmed = "" if self.harm is None else f", {self.harm[0]} harmed"
        return f"Case({self.words!r}, rules={self.rules!r}{harmed})"


@st.composite
def policies(draw: st.DrawFn, spec: GameSpec) -> str:
    """A policy's text."""
    policy = draw(st.sampled_from(spec.policies))
    text = policy.name
    is_tuned = draw(st.booleans())
    if is_tuned and policy.parameters:
        parameter = draw(st.sampled_from(policy.parameters))
        value = draw(st.one_of(st.integers(parameter.low - 1, parameter.high + 1).map(str), NUMBERS))
        text += f":{parameter.name}={value}"
    if draw(st.integers(0, 2)):
        return draw(st.sampled_from(["", "", "0=", "1="])) + text
    return draw(st.sampled_from(["9=", "x=", "=", ""])) + draw(
        st.sampled_from([text, f"{text}:", f"{text},", text[1:]])
    )


@st.composite
def rules(draw: st.DrawFn, spec: GameSpec) -> str:
    """A house rule as ``name=value``."""
    option = draw(st.sampled_from(spec.options))
    choices = [str(choice) for choice in option.choices] or [str(option.default)]
    if option.kind == "flag":
        choices = ["true", "false"]
    if draw(st.integers(0, 2)):
        return f"{option.name}={draw(st.sampled_from(choices))}"
    values = st.one_of(st.sampled_from([*choices, "true", "none", "45KA", "0:0", "50:300"]), NUMBERS, JUNK)
    name = draw(st.one_of(st.just(option.name), st.just(option.name), st.just(option.name[:-1]), JUNK))
    return name + draw(st.sampled_from(["=", "=", "=", "", "==", " = "])) + draw(values)


def options(spec: GameSpec) -> dict[str, st.SearchStrategy[str] | None]:
    """Values of every option of every command; None for a flag."""
    policy, rule = policies(spec), rules(spec)
    presets = st.sampled_from([*spec.presets, "rules.toml", "rules.toml", "nowhere.toml", "strct"])
    swept = st.tuples(rule, st.sampled_from(["", ",2", ",4", "..3", "..9:2"])).map("".join)
    tuned = st.tuples(policy, st.sampled_from(["", ",2", "..3", "=1..3", "..x"])).map("".join)
    parameters = [parameter for policy in spec.policies for parameter in policy.parameters]
    sought = st.tuples(
        st.sampled_from([parameter.name for parameter in parameters]),
        st.sampled_from(["", "", "=0..1", "=3..x", "=5.."]),
    ).map("".join)
    statistics = ["turns", "score", "win_rate", "win_rate@side:0", "score:sd", "turns:p50", "trns", "score@x", "@", ""]
    return {
        "--deals": NUMBERS,
        "--matches": NUMBERS,
        "--seed": LARGE,
        "--first": LARGE,
        "--policy": policy,
        "--rule": st.one_of(rule, swept),
        "--rules": presets,
        "--threads": NUMBERS,
        "--out": st.one_of(PATHS, LONG),
        "--resume": st.one_of(PATHS, LONG, st.none().map(lambda _: "")),
        "--until": st.tuples(st.sampled_from(statistics), st.sampled_from(["=0.4", "=40%", "=9", "=x", "", "=-1"])).map(
            "".join
        ),
        "--format": st.sampled_from(["table", "json", "csv", "text", "jsonl", "jsn", ""]),
        "--confidence": st.sampled_from(["0.9", "99%", "1", "0", "x", "", "95"]),
        "--cluster": st.sampled_from(
            ["local:0", "local:x", "local", "here", "", "tcp://", "http://a:1", "a:99999", "new.json"]
        ),
        "--quiet": None,
        "--json": None,
        "--all": None,
        "--sample": NUMBERS,
        "--deal": LARGE,
        "--match": NUMBERS,
        "--hand": st.one_of(NUMBERS, HANDS),
        "--seat": NUMBERS,
        "--top-card": HANDS,
        "--score": st.sampled_from(["0:0", "0:1600", "1:2:3", "x", ":", "", "-5:9"]),
        "--count": NUMBERS,
        "--a": policy,
        "--b": policy,
        "--a-rule": rule,
        "--b-rule": rule,
        "--stat": st.sampled_from(statistics),
        "--param": tuned,
        "--against": policy,
        "--parameter": st.one_of(tuned, sought),
        "--fresh": NUMBERS,
        "--generations": NUMBERS,
        "--population": st.one_of(NUMBERS, st.sampled_from(["4", "6"])),
        "--budget": st.one_of(NUMBERS, st.sampled_from(["1000", "1e4"])),
        "--best": st.sampled_from(["score=highest", "turns=lowest", "turns=30", "turns", "x=highest", "turns=high"]),
        "--version": None,
        "--help": None,
        "--nonsense": JUNK,
    }


OF_COMMAND = {
    "games": ["--json", "--help"],
    "run": [
        *("--deals", "--matches", "--seed", "--first", "--policy", "--rule", "--rules", "--threads", "--out"),
        *("--resume", "--until", "--format", "--confidence", "--cluster", "--quiet"),
    ],
    "show": [
        *("--seed", "--policy", "--rule", "--rules", "--deal", "--match", "--hand", "--count", "--format", "--quiet"),
    ],
    "compare": [
        *("--a", "--b", "--deals", "--seed", "--first", "--rule", "--a-rule", "--b-rule", "--rules", "--stat"),
        *("--threads", "--out", "--format", "--confidence", "--quiet"),
    ],
    "tournament": ["--policy", "--deals", "--seed", "--first", "--rule", "--rules", "--threads", "--out", "--format"],
    "odds": [
        "--hand",
        "--seat",
        "--top-card",
        "--score",
        "--deals",
        "--seed",
        "--policy",
        "--rule",
        "--out",
        "--format",
    ],
    "report": ["--format", "--confidence", "--quiet"],
    "sweep": [
        *("--rule", "--param", "--policy", "--against", "--stat", "--best", "--deals", "--seed", "--rules", "--out"),
        *("--format", "--confidence", "--quiet"),
    ],
    "tune": [
        *("--parameter", "--policy", "--against", "--population", "--budget", "--seed", "--rule", "--rules", "--out"),
        *("--threads", "--format", "--confidence", "--quiet"),
    ],
    "merge": ["--threads", "--format", "--confidence", "--quiet"],
    "verify": ["--sample", "--all", "--threads", "--quiet"],
    "bench": ["--nonsense"],
}
FOLDERS = ("merge", "verify", "report")
"""Commands whose arguments are folders of runs."""


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Words of a command: mostly a command with options of its own, each of them right or wrong."""
    game = draw(st.sampled_from(list(registry.GAMES)))
    known = options(registry.spec(game))
    command = draw(st.sampled_from([*OF_COMMAND, *("run", "compare", "sweep", "tournament", "show") * 3, *FOLDERS * 2]))
    words = [command]
    if command == "merge":
        words += draw(st.sampled_from([[*RUNS], [*RUNS], [*reversed(RUNS)], [RUNS[0]], [*RUNS, "nowhere"], ["."], []]))
        words += ["--out", draw(PATHS)] if draw(st.integers(0, 5)) else []
    elif command in ("verify", "report"):
        words += draw(st.sampled_from([[RUNS[0]], [RUNS[0]], [RUNS[1]], ["."], ["file.txt"], ["new"], [*RUNS], []]))
    else:
        words += draw(st.sampled_from([*[[game]] * 12, [], [game[:-1]], [game, game]]))
        needed = _needed(command, registry.spec(game))
        words += needed if command == "tune" else draw(st.sampled_from([[], needed]))
    for name in draw(st.lists(st.sampled_from(OF_COMMAND[command]), max_size=5, unique=True)):
        for _ in range(draw(st.sampled_from([1] * 30 + [2]))):
            words += draw(_with_value(name, known[name]))
    if command in ("compare", "tournament", "sweep", "run", "show") and draw(st.integers(0, 3)):
        words += ["--quiet"] if "--quiet" not in words else []
    return draw(_disturbed(words, known))


def _needed(command: str, spec: GameSpec) -> list[str]:
    """Words without which a command has nothing to do."""
    if command == "compare":
        return ["--b", spec.policies[0].name]
    if command == "sweep":
        option = next((option for option in spec.options if len(option.choices) > 1), None)
        return [] if option is None else ["--rule", f"{option.name}={','.join(map(str, option.choices))}"]
    if command == "odds":
        return ["--hand", "KS KD"]
    if command == "tune":
        # Always, since a search of the usual length takes minutes.
        return ["--deals", "2", "--fresh", "3", "--generations", "1"]
    return []


@st.composite
def _with_value(draw: st.DrawFn, name: str, values: st.SearchStrategy[str] | None) -> list[str]:
    if values is None:
        return [name]
    value = draw(values)
    if name == "--resume" and not value:
        return [name]
    return draw(st.sampled_from([[name, value], [name, value], [name, value], [f"{name}={value}"]]))


@st.composite
def _disturbed(draw: st.DrawFn, words: list[str], known: dict[str, Any]) -> list[str]:
    """Words with, now and then, one of them lost, doubled, misspelt, or strange."""
    kind = draw(st.sampled_from([*[""] * 20, "lose", "double", "misspell", "strange", "foreign"]))
    at = draw(st.integers(0, len(words) - 1))
    if kind == "lose":
        return words[:at] + words[at + 1 :]
    if kind == "double":
        return [*words[: at + 1], *words[at:]]
    if kind == "misspell" and words[at] and words[at] not in ("0", "1", "2", "3"):
        letter = draw(st.integers(0, len(words[at]) - 1))
        return [*words[:at], words[at][:letter] + words[at][letter + 1 :], *words[at + 1 :]]
    if kind == "strange":
        return [*words[:at], draw(JUNK), *words[at:]]
    if kind == "foreign":
        return [*words, draw(st.sampled_from(sorted(known)))]
    return words


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-1, 3), st.integers(), st.floats(allow_nan=False), JUNK),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(JUNK, inner, max_size=2)),
    max_leaves=4,
)


@st.composite
def rules_files(draw: st.DrawFn) -> bytes:
    """A file of house rules: TOML of a game's options, or something else."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.binary(max_size=40))
    spec = registry.spec(draw(st.sampled_from(list(registry.GAMES))))
    lines = []
    for option in draw(st.lists(st.sampled_from(spec.options), max_size=3)):
        right = option.choices[0] if option.choices else option.default
        value = draw(st.one_of(st.just(right), st.just(right), JSON))
        lines.append(f"{option.name} = {json.dumps(value)}")
    if draw(st.booleans()):
        lines.append(f"game = {json.dumps(draw(st.sampled_from([spec.name, 'truco', 3])))}")
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + "\n".join(lines).encode("utf-8", "replace")


@st.composite
def harms(draw: st.DrawFn) -> tuple[str, Callable[[bytes], bytes]]:
    """A file of a run and what becomes of it: bytes altered, cut off or put in; of a manifest also values replaced."""
    name = draw(st.sampled_from(["manifest.json", "manifest.json", "manifest.json", *PARTS]))
    kinds = ["flip", "cut", "insert", "replace"] + ["value"] * 8 * (name == "manifest.json")
    kind, where, more = (
        draw(st.sampled_from(kinds)),
        draw(st.floats(0, 1, exclude_max=True)),
        draw(st.binary(max_size=9)),
    )
    if kind == "value":
        path, value = draw(st.lists(st.integers(0, 11), min_size=1, max_size=5)), draw(JSON)
        return name, lambda content: _with_other_value(content, path, value)

    def change(content: bytes) -> bytes:
        at = int(where * len(content))
        if kind == "flip":
            return (
                content[:at] + bytes([content[at] ^ (more[0] if more else 1)]) + content[at + 1 :] if content else b""
            )
        if kind == "cut":
            return content[:at]
        return content[:at] + more + content[at:] if kind == "insert" else more

    return name, change


def _with_other_value(content: bytes, path: list[int], value: Any) -> bytes:
    """Replace a value deep in a JSON document, found by numbers that say which entry to follow."""
    document = json.loads(content)
    inner: Any = document
    for number in path[:-1]:
        key = _key(inner, number)
        if key is None or not isinstance(inner[key], dict | list) or not inner[key]:
            break
        inner = inner[key]
    key = _key(inner, path[-1])
    if key is not None:
        inner[key] = value
    return json.dumps(document).encode("utf-8", "surrogatepass")


def _key(inner: Any, number: int) -> Any:
    keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
    return keys[number % len(keys)] if keys else None


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A command and its folder."""
    harm = draw(st.one_of(st.none(), harms()))
    if harm is not None and draw(st.booleans()):
        # A command that reads what was harmed.
        words = draw(
            st.sampled_from(
                [
                    ["run", "--resume", "run-a"],
                    ["run", "--resume", "run-a", "--quiet", "--format", "json"],
                    ["verify", "run-a"],
                    ["verify", "run-a", "--all"],
                    ["report", "run-a"],
                    ["merge", "run-a", "run-b", "--out", "new"],
                    ["run", "canastra", "--deals", "12", "--out", "run-a"],
                    ["run", "canastra", "--deals", "12", "--out", "run-a", "--resume"],
                ]
            )
        )
    else:
        words = draw(command_lines())
    return Case(words, draw(rules_files()), harm)
