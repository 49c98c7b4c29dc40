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

SEEN = (
    Argument("meld_one", "Melds by seat and number: the natural cards of a set, the positions of those of a sequence."),
    Argument("meld_two", "Cards that lie in a set twice."),
    Argument("meld_jokers", "Positions of the jokers in a sequence."),
    Argument("seen_one", "Cards that everybody has seen and that are in no hand: melds, discards, the exposed card."),
    Argument("seen_two", "Those of them that are seen twice."),
    Argument("known_one", "By seat, cards taken openly from the discards and still in the hand."),
    Argument("known_two", "Those of them that are held twice."),
    Argument("thrown", "By seat, cards that it has discarded."),
    Argument("took", "By seat, cards that it has taken from the discards."),
    Argument("recycled_one", "The cards of the stock that the discards were last made into; none before that."),
    Argument("recycled_two", "Those of them that it had twice."),
    Argument("turn", "Number of the turn, from 1."),
    Argument("stock_left", "Cards in the stock."),
    Argument("discard_count", "Cards among the discards."),
    Argument("hand_count", "Cards in each hand, by seat."),
    Argument("meld_count", "Melds of each seat."),
    Argument("is_set", "By seat and meld: 1 for a set, 0 for a sequence."),
    Argument("has_laid", "By seat: 1 if it has laid something in an earlier turn."),
    Argument("jokers_laid", "Jokers in the melds of each seat."),
    Argument("drawn", "By seat, cards drawn from the stock as it was last made."),
    Argument("playing", "By seat: 0 for who is out of the match."),
    Argument("players", "Seats at the table."),
    Argument("seat", "Whose turn it is."),
    Argument("first", "Who had the first turn."),
    Argument("reshuffles", "How often the discards have become the stock."),
    Argument("taken", "The card taken from the discards in this turn, -1 for none."),
    Argument("taken_only", "1 if the hand held no other like it."),
    Argument("taken_meld", "The own meld in which it has been laid since, -1 for none."),
    Argument("laid", "1 if cards have been laid in this turn."),
    Argument("exposed", "The exposed card."),
    Argument("discards", "The discards from bottom to top, a card number each."),
)
"""Fields of `table`."""

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
