"""A refusal is an answer: a reason from a closed list, its parameters, and the paragraph where one exists.

The sentence that a person reads is data (`sentences/*.toml`, under the value of the reason); see `library.Sentences`.
"""

from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from puntobanco.rules.plain_data import plain_parameters


class Reason(StrEnum):
    """Why something was refused. Every member has a sentence in every language; braces name `parameters`."""

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
    WALLET_EMPTY = "wallet_empty"
    GUEST_NOT_CONFIRMED = "guest_not_confirmed"
    PURSE_NOT_CONFIRMED = "purse_not_confirmed"
    CHIPS_ONLY = "chips_only"
    CONFIRMATION_OFF = "confirmation_off"
    ENTRY_TOO_LARGE = "entry_too_large"
    DROP_CHANGED = "drop_changed"
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
    GUEST_NAME_WRONG = "guest_name_wrong"
    GUEST_NAME_TAKEN = "guest_name_taken"
    BETS_IN_PLAY = "bets_in_play"
    NO_SEAT = "no_seat"
    WRONG_GAME = "wrong_game"
    NOT_IN_FORCE = "not_in_force"
    NO_SHOE = "no_shoe"
    SHOE_UNSHUFFLED = "shoe_unshuffled"
    SHOE_FINISHED = "shoe_finished"
    SHOE_UNPROVEN = "shoe_unproven"
    HANDOVER_TOO_LONG = "handover_too_long"
    BETS_LATE = "bets_late"
    BET_UNCHANGED = "bet_unchanged"
    OVER_SIDE_MAXIMUM = "over_side_maximum"
    EXCESS_UNACKNOWLEDGED = "excess_unacknowledged"
    NO_EXCESS = "no_excess"
    NOT_UNDER_MINIMUM = "not_under_minimum"
    NOT_ADVISED = "not_advised"
    NO_SUCH_BET_PLACED = "no_such_bet_placed"
    BETS_NAMED_WRONGLY = "bets_named_wrongly"
    BET_STILL_OPEN = "bet_still_open"
    ROUND_OVER = "round_over"
    EARLIER_ROUND_STANDS = "earlier_round_stands"
    TOO_EARLY = "too_early"
    CLOSE_IS_SPOKEN = "close_is_spoken"
    NOT_ATTESTED = "not_attested"
    INSURANCE_NOT_MAIN = "insurance_not_main"
    EXPOSE_FIRST = "expose_first"
    FACE_MISSING = "face_missing"
    FACE_UNWANTED = "face_unwanted"
    ALREADY_EXPOSED = "already_exposed"
    NOT_CORRECTABLE = "not_correctable"
    CARD_UNCHANGED = "card_unchanged"
    SQUEEZE_NOT_HERE = "squeeze_not_here"
    SQUEEZE_NOT_ENTITLED = "squeeze_not_entitled"
    SQUEEZE_TOO_LATE = "squeeze_too_late"
    NO_SQUEEZE_ASKED = "no_squeeze_asked"
    SQUEEZE_GOES_ON = "squeeze_goes_on"
    SQUEEZE_UNANSWERED = "squeeze_unanswered"
    SQUEEZE_TIME_OVER = "squeeze_time_over"
    NO_WAIVER_ASKED = "no_waiver_asked"
    WAIVER_ASKED_BEFORE = "waiver_asked_before"
    WAIVER_NOT_AGREED = "waiver_not_agreed"
    WAIVER_NOT_CONCERNED = "waiver_not_concerned"
    NOT_HELD = "not_held"
    MORE_THAN_LIES = "more_than_lies"
    NOT_MISSING = "not_missing"
    NOT_UNPAID = "not_unpaid"
    BOX_UNPAID = "box_unpaid"
    EXPOSED_CARD_WAITS = "exposed_card_waits"
    OPENING_NOT_PERMITTED = "opening_not_permitted"
    NOTHING_TO_PERMIT = "nothing_to_permit"
    BET_DECIDED = "bet_decided"
    CHOICE_NOT_OPEN = "choice_not_open"
    ORDER_WRONG = "order_wrong"
    CARDS_MISSING = "cards_missing"
    NOT_IN_OPTIONS = "not_in_options"
    OPTIONS_RUNNING = "options_running"
    REPORT_INCOMPLETE = "report_incomplete"
    REPORT_OPEN = "report_open"
    SET_UNCLEAR = "set_unclear"
    NO_FAULT = "no_fault"
    NO_HANDS_YET = "no_hands_yet"
    CARDS_NOT_IN_SHOE = "cards_not_in_shoe"
    CARDS_DIFFER = "cards_differ"
    LIES_IMPOSSIBLY = "lies_impossibly"
    CHOSEN_IN_PERSON = "chosen_in_person"
    PLAYER_ABSENT = "player_absent"
    NOT_SAID_PRESENT = "not_said_present"
    NOT_PROVIDED = "not_provided"
    NOT_REQUESTED = "not_requested"
    TOOK_BACK = "took_back"
    SLIP_EMPTY = "slip_empty"
    SLIP_TOO_LONG = "slip_too_long"
    SQUEEZE_TAKEN = "squeeze_taken"
    NOT_YOUR_SEAT = "not_your_seat"
    OWED = "owed"
    CHANGE_WAITS = "change_waits"
    SETUP_REPLACED = "setup_replaced"
    ROUND_NOT_FINAL = "round_not_final"
    SHOE_SET_WRONGLY = "shoe_set_wrongly"
    GAP_VOID_FIXED = "gap_void_fixed"
    OVERLAY_NOT_SILENT = "overlay_not_silent"
    OVERLAY_KEY_TAKEN = "overlay_key_taken"
    TIME_NEGATIVE = "time_negative"
    TIME_TOO_LONG = "time_too_long"
    OPTIONS_TOO_SHORT = "options_too_short"
    MAXIMUM_NOT_POSITIVE = "maximum_not_positive"
    STAKES_IN_PLAY = "stakes_in_play"
    CARDS_ONLY = "cards_only"
    PURSES_NOT_EMPTY = "purses_not_empty"
    CLOSING_UNANNOUNCED = "closing_unannounced"
    CLOSING_TOO_EARLY = "closing_too_early"
    CLOSING_ANNOUNCED = "closing_announced"
    # the house
    ACCESS_DENIED = "access_denied"
    UNKNOWN_TABLE = "unknown_table"
    TABLE_STOPPED = "table_stopped"
    TABLE_IN_USE = "table_in_use"
    TABLE_RUNS = "table_runs"
    FLOAT_TOO_SMALL = "float_too_small"
    HOUSE_DRAINING = "house_draining"
    PROGRAM_HELD = "program_held"
    NAME_WRONG = "name_wrong"
    NAME_TAKEN = "name_taken"
    TITLE_WRONG = "title_wrong"
    NO_SUCH_ROLE = "no_such_role"
    NO_WALLET = "no_wallet"
    OWN_RIGHTS = "own_rights"
    LAST_ADMINISTRATOR = "last_administrator"
    REASON_WANTED = "reason_wanted"
    REQUEST_WRONG = "request_wrong"
    TOO_FAST = "too_fast"
    TOO_MANY_WATCHED = "too_many_watched"
    NOT_FOUND = "not_found"
    FOREIGN_PAGE = "foreign_page"
    FAILED = "failed"
    INCIDENT = "incident"
    UNKNOWN_INCIDENT = "unknown_incident"
    STORE_FAILED = "store_failed"
    ONLY_SQLITE = "only_sqlite"
    KEY_MISSING = "key_missing"
    KEY_UNREADABLE = "key_unreadable"
    KEY_EXPOSED = "key_exposed"
    KEY_FOUND = "key_found"
    KEY_IN_ENVIRONMENT = "key_in_environment"
    HOUSE_RUNS = "house_runs"
    HOUSE_FOUNDED = "house_founded"
    UNKNOWN_POST = "unknown_post"
    ALREADY_ACKNOWLEDGED = "already_acknowledged"
    NOTHING_TO_RELEASE = "nothing_to_release"
    CANNOT_LISTEN = "cannot_listen"
    TLS_UNUSABLE = "tls_unusable"
    NOT_INSTALLED = "not_installed"
    DESK_BUSY = "desk_busy"
    CANNOT_BE_PRICED = "cannot_be_priced"
    NOT_JSON = "not_json"
    NO_COMMITMENT = "no_commitment"
    ORDER_UNREADABLE = "order_unreadable"
    OWNERS_UNCLEAR = "owners_unclear"
    NOTHING_WAITS = "nothing_waits"
    TOO_MANY_WAITING = "too_many_waiting"
    SECOND_IS_FIRST = "second_is_first"
    # people
    SIGN_IN_FAILED = "sign_in_failed"
    TRY_LATER = "try_later"
    PIN_WRONG = "pin_wrong"
    PIN_LOCKED = "pin_locked"
    PIN_MISSING = "pin_missing"
    PIN_GUESSABLE = "pin_guessable"
    PIN_NOT_YOURS = "pin_not_yours"
    PROOF_FROM_YOU = "proof_from_you"
    CARD_WRONG = "card_wrong"
    CARD_UNFIT = "card_unfit"
    PASSWORD_TOO_SHORT = "password_too_short"
    PASSWORD_TOO_LONG = "password_too_long"
    PASSWORD_COMMON = "password_common"
    PASSWORD_UNCHANGED = "password_unchanged"
    PASSWORD_MUST_CHANGE = "password_must_change"
    SECOND_FACTOR_NEEDED = "second_factor_needed"
    SESSION_OVER = "session_over"
    SETTING_TOO_LOW = "setting_too_low"
    NOT_ADMITTED = "not_admitted"
    NOT_STAFF = "not_staff"
    OWN_MONEY = "own_money"
    DEALS_ITSELF = "deals_itself"
    # odds
    ROUNDS_OUT_OF_RANGE = "rounds_out_of_range"
    WORKERS_OUT_OF_RANGE = "workers_out_of_range"
    SESSION_TOO_LARGE = "session_too_large"
    CLUSTER_UNREACHABLE = "cluster_unreachable"
    CLUSTER_ADDRESS = "cluster_address"
    CLUSTER_STRANGE = "cluster_strange"
    CLUSTER_IDLE = "cluster_idle"
    CLUSTER_FAILED = "cluster_failed"
    OUTPUT_UNWRITABLE = "output_unwritable"
    OUTPUT_KIND = "output_kind"
    OUTPUT_EXISTS = "output_exists"
    SEED_OUT_OF_RANGE = "seed_out_of_range"
    NOT_A_NUMBER_OF_ROUNDS = "not_a_number_of_rounds"
    NOT_A_SHOE = "not_a_shoe"
    RANK_TWICE = "rank_twice"
    SHOE_COUNT_WRONG = "shoe_count_wrong"
    SHOE_HAS_NONE = "shoe_has_none"
    SHOES_OUT_OF_RANGE = "shoes_out_of_range"
    OPTION_NEEDS = "option_needs"
    OPTIONS_CLASH = "options_clash"
    NO_INSURANCE = "no_insurance"
    UNKNOWN_MODE = "unknown_mode"
    # game files: every one names the file, the place in it, the field and what was expected
    SCENARIO_WORD = "scenario_word"
    SCENARIO_STRAY = "scenario_stray"
    SCENARIO_VALUE = "scenario_value"
    SCENARIO_EMPTY = "scenario_empty"
    ARGUMENT_TYPE = "argument_type"
    FILE_UNREADABLE = "file_unreadable"
    FILE_MALFORMED = "file_malformed"
    FIELD_WRONG = "field_wrong"
    FIELD_TYPE = "field_type"
    FIELD_CHOICE = "field_choice"
    FIELD_LENGTH = "field_length"
    FIELD_PATTERN = "field_pattern"
    TEXT_UNREADABLE = "text_unreadable"
    TEXT_TOO_LONG = "text_too_long"
    RULEBOOK_WRONG = "rulebook_wrong"
    KEY_BUILT_IN = "key_built_in"
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
    # settings of a house: every one names the file or the variable
    SETTING_UNKNOWN = "setting_unknown"
    SETTING_RANGE = "setting_range"
    SETTING_WRONG = "setting_wrong"

    @classmethod
    def _missing_(cls, value: object) -> "Reason | None":
        """Finds a reason by the name it had before, because stored answers contain it."""
        return cls.PLAYER_ABSENT if value == "person_gone" else None


