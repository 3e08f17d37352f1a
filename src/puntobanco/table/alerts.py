"""Alerts: what staff are told at once."""

from enum import StrEnum


class Alert(StrEnum):
    """The reason for an alert. `AlertRaised` carries the value."""

    CLAIM = "claim"
    EARLIER_ROUND = "earlier_round"
    RECEIVABLE = "receivable"
    OPTIONS_AFTER_RESULT = "options_after_result"
    EXPOSED_CARD_CARRIED_OVER = "exposed_card_carried_over"
    OPENING_WAITS = "opening_waits"
    BETS_ON_KNOWN_CARDS = "bets_on_known_cards"
    ATTESTED_LATE = "attested_late"
    SHOE_UNPROVEN = "shoe_unproven"
    CARD_CORRECTED = "card_corrected"
