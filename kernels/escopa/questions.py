"""What escopa asks of a policy."""

from __future__ import annotations

from kernels.questions import CARD, CARDS, Argument, Question, Value

ARGUMENTS = (
    Argument("table", "What everybody sees (`kernels.escopa.layout.TABLE_LAYOUT`)."),
    Argument("options", "The house rules, as numbers (`kernels.escopa.layout.OPTION_LAYOUT`)."),
    Argument("seat", "Your seat, from 0."),
    Argument("hand", "Your cards, a bit each: 4 * (value - 1) + suit, suits clubs, diamonds, hearts, spades."),
    Argument("sees", "Whether you see that you could capture; if not, leave any card (ESC-06)."),
)

QUESTIONS = (
    Question(
        "choose_play",
        "Which card to play, and what to take with it?",
        "At every turn.",
        (
            Value("card", CARD, "A card of the hand, by number."),
            Value("take", CARDS, "Cards of the table that make fifteen with it; 0 to leave the card (ESC-05)."),
        ),
    ),
    Question(
        "choose_claim",
        "What to claim with the card that the player before left by oversight?",
        "Where that card, `table.left_card`, would have made fifteen and you notice (ESC-06).",
        (Value("take", CARDS, "Cards of the table that make fifteen with that card; 0 to let it lie."),),
    ),
)