class Expected(StrEnum):
    """What a field of a file should have contained. Every member has a word in every language."""

    ODDS = "expected_odds"
    RATE = "expected_rate"
    NUMBERS = "expected_numbers"
    PARAGRAPH = "expected_paragraph"
    GAME_KEY = "expected_game_key"
    LAYOUT_KEY = "expected_layout_key"
    BET_KEY = "expected_bet_key"
    PARAGRAPH_ID = "expected_paragraph_id"
    OVERLAY_WHEN = "expected_overlay_when"
    OVERLAY_ONCE = "expected_overlay_once"
    FILE = "expected_file"
    ANY_FILE = "expected_any_file"
    UTF8 = "expected_utf8"
    FEW_DOTS = "expected_few_dots"
    FEW_DIGITS = "expected_few_digits"
    SHALLOW = "expected_shallow"
    HOST = "expected_host"
    ORIGIN = "expected_origin"
    NETWORK = "expected_network"
    PLACE = "expected_place"
    KEY = "expected_key"
    TEXT = "expected_text"
    PRIVATE_FILE = "expected_private_file"
    READABLE_FILE = "expected_readable_file"
    ONE_PLACE = "expected_one_place"
    DEMO_PLAY_MONEY = "expected_demo_play_money"
    DEMO_LOCAL = "expected_demo_local"
    TLS = "expected_tls"
    TLS_PAIR = "expected_tls_pair"
    SECURE_COOKIES = "expected_secure_cookies"
    PROXIES = "expected_proxies"
    PUBLIC_URL = "expected_public_url"
    IDLE = "expected_idle"
    OWN_FILE = "expected_own_file"
    WHOLE_NUMBER = "expected_whole_number"
    ONCE = "expected_once"


