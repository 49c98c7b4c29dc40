"""What loba asks of a policy."""

from __future__ import annotations

from kernels.questions import CARD, CARDS, NUMBER, YES, Argument, Question, Value

ARGUMENTS = (
    Argument("table", "What everybody sees (`kernels.loba.layout.TABLE_LAYOUT`)."),
    Argument("options", "The house rules, as numbers (`kernels.loba.layout.OPTION_LAYOUT`)."),
    Argument("seat", "Your seat, from 0."),
    Argument("one", "Your cards, a bit each (16 * suit + rank; a joker is rank 0 of any suit)."),
    Argument("two", "Those of them that you hold twice."),
)

QUESTIONS = (
    Question(
        "choose_draw",
        "Take the top of the discards, or draw?",
        "At the start of a turn, if it may be taken (LOB-04, LOB-11).",
        (Value("takes", YES, "Whether to take it."),),
    ),
    Question(
        "choose_lay",
        "What to lay?",
        "After drawing, again and again until it names nothing.",
        (
            Value("meld", NUMBER, "Number of an own meld to add to, `NEW` for a new one."),
            Value("naturals", CARDS, "Natural cards; of a sequence their positions, a low ace being rank 1."),
            Value("twice", CARDS, "Those of a set that are laid twice."),
            Value("jokers", CARDS, "Positions of jokers in a sequence. Nothing at all: go on to the discard."),
        ),
    ),
    Question(
        "choose_discard",
        "What to discard, and from where?",
        "At the end of a turn, unless the hand is empty (LOB-04, LOB-08).",
        (
            Value("card", CARD, "A card, by number: of `hand_discards`, or of `laid_discards` of an own meld."),
            Value("meld", NUMBER, "Number of the own meld in which it lies, `HAND` if it is in the hand."),
        ),
    ),
)
