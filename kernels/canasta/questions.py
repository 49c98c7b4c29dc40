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

SEEN = (
    Argument("melded", "By side, natural cards in its melds, a count a rank."),
    Argument("wilds", "By side, wild cards in its melds, by the rank of the meld."),
    Argument("melded_before", "What the side to move had melded when its turn began."),
    Argument("pile_counts", "Cards of the pile, a count a rank."),
    Argument("seen", "Cards that everybody has seen and that are in no hand: melds and the pile."),
    Argument("known", "By seat, cards taken openly from the pile and still in the hand."),
    Argument("thrown", "By seat, cards that it has discarded."),
    Argument("turn", "Number of the turn, from 1."),
    Argument("stock_left", "Cards in the stock."),
    Argument("pile_size", "Cards in the pile."),
    Argument("minimum", "By side, least value of its first meld."),
    Argument("melded_points", "By side, value of the cards in its melds."),
    Argument("pile", "The pile from bottom to top, a card number each (`kernels.cards`)."),
    Argument("seat", "Whose turn it is."),
    Argument("first", "Who had the first turn."),
    Argument("pile_frozen", "1 if the pile is frozen for everybody."),
    Argument("pile_red_threes", "Red threes turned at the start and still in the pile."),
    Argument("took_pile", "1 if the pile has been taken in this turn."),
    Argument("laid", "1 if cards have been laid since the draw."),
    Argument("concealed", "1 if going out now would be concealed."),
    Argument("answer", "The partner's answer: 1 yes, -1 no, 0 none."),
    Argument("hand_count", "Cards in each hand, by seat."),
    Argument("started", "By seat: 1 once it has had a turn."),
    Argument("has_laid", "By seat: 1 once it has laid something."),
    Argument("asked", "By seat: 1 once it has asked."),
    Argument("red_threes", "Red threes of each side."),
    Argument("natural_canastas", "Natural canastas of each side."),
    Argument("mixed_canastas", "Mixed canastas of each side."),
    Argument("meld_count", "Melds of each side."),
    Argument("meld_number", "By side and rank, number of the meld in the order of melding."),
)
"""Fields of `table`."""

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
