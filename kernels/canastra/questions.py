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

SEEN = (
    Argument("seen_one", "Cards that everybody has seen and that are in no hand: melds and the lixo."),
    Argument("seen_two", "Those of them that are seen twice."),
    Argument("lixo_one", "Cards of the lixo."),
    Argument("lixo_two", "Those of them that lie there twice."),
    Argument("known_one", "By seat, cards taken openly from the lixo and still in the hand."),
    Argument("known_two", "Those of them that are held twice."),
    Argument("accepts", "By side, natural cards that some meld of it takes as a single card."),
    Argument("lavadeiras", "By side, bits of the ranks of which it has a lavadeira."),
    Argument("meld_one", "Melds by side and number: their cards."),
    Argument("meld_two", "Those of them that lie there twice."),
    Argument("lixo_size", "Cards in the lixo."),
    Argument("stock_left", "Cards in the stock."),
    Argument("turn", "Number of the turn, from 1."),
    Argument("lixo", "The lixo from bottom to top, a card number each."),
    Argument("seat", "Whose turn it is."),
    Argument("first", "Who had the first turn."),
    Argument("mortos_left", "Mortos that nobody has taken."),
    Argument("took_lixo", "1 from taking the lixo to the end of that turn."),
    Argument("players", "Seats at the table."),
    Argument("hand_count", "Cards in each hand, by seat."),
    Argument("morto_closed", "By seat: 1 while its morto lies face down before it."),
    Argument("started", "By seat: 1 once it has had a turn."),
    Argument("morto_taken", "By side: 1 once it has taken a morto."),
    Argument("red_threes", "Red threes of each side."),
    Argument("clean_canastras", "Canastras limpas of each side."),
    Argument("dirty_canastras", "Canastras sujas of each side."),
    Argument("meld_count", "Melds of each side."),
    Argument("meld_kind", "By side and meld: `SEQUENCE` or `LAVADEIRA`."),
    Argument("meld_suit", "Suit of a sequence."),
    Argument("meld_low", "Lowest rank of a sequence; rank of a lavadeira."),
    Argument("meld_high", "Highest rank of a sequence."),
    Argument("meld_size", "Cards of the meld."),
    Argument("meld_wilds", "Curingas of the meld."),
    Argument("meld_wild_cards", "Those curingas, a card number each."),
    Argument("meld_wild_ranks", "The ranks for which they stand in a sequence."),
    Argument("meld_places", "The same ranks as bits."),
)
"""Fields of `table`."""

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
