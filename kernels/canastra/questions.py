"""What canastra asks of a policy."""

from __future__ import annotations

from kernels.questions import CARD, CARDS, NUMBER, RANK_BITS, YES, Argument, Question, Value

_MELD = (
    Value(
        "target",
        NUMBER,
        "Number of an own meld, `NEW_SEQUENCE` or `NEW_LAVADEIRA`; `STOP` to go on to the discard.",
    ),
    Value("one", CARDS, "Cards of the hand to lay, curingas included."),
    Value("two", CARDS, "Those of them that are laid twice."),
    Value("places", RANK_BITS, "In a sequence, the ranks for which curingas stand, a bit each."),
)

ARGUMENTS = (
    Argument("table", "What everybody sees (`kernels.canastra.layout.TABLE_LAYOUT`)."),
    Argument("options", "The house rules, as numbers (`kernels.canastra.layout.OPTION_LAYOUT`)."),
    Argument("seat", "Your seat, from 0; your side is `seat % SIDES`."),
    Argument("hand_one", "Your cards, a bit each (16 * suit + rank; a joker is rank 0)."),
    Argument("hand_two", "Those of them that you hold twice."),
)

QUESTIONS = (
    Question(
        "choose_draw",
        "Take the lixo, and with which meld, or draw?",
        "At the start of a turn, if the lixo is not locked (CAN-07 to CAN-10).",
        (
            Value("take", YES, "Whether to take the lixo."),
            Value("target", NUMBER, "The meld that its top card joins: its number, `NEW_SEQUENCE`, `NEW_LAVADEIRA`."),
            Value("one", CARDS, "Cards of the hand laid with the top card."),
            *_MELD[2:],
        ),
    ),
    Question(
        "choose_meld",
        "What to lay next?",
        "After drawing, again and again until it says `STOP` (CAN-11).",
        _MELD,
    ),
    Question(
        "choose_discard",
        "What to discard?",
        "At the end of a turn (CAN-11).",
        (Value("card", CARD, "A card of the hand, by number; no red three."),),
    ),
)