class TypeName(StrEnum):
    """The type of a value in a game file, in words for game designers."""

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


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something was refused: the reason, its paragraph, and the parameters of the sentence, as plain data."""

    reason: Reason
    """The code of the reason."""
    paragraph: str | None = None
    parameters: dict[str, Any] = {}
    """What the sentence names, by parameter: an amount, a limit, a name."""
    sentence: str = ""
    """The sentence in the reader's language, once it has been translated. A stored refusal has none."""

    def __post_init__(self) -> None:
        force_setattr(self, "paragraph", None if self.paragraph is None else str(self.paragraph))
        force_setattr(self, "parameters", plain_parameters(self.parameters))

    def __str__(self) -> str:
        if self.sentence:
            return f"{self.sentence} ({self.paragraph})" if self.paragraph else self.sentence
        said = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.reason} ({said})" if said else str(self.reason)


class Refused(Exception):
    """Raised when something is refused. Nothing has changed."""

    def __init__(self, reason: Reason, paragraph: str | None = None, /, **parameters: object) -> None:
        super().__init__(Refusal(reason, paragraph, parameters))

    @classmethod
    def of(cls, refusal: Refusal) -> "Refused":
        refused = cls.__new__(cls)
        refused.args = (refusal,)
        return refused

    @property
    def refusal(self) -> Refusal:
        refusal: Refusal = self.args[0]
        return refusal

    @property
    def reason(self) -> Reason:
        return self.refusal.reason

    @property
    def paragraph(self) -> str | None:
        return self.refusal.paragraph

    @property
    def parameters(self) -> dict[str, Any]:
        return self.refusal.parameters

    @property
    def sentence(self) -> str:
        """The sentence in the reader's language, once it has been translated."""
        return self.refusal.sentence

    def __reduce__(self) -> tuple[object, ...]:
        return Refused.of, self.args
