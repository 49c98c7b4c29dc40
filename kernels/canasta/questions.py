"""What canasta asks of a policy."""

from __future__ import annotations

from kernels.questions import RANK, RANK_COUNTS, YES, Argument, Question, Value

_LAID = (
    Value("naturals", RANK_COUNTS, "Natural cards to lay, a count a rank."),
    Value("jokers", RANK_COUNTS, "Jokers, by the rank of the meld that they join."),
    Value("twos", RANK_COUNTS, "Twos, likewise."),
)

ARGUMENTS = (
    Argument("table", "What everybody sees (`kernels.canasta.layout.TABLE_LAYOUT`)."),
    Argument("options", "The house rules, as numbers (`kernels.canasta.layout.OPTION_LAYOUT`)."),
    Argument("seat", "Your seat, from 0; your side is `seat % SIDES`."),
    Argument("hand", "Your cards by rank: four bits a rank, its count (`number_of`); jokers rank 0."),
)

QUESTIONS = (
    Question(
        "choose_draw",
        "Take the pile, and with which cards, or draw?",
        "At the start of a turn, if the pile is not blocked (KAN-06 to KAN-08).",
        (Value("take", YES, "Whether to take the pile; the cards are those laid with its top card."), *_LAID),
    ),
    Question(
        "choose_ask",
        'Ask the partner "may I go out?", and with which cards?',
        "After drawing, under `ask_partner` (KAN-14).",
        (Value("asks", YES, "Whether to ask; the cards leave one card or none in the hand."), *_LAID),
    ),
    Question(
        "choose_answer",
        "May the partner go out?",
        "When the partner asks (KAN-14).",
        (Value("yes", YES, "The answer, which binds."),),
    ),
    Question(
        "choose_meld",
        "What to lay?",
        "After drawing, again and again until it names nothing (KAN-11 to KAN-15).",
        _LAID,
    ),
    Question(
        "choose_discard",
        "What to discard?",
        "At the end of a turn (KAN-06).",
        (Value("rank", RANK, "Rank of a card of the hand."),),
    ),
)
