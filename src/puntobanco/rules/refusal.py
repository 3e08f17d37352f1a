"""A refusal is an answer: a reason from a closed list, its parameters, and the paragraph where one exists.

The sentence a person reads is data (`sentences/*.toml`, under the reason's value); see `library.Sentences`.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why something was refused. Every member has a sentence in every language."""

    # what was asked for does not exist
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_LAYOUT = "unknown_layout"
    NO_LAYOUTS = "no_layouts"
    UNKNOWN_BET = "unknown_bet"
    BET_NOT_ON_LAYOUT = "bet_not_on_layout"
    UNKNOWN_PARAGRAPH = "unknown_paragraph"
    UNKNOWN_LANGUAGE = "unknown_language"
    BOX_OUT_OF_RANGE = "box_out_of_range"
    NO_BOXES = "no_boxes"
    BOXES_OUT_OF_RANGE = "boxes_out_of_range"
    DECKS_OUT_OF_RANGE = "decks_out_of_range"
    DECKS_NOT_AS_SET = "decks_not_as_set"
    NOT_A_NUMBER = "not_a_number"
    UNKNOWN_RESULT = "unknown_result"
    # money
    NOT_AN_AMOUNT = "not_an_amount"
    AMOUNT_NOT_POSITIVE = "amount_not_positive"
    AMOUNT_TOO_GREAT = "amount_too_great"
    STAKE_NOT_POSITIVE = "stake_not_positive"
    STAKE_NOT_IN_UNITS = "stake_not_in_units"
    STAKE_TOO_GREAT = "stake_too_great"
    UNIT_NOT_PAYABLE = "unit_not_payable"
    NOT_A_STAKE = "not_a_stake"
    STAKED_TWICE = "staked_twice"
    # limits
    LIMIT_NOT_IN_UNITS = "limit_not_in_units"
    LIMIT_NOT_POSITIVE = "limit_not_positive"
    MINIMUM_OVER_DIFFERENTIAL = "minimum_over_differential"
    TWO_SEATED = "two_seated"
    UNDER_MINIMUM = "under_minimum"
    NOT_ENOUGH_MONEY = "not_enough_money"
    OVER_DIFFERENTIAL = "over_differential"
    # cards
    UNKNOWN_CARD = "unknown_card"
    TOO_FEW_CARDS = "too_few_cards"
    HAND_COMPLETE = "hand_complete"
    IMPOSSIBLE_CARD = "impossible_card"
    CARD_OUT_OF_PLACE = "card_out_of_place"
    # insurance
    WINDOW_MISSING = "window_missing"
    NO_SUCH_WINDOW = "no_such_window"
    NOT_OFFERED = "not_offered"
    NOTHING_TO_INSURE = "nothing_to_insure"
    OVER_CAP = "over_cap"
    NO_WAIVER = "no_waiver"
    # at the table
    NOT_HEARD_NOW = "not_heard_now"
    STALE_ROUND = "stale_round"
    STALE_INDEX = "stale_index"
    STALE_WINDOW = "stale_window"
    STALE_QUESTION = "stale_question"
    NOT_AUTHORISED = "not_authorised"
    REASON_MISSING = "reason_missing"
    ACTS_OTHERWISE = "acts_otherwise"
    ALREADY_ACTING = "already_acting"
    NOT_ACTING = "not_acting"
    PLAYS_HERE = "plays_here"
    REQUEST_REUSED = "request_reused"
    UNKNOWN_COMMAND = "unknown_command"
    COMMAND_MALFORMED = "command_malformed"
    UNKNOWN_PERSON = "unknown_person"
    NOT_A_PLAYER = "not_a_player"
    NOT_YOURS = "not_yours"
    SEAT_TAKEN = "seat_taken"
    NO_SEAT = "no_seat"
    WRONG_GAME = "wrong_game"
    NOT_IN_FORCE = "not_in_force"
    NO_SHOE = "no_shoe"
    SHOE_UNSHUFFLED = "shoe_unshuffled"
    SHOE_FINISHED = "shoe_finished"
    BETS_LATE = "bets_late"
    BET_UNCHANGED = "bet_unchanged"
    OVER_SIDE_MAXIMUM = "over_side_maximum"
    EXCESS_UNACKNOWLEDGED = "excess_unacknowledged"
    NO_EXCESS = "no_excess"
    NOT_UNDER_MINIMUM = "not_under_minimum"
    NOT_ADVISED = "not_advised"
    NO_SUCH_BET_PLACED = "no_such_bet_placed"
    TOO_EARLY = "too_early"
    CLOSE_IS_SPOKEN = "close_is_spoken"
    NOT_ATTESTED = "not_attested"
    INSURANCE_NOT_MAIN = "insurance_not_main"
    EXPOSE_FIRST = "expose_first"
    FACE_MISSING = "face_missing"
    FACE_UNWANTED = "face_unwanted"
    ALREADY_EXPOSED = "already_exposed"
    NO_CARD_DUE = "no_card_due"
    SQUEEZE_NOT_HERE = "squeeze_not_here"
    SQUEEZE_NOT_ENTITLED = "squeeze_not_entitled"
    SQUEEZE_TOO_LATE = "squeeze_too_late"
    NO_SQUEEZE_ASKED = "no_squeeze_asked"
    SQUEEZE_GOES_ON = "squeeze_goes_on"
    NO_WAIVER_ASKED = "no_waiver_asked"
    NOT_HELD = "not_held"
    EXPOSED_CARD_WAITS = "exposed_card_waits"
    CHOICE_NOT_OPEN = "choice_not_open"
    ORDER_WRONG = "order_wrong"
    CARDS_MISSING = "cards_missing"
    NOT_IN_OPTIONS = "not_in_options"
    OPTIONS_RUNNING = "options_running"
    REPORT_INCOMPLETE = "report_incomplete"
    REPORT_OPEN = "report_open"
    NO_HANDS_YET = "no_hands_yet"
    CARDS_NOT_IN_SHOE = "cards_not_in_shoe"
    CARDS_DIFFER = "cards_differ"
    LIES_IMPOSSIBLY = "lies_impossibly"
    CHOSEN_IN_PERSON = "chosen_in_person"
    NOT_PROVIDED = "not_provided"
    NOT_REQUESTED = "not_requested"
    TOOK_BACK = "took_back"
    SLIP_EMPTY = "slip_empty"
    SQUEEZE_TAKEN = "squeeze_taken"
    NOT_YOUR_SEAT = "not_your_seat"
    OWED = "owed"
    ROUND_NOT_FINAL = "round_not_final"
    SHOE_SET_WRONGLY = "shoe_set_wrongly"
    TIME_NEGATIVE = "time_negative"
    STAKES_IN_PLAY = "stakes_in_play"
    # game files: every one names the file, the place in it, the field and what was expected
    SCENARIO_WORD = "scenario_word"
    SCENARIO_STRAY = "scenario_stray"
    SCENARIO_VALUE = "scenario_value"
    SCENARIO_EMPTY = "scenario_empty"
    FILE_UNREADABLE = "file_unreadable"
    FILE_MALFORMED = "file_malformed"
    FIELD_WRONG = "field_wrong"
    FIELD_TYPE = "field_type"
    FIELD_CHOICE = "field_choice"
    TEXT_UNREADABLE = "text_unreadable"
    RULEBOOK_WRONG = "rulebook_wrong"
    FIELD_UNKNOWN = "field_unknown"
    FIELD_MISSING = "field_missing"
    KEY_MALFORMED = "key_malformed"
    KEY_TWICE = "key_twice"
    RANGE_EMPTY = "range_empty"
    BET_WITHOUT_LINES = "bet_without_lines"
    LINE_NEVER_WINS = "line_never_wins"
    VALUE_NEVER_MATTERS = "value_never_matters"
    LINES_CONTRADICT = "lines_contradict"
    LINE_HIDDEN = "line_hidden"
    CONDITION_NEEDS_WINNER = "condition_needs_winner"
    CONDITION_EMPTY = "condition_empty"
    LAYOUT_UNKNOWN_IN_FILE = "layout_unknown_in_file"
    BET_UNKNOWN_IN_FILE = "bet_unknown_in_file"
    PARAGRAPH_UNKNOWN_IN_FILE = "paragraph_unknown_in_file"
    COMMISSION_ON_PUSH = "commission_on_push"
    COMMISSION_MISMATCH = "commission_mismatch"
    ORIGINAL_BETS_MISSING = "original_bets_missing"
    TIE_NOT_PUSHED = "tie_not_pushed"
    ORIGINAL_NOT_LOST = "original_not_lost"
    INSURANCE_ROWS_OVERLAP = "insurance_rows_overlap"
    INSURANCE_CELL_DEAD = "insurance_cell_dead"
    INSURANCE_PAYS_NOTHING = "insurance_pays_nothing"
    AUTHORITY_EMPTY = "authority_empty"
    INSURANCE_BETS_MISSING = "insurance_bets_missing"
    LAYOUTS_OR_TERMINAL = "layouts_or_terminal"
    BET_ON_NO_LAYOUT = "bet_on_no_layout"
    BET_NOT_CARRIED = "bet_not_carried"


