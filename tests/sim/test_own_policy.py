"""Policy files: compiled into the game's own loops, given what they name, and free to change it nowhere."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import sim
from kernels import registry
from sim import batch
from sim.errors import UsageError
from sim.games import Setup, find_game, make_setup, parse_policy
from sim.own.source import questions_of, split_policy
from sim.specialise import made
from tests.sim.own_files import ARRAYS, MOODY, PLAIN, written

DEALS = 400


def rows(setup: Setup, deals: int = DEALS) -> batch.Records:
    return batch.play(setup, batch.deal_jobs(setup, 0, deals))


def assert_same(one: batch.Records, other: batch.Records, but: tuple[str, ...] = ()) -> None:
    for name in set(one.dtype.names or ()) - set(but):
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.fixture
def plain(tmp_path: Path) -> str:
    return written(tmp_path, "plain.py", PLAIN)


def test_what_the_base_answers_is_what_the_base_plays(plain: str) -> None:
    assert_same(rows(make_setup("escopa", policies=plain)), rows(make_setup("escopa")))


def test_a_file_plays_at_its_seat_alone(plain: str) -> None:
    mixed = rows(make_setup("escopa", policies=[f"{plain}:lowest=1", "standard"]))
    assert mixed["score"][:, 1].sum() > mixed["score"][:, 0].sum()
    assert_same(rows(make_setup("escopa", policies=[plain, "standard"])), rows(make_setup("escopa")))


def test_parameters_of_the_file_and_of_its_base_are_set_by_name(plain: str) -> None:
    setup = make_setup("escopa", policies=f"{plain}:card=100,diamond=0,seven=0,guindis=0,left=0,swept=0")
    assert_same(rows(setup), rows(make_setup("escopa", policies="novice")))
    names = [parameter.name for parameter in setup.policies[0].policy.parameters]
    assert names == [*(one.name for one in registry.spec("escopa").policies[2].parameters), "lowest"]
    assert setup.policies[0].text.startswith(f"{plain}:card=100,")


def test_a_file_says_its_base_with_parameters(tmp_path: Path) -> None:
    text = PLAIN.replace('GAME = "escopa"', 'GAME = "escopa"\nBASE = "standard:swept=0,left=10"')
    own = make_setup("escopa", policies=written(tmp_path, "based.py", text))
    assert_same(rows(own), rows(make_setup("escopa", policies="standard:swept=0,left=10")))
    # The default of a base's parameter is what the file says, so naming it says nothing new.
    assert parse_policy(own.spec, f"{own.policies[0].text}:swept=0").text == own.policies[0].text


def test_two_files_at_one_table_and_two_of_one_name(tmp_path: Path, plain: str) -> None:
    other = written(tmp_path / "elsewhere", "plain.py", PLAIN.replace("lowest == 1", "lowest == 0"))
    table = make_setup("escopa", policies=[plain, other])
    assert [Path(own.name).name for own in table.own_policies] == ["plain.py", "plain.py"]
    expected = rows(make_setup("escopa", policies=["standard", f"{plain}:lowest=1"]))
    assert_same(rows(table), expected)


def test_the_same_content_in_two_places_is_compiled_once(tmp_path: Path, plain: str) -> None:
    copy = make_setup("escopa", policies=written(tmp_path / "copy", "another_name.py", PLAIN))
    own = make_setup("escopa", policies=plain)
    assert made("escopa", copy.parts).key == made("escopa", own.parts).key


def test_an_edited_file_is_new_code(tmp_path: Path, plain: str) -> None:
    before = make_setup("escopa", policies=plain)
    assert_same(rows(before), rows(make_setup("escopa")))
    Path(plain).write_text(PLAIN.replace("lowest == 1", "lowest == 0"))
    after = make_setup("escopa", policies=plain)
    assert after.policies[0].own != before.policies[0].own
    differing = rows(after)
    assert (differing["score"] != rows(before)["score"]).any()
    assert_same(differing, rows(make_setup("escopa", policies=written(tmp_path, "mine.py", PLAIN) + ":lowest=1")))


def test_threads_and_chunks_change_no_row(plain: str) -> None:
    setup = make_setup("escopa", policies=f"{plain}:lowest=1")
    one = batch.play_deals(setup, 0, DEALS, threads=1, chunk_size=DEALS)
    other = batch.play_deals(setup, 0, DEALS, threads=2, chunk_size=17)
    assert_same(one, other)


def test_chance_comes_from_a_stream_of_its_own(tmp_path: Path) -> None:
    """Draws are the same whatever was played before, and take nothing from who else draws."""
    moody = written(tmp_path, "moody.py", MOODY)
    quiet, drawing = (rows(make_setup("escopa", policies=[f"{moody}:mood={mood}", "random"])) for mood in (0, 8))
    assert_same(quiet, drawing)
    setup = make_setup("escopa", policies=f"{moody}:mood=8")
    whole = rows(setup)
    alone = batch.play(setup, batch.deal_jobs(setup, DEALS - 1, 1))
    assert_same(whole[-1:], alone)


def test_code_that_makes_arrays_is_compiled_otherwise(tmp_path: Path, plain: str) -> None:
    setup = make_setup("escopa", policies=written(tmp_path, "arrays.py", ARRAYS))
    assert setup.parts[0].allocates
    assert not make_setup("escopa", policies=plain).parts[0].allocates
    assert_same(rows(setup), rows(make_setup("escopa")))


def test_functions_that_are_decorated_already_are_fine(tmp_path: Path) -> None:
    text = PLAIN.replace("def leaves", "@njit(fastmath=True)\ndef leaves").replace(
        "def choose_play", "@jit(nopython=True, parallel=True)\ndef choose_play"
    )
    text = text.replace("from kernels", "from numba import jit, njit\nfrom kernels", 1)
    own = make_setup("escopa", policies=written(tmp_path, "decorated.py", text)).policies[0].own
    assert own is not None
    assert make_setup("escopa", policies=str(own.path)).parts[0].number == own.number


def test_programs_name_files_as_commands_do(plain: str) -> None:
    run = sim.simulate("escopa", deals=200, policies={0: f"{plain}:lowest=1"})
    assert set(run.sides["policy"].unique()) == {f"{plain}:lowest=1", "standard"}
    found = sim.compare("escopa", f"{plain}:lowest=1", "standard", deals=200)
    assert found.document()["differences"][0]["difference"] < 0
    assert found.tables[0].policy_texts[0] == f"{plain}:lowest=1"


def test_tables_of_one_work_share_a_play_module(plain: str) -> None:
    from sim.common_deals import together

    texts = (plain, f"{plain}:lowest=1", "novice")
    setups = [make_setup("escopa", policies=[one, other]) for one in texts for other in texts]
    keys = {made("escopa", setup.parts).key for setup in together(setups) if setup.parts}
    assert len(keys) == 1
    assert [setup.parts for setup in together(setups)][-1] == ()


@pytest.mark.parametrize("game", registry.GAMES)
def test_what_a_game_tells_of_its_questions_is_what_it_asks(game: str) -> None:
    asked, told = questions_of(game), registry.module(game, "questions")
    assert list(asked) == [question.name for question in told.QUESTIONS]
    arguments = {argument.name for argument in told.ARGUMENTS}
    for question in told.QUESTIONS:
        kinds = asked[question.name].kinds
        assert len(question.answer) == len(kinds)
        for value, kind in zip(question.answer, kinds, strict=True):
            assert (value.kind in ("cards", "rank counts", "rank bits")) == (kind == "word"), (question.name, value)
            assert (value.kind == "yes or no") == (kind == "yes")
        assert set(asked[question.name].given) - {"stream", "base"} <= arguments


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_file_can_answer_every_question_of_every_game(tmp_path: Path, game: str) -> None:
    """Each function is given everything, and compiles for itself."""
    setup = make_setup(game, policies=written(tmp_path, "every.py", every_question(game)))
    assert [part.number for part in setup.parts] == [setup.policies[0].policy.number]


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.GAMES)
def test_answering_every_question_as_the_base_does_is_playing_it(tmp_path: Path, game: str) -> None:
    own = make_setup(game, policies=written(tmp_path, "every.py", every_question(game)))
    assert_same(rows(own, 300), rows(make_setup(game), 300))


def every_question(game: str) -> str:
    """A file with a function for every question, which is given all there is in another order and answers as BASE."""
    lines = ["from kernels.rng import next_u64", "PARAMETERS = {'mine': 5}"]
    for name, asked in questions_of(game).items():
        given = [*reversed(asked.given), "mine"]
        lines += [f"def {name}({', '.join(given)}):", "    if mine == 6 and next_u64(stream) == 7 and table.turn == 9:"]
        lines += ["        raise ValueError('never')", "    return base"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_template_is_a_policy_of_its_game(tmp_path: Path, game: str) -> None:
    from sim.policy_commands import template

    setup = make_setup(game, policies=written(tmp_path, "template.py", template(game)))
    own = setup.policies[0].own
    assert own is not None
    assert f'GAME = "{game}"' in own.text
    assert setup.parts


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("standard", "standard", None),
        ("standard:card=3", "standard", "card=3"),
        ("my.py", "my.py", None),
        ("my.py:a=1,b=2", "my.py", "a=1,b=2"),
        ("C:/x/my.py:a=1", "C:/x/my.py", "a=1"),
        ("a:b/my.py", "a:b/my.py", None),
    ],
)
def test_the_path_ends_where_the_file_does(text: str, name: str, rest: str | None) -> None:
    assert split_policy(text) == (name, rest)


def test_a_file_that_no_command_names_is_not_run(plain: str) -> None:
    spec = find_game("escopa")
    choice = parse_policy(spec, plain)
    assert choice.own is not None
    kept = dataclasses.replace(choice.own, may_run=False)
    setup = make_setup("escopa", policies=plain, files={plain: kept})
    assert setup.policy_texts == [plain, plain]
    with pytest.raises(UsageError, match="only if the command names it"):
        rows(setup)
    with pytest.raises(UsageError, match="only if the command itself names it"):
        make_setup("escopa", policies=plain, files={})
