"""What mau-mau asks of a policy."""

from __future__ import annotations

from kernels.questions import CARD, SUIT, YES, Argument, Question, Value

_SUIT = Value("suit", SUIT, "What a Jack announces: clubs 0, diamonds 1, hearts 2, spades 3, `NO_SUIT` for nothing.")

ARGUMENTS = (
    Argument("table", "What everybody sees (`kernels.mau_mau.layout.TABLE_LAYOUT`)."),
    Argument("options", "The house rules, as numbers (`kernels.mau_mau.layout.OPTION_LAYOUT`)."),
    Argument("seat", "Your seat, from 0."),
    Argument("one", "Your cards, a bit each (16 * suit + rank)."),
    Argument("two", "Those of them that you hold twice."),
    Argument("card", "The card just drawn, which is in the hand already."),
)

SEEN = (
    Argument("follow", "Cards that may be played now, a bit each."),
    Argument("seen_one", "Cards of the lixo."),
    Argument("seen_two", "Those of them that lie there twice."),
    Argument("may_hold", "By seat, how many cards of each suit it may hold, and Jacks (read it with `may_hold`)."),
    Argument("seat", "Whose turn it is."),
    Argument("players", "Players at the table."),
    Argument("direction", "1 clockwise, -1 the other way."),
    Argument("turn", "Number of the turn, from 1."),
    Argument("barred", "A bit for every barred seat."),
    Argument("pending", "Cards that must be drawn for eights now."),
    Argument("suit", "The suit announced with the Jack on top, `NO_SUIT` for none."),
    Argument("stock_left", "Cards in the stock."),
    Argument("restocked", "Of one pack: cards shuffled into the stock last, a bit each; the lixo may show some again."),
    Argument("fresh", "How many of those each hand holds, by seat; of two packs nothing."),
    Argument("came", "Cards that each seat drew since then, Jacks it has played of these apart, by seat."),
    Argument("hand_count", "Cards in each hand, by seat."),
    Argument("fines", "Fines paid so far, by seat: how many."),
    Argument("pile_size", "Cards in the lixo."),
    Argument("first", "The rule book's first player."),
    Argument("dealer", "Who has dealt."),
    Argument("packs", "Packs that are played with."),
    Argument("start_card", "The carta da partida, by number."),
    Argument("pile", "The lixo from bottom to top, a card number each."),
)
"""Fields of `table`."""

QUESTIONS = (
    Question(
        "choose_play",
        "Which card to play, or which two Jacks, and what to announce?",
        "At every turn in which some card follows.",
        (
            Value("card", CARD, "A card of `one & table.follow`, by number (MAU-04)."),
            Value("second", CARD, "A second Jack, `NO_CARD` for none; a player who is barred keeps a card (MAU-13)."),
            _SUIT,
        ),
    ),
    Question(
        "choose_answer",
        "Answer an 8 with an 8, or draw?",
        "After an 8, under `stack_eights`, with an 8 in hand (MAU-09).",
        (Value("card", CARD, "An 8 of the hand, `NO_CARD` to draw."),),
    ),
    Question(
        "choose_drawn",
        "Play the card just drawn?",
        "Under `unable=draw_one`, if it follows (MAU-06).",
        (Value("plays", YES, "Whether to play it."),),
    ),
    Question(
        "choose_suit",
        "What to announce with the Jack just drawn?",
        "When a Jack is played that was drawn in this turn (MAU-13).",
        (_SUIT,),
    ),
)
