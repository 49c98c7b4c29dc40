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

SEEN = (
    Argument("cards", "Cards face up, a bit each."),
    Argument("taken", "Cards that each side has taken, by side."),
    Argument("seen", "All cards that anybody has seen: face up, taken."),
    Argument("sums", "Bit s: some of the cards face up come to s, for sums to 15."),
    Argument("lacks", "By seat, bit s: it has shown that it holds no card that makes 15 with cards of the sum s."),
    Argument("total", "Sum of the cards face up."),
    Argument("turn", "Number of the turn, from 1; the cards played before it are one less."),
    Argument("escopas", "Escopas so far, by side."),
    Argument("hand_count", "Cards in each hand, by seat."),
    Argument("stock_left", "Cards in the stock."),
    Argument("plays_left", "Cards in all hands together."),
    Argument("seat", "Whose turn it is."),
    Argument("dealer", "Who has dealt the hands that are played."),
    Argument("last_seat", "Who captured last, -1 for nobody: the cards left at the end go there."),
    Argument("left_card", "The card that the player before left by oversight, -1 for none."),
)
"""Fields of `table`."""

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
