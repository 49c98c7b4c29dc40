"""From words to a setup."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels import registry
from kernels.cards import rank_mask
from kernels.spec import Option, rate_threshold
from sim.errors import UsageError
from sim.games import Setup, find_game, make_setup, parse_policy
from sim.numbers import check_integer, check_rate, parse_fraction, parse_integer
from sim.rules import complete_options, default_options, option_text, parse_value
from tests.cli.conftest import tuned_policy


def again(setup: Setup) -> Setup:
    """The setup that the command line of a setup makes."""
    words = setup.arguments()
    given: dict[str, list[str]] = {}
    for option, value in zip(words[::2], words[1::2], strict=True):
        given.setdefault(option, []).append(value)
    return make_setup(
        setup.spec.name,
        seed=given["--seed"][0],
        policy_texts=given.get("--policy", []),
        rule_texts=given.get("--rule", []),
    )


def same(one: Setup, other: Setup) -> bool:
    return (one.options, one.policy_texts, one.seed) == (other.options, other.policy_texts, other.seed)


def test_nothing_said_means_the_rule_book_and_the_default_policy() -> None:
    setup = make_setup("canastra")
    assert setup.options == default_options(setup.spec)
    assert setup.options["lavadeira_ranks"] == ["4", "5", "K", "A"]
    assert setup.policy_texts == ["standard"] * 4
    assert setup.changed == {}
    assert (setup.seed, setup.seats, setup.sides) == (0, 4, 2)
    assert setup.command("run") == "carteador run canastra --seed 0"


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_the_command_of_any_setup_makes_it_again(game: str) -> None:
    spec = find_game(game)
    for option in spec.options:
        values: list[Any] = list(option.choices) if option.kind == "choice" else [option.default]
        if option.kind == "flag":
            values = [True, False]
        if option.kind == "ranks":
            values = [[], list(option.choices), list(option.choices[2:4])]
        if option.kind == "integer":
            values = [option.low, option.high]
        if option.kind == "scores":
            values = [list(option.default), [option.low, option.high]]
        for value in values:
            setup = make_setup(game, seed=2**64 - 1, rules={option.name: value})
            assert setup.options[option.name] == value
            assert same(again(setup), setup)
            assert parse_value(option, option_text(value)) == value
    for policy in spec.policies:
        for parameter in policy.parameters:
            for number in (parameter.low, parameter.high):
                setup = make_setup(game, policies={1: f"{policy.name}:{parameter.name}={number}"})
                assert same(again(setup), setup)


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_preset_is_allowed(game: str) -> None:
    spec = find_game(game)
    for name, values in spec.presets.items():
        assert same(make_setup(game, rules=name), make_setup(game, rules=values))


def test_options_reach_the_kernels_encoded() -> None:
    setup = make_setup("canastra", rules={"lavadeira_ranks": ["A", "4"], "stock_out": "end", "curinga_slides": False})
    encoded = setup.encoded_options
    assert encoded.shape == (1,)
    assert int(encoded["lavadeira_ranks"][0]) == rank_mask("4A")
    assert int(encoded["stock_out"][0]) == 1
    assert int(encoded["curinga_slides"][0]) == 0


def test_policies_reach_the_kernels_by_seat() -> None:
    policy, parameter = tuned_policy("canastra")
    setup = make_setup("canastra", policies={1: f"{policy.name}:{parameter.name}={parameter.high}", 3: "random"})
    numbers = {known.name: known.number for known in setup.spec.policies}
    expected = [numbers[name] for name in ("standard", policy.name, "standard", "random")]
    np.testing.assert_array_equal(setup.policy_numbers, expected)
    assert setup.parameters.shape == (4, setup.spec.max_parameters)
    row = [parameter.high, *(other.default for other in policy.parameters[1:])]
    assert setup.parameters[1, : len(row)].tolist() == row
    assert not setup.parameters[1, len(row) :].any()
    random = next(known for known in setup.spec.policies if known.name == "random")
    defaults = [parameter.default for parameter in random.parameters]
    assert setup.parameters[3].tolist() == defaults + [0] * (setup.spec.max_parameters - len(defaults))


def test_a_policys_text_holds_what_differs_from_the_default() -> None:
    spec = find_game("canastra")
    policy, parameter = tuned_policy("canastra")
    other = parameter.high if parameter.high != parameter.default else parameter.low
    assert parse_policy(spec, " novice ").text == "novice"
    assert parse_policy(spec, f"{policy.name}:{parameter.name}={parameter.default}").text == policy.name
    changed = f"{policy.name}:{parameter.name}={other}"
    assert parse_policy(spec, f"{policy.name}: {parameter.name} = {other}").text == changed


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ({"policies": ["random"] * 3}, "3 are given for 4 seats"),
        ({"policies": {4: "random"}}, "no seat 4"),
        ({"policies": {"0": "random"}}, "no seat '0'"),
        ({"policies": {True: "random"}}, "no seat True"),
        ({"policies": [1, 2, 3, 4]}, "1 is no text"),
        ({"rules": {"players": 4.0}}, "4.0 is not allowed"),
        ({"rules": {"players": True}}, "True is not allowed"),
        ({"rules": {"jokers": False}}, "False is not allowed"),
        ({"rules": {"lavadeira_ranks": 4}}, "4 is not allowed"),
        ({"rules": {"lavadeira_ranks": [4]}}, "is not allowed"),
        ({"rules": {"target": None}}, "no whole number"),
        ({"rules": {"target": True}}, "no whole number"),
        ({"rules": {3: 4}}, "called '3'"),
        ({"seed": 2**64}, "out of range"),
        ({"seed": -1}, "out of range"),
        ({"seed": 0.5}, "no whole number"),
        ({"seed": True}, "no whole number"),
    ],
)
def test_a_program_gets_the_same_errors(arguments: dict[str, Any], fragment: str) -> None:
    with pytest.raises(UsageError, match=fragment.replace("(", r"\(")):
        make_setup("canastra", **arguments)


def test_values_of_a_program_may_be_any_kind_of_collection() -> None:
    for ranks in ({"4", "A"}, ("A", "4"), "A4", "a,4"):
        assert make_setup("canastra", rules={"lavadeira_ranks": ranks}).options["lavadeira_ranks"] == ["4", "A"]
    assert make_setup("canastra", rules={"target": np.int64(500)}).options["target"] == 500


def test_rules_do_not_change_the_declaration() -> None:
    spec = find_game("canastra")
    complete_options(spec, "all_lavadeiras")["lavadeira_ranks"].clear()
    assert complete_options(spec, "all_lavadeiras")["lavadeira_ranks"] == list("456789TJQKA")


@given(st.integers(0, 2**64 - 1))
def test_every_whole_number_is_read_as_written(number: int) -> None:
    for text in (str(number), f"{number:_}", f"{number}.0", f"{number}e0", f"  {number} "):
        assert parse_integer("n", text, 0, 2**64 - 1) == number
    assert check_integer("n", number, 0, 2**64 - 1) == number


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_a_usage_error(text: str) -> None:
    try:
        number = parse_integer("n", text, 0, 10**9)
    except UsageError:
        return
    assert 0 <= number <= 10**9


@given(st.text(max_size=8))
def test_any_text_is_a_level_or_a_usage_error(text: str) -> None:
    try:
        level = parse_fraction("n", text)
    except UsageError:
        return
    assert 0 < level < 1


@given(st.text(max_size=20))
def test_any_text_is_a_policy_or_a_usage_error(text: str) -> None:
    spec = find_game("canastra")
    try:
        choice = parse_policy(spec, text)
    except UsageError:
        return
    assert parse_policy(spec, choice.text) == choice


RATE = Option("slip_rate", "rate", 0.0, "How often somebody slips.", "X-01")


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("10%", 0.1), ("1e-3", 0.001), ("100%", 1.0)]
)
def test_a_rate_is_a_probability(text: str, value: float) -> None:
    assert parse_value(RATE, text) == value
    assert option_text(value) == str(value)


@pytest.mark.parametrize("text", ["", "-0.1", "1.01", "101%", "nan", "inf", "one", "0,5", "1/3"])
def test_what_is_no_probability_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="a probability from 0 to 1"):
        parse_value(RATE, text)


@pytest.mark.parametrize("value", [True, None, [0.5], -0.5, 2, float("nan")])
def test_a_program_that_passes_no_probability_is_told_so(value: object) -> None:
    with pytest.raises(UsageError, match="a probability from 0 to 1"):
        check_rate("slip_rate", value)


@pytest.mark.parametrize(("rate", "threshold"), [(0.0, 0), (1.0, 2**32), (0.5, 2**31), (1e-12, 0)])
def test_a_rate_is_a_threshold_to_the_kernels(rate: float, threshold: int) -> None:
    assert rate_threshold(rate) == threshold


def test_options_that_cannot_go_together_are_refused_by_name() -> None:
    def conflict(values: Mapping[str, Any]) -> tuple[str, str] | None:
        return ("jokers", "0 or 2 with two players") if (values["players"], values["jokers"]) == (2, 4) else None

    spec = dataclasses.replace(registry.spec("canastra"), conflict=conflict)
    assert complete_options(spec, rule_texts=["jokers=4"])["jokers"] == 4
    with pytest.raises(UsageError, match=r"--rule jokers: '4' is not allowed; allowed is 0 or 2 with two players"):
        complete_options(spec, rule_texts=["jokers=4", "players=2"])
    with pytest.raises(UsageError, match=r"rules, jokers: '4' is not allowed"):
        complete_options(spec, {"jokers": 4, "players": 2})