class Expected(StrEnum):
    """What a field of a game file should have held; a word in every language."""

    ODDS = "expected_odds"
    RATE = "expected_rate"
    NUMBERS = "expected_numbers"
    PARAGRAPH = "expected_paragraph"
    GAME_KEY = "expected_game_key"
    LAYOUT_KEY = "expected_layout_key"
    BET_KEY = "expected_bet_key"
    PARAGRAPH_ID = "expected_paragraph_id"
    FILE = "expected_file"


class TypeName(StrEnum):
    """What kind of thing stands in a game file, in a designer's words."""

    INT = "type_int"
    STR = "type_str"
    ARRAY = "type_array"
    OBJECT = "type_object"
    BOOL = "type_bool"
    DATETIME = "type_datetime"
    NULL = "type_null"
    FLOAT = "type_float"
    DATE = "type_date"
    TIME = "type_time"


class Refused(Exception):
    """Something was refused and nothing changed."""

    def __init__(self, reason: Reason, paragraph: str | None = None, /, **parameters: object) -> None:
        super().__init__(reason, paragraph, parameters)
        self.reason = reason
        self.paragraph = paragraph
        self.parameters = parameters

    def __reduce__(self) -> tuple[object, ...]:
        return _refused, (self.reason, self.paragraph, self.parameters)

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.reason} ({said})" if said else str(self.reason)


def _refused(reason: Reason, paragraph: str | None, parameters: dict[str, object]) -> Refused:
    """How a copy or a pickle is made again."""
    return Refused(reason, paragraph, **parameters)
