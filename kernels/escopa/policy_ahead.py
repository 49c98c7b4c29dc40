from typing import Any
from kernels._jit import kernel
from kernels.escopa.policy_heuristic import heuristic_claim, heuristic_leave, heuristic_play
@kernel
def ahead_play(table, options, seat, hand, parameters, work):
    return heuristic_play(table, options, hand, parameters, work)
@kernel
def ahead_leave(table, options, seat, hand, parameters, work):
    return heuristic_leave(table, options, hand, parameters)
@kernel
def ahead_claim(table, options, seat, hand, parameters, work):
    return heuristic_claim(table, options, hand, parameters, work)
