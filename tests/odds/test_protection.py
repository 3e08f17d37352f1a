"""What leaves the shoe, and what somebody who knew would make of it."""

import numpy as np
import pytest

from puntobanco.odds import protection
from puntobanco.odds.pricing import price
from puntobanco.odds.protection import best_count, live, removal_effects
from puntobanco.odds.shoe import Shoe
from puntobanco.rules import library
from puntobanco.rules.cards import Rank
from puntobanco.rules.refusal import Reason, Refused

COMMISSION, WU_SONG = library.game("commission"), library.game("wu-song")


def test_removing_a_card_changes_a_return_by_the_difference_of_two_exact_prices() -> None:
    effects = removal_effects(COMMISSION, Shoe.of(8))
    less = price(COMMISSION, Shoe.of(8).without([Rank.SIX]))
    whole = price(COMMISSION, Shoe.of(8))
    assert effects["tie"][Rank.SIX - 1] == float(whole["tie"].house_edge - less["tie"].house_edge)
    assert effects["banker"][Rank.FOUR - 1] > 0 > effects["banker"][Rank.SIX - 1]


def test_no_single_rank_moves_a_pair_bet_at_a_full_shoe() -> None:
    for key in ("player_pair", "banker_pair"):
        assert not removal_effects(COMMISSION, Shoe.of(8))[key].any()


def test_effects_weighted_by_the_cards_cancel_out() -> None:
    for effects in removal_effects(WU_SONG, Shoe.of(8)).values():
        assert abs(effects.sum()) < 1e-12


def test_a_rank_that_is_gone_has_no_effect() -> None:
    shoe = Shoe.of(8).without([Rank.ACE] * 32)
    assert removal_effects(COMMISSION, shoe)["tie"][0] == 0


def test_the_best_count_follows_the_effects_as_well_as_whole_tags_can() -> None:
    effects = removal_effects(COMMISSION, Shoe.of(8))["player"]
    one, four = best_count(effects, 1), best_count(effects, 4)
    assert set(one.tags) <= {-1, 0, 1}
    assert 0.9 < one.correlation < four.correlation <= 1
    assert best_count(effects, 2).correlation > 0.985
    assert best_count(removal_effects(COMMISSION, Shoe.of(8))["tie"], 2).correlation > 0.995
    assert "6+" in str(four)
    assert best_count(np.zeros(13)).tags == (0,) * 13


def test_a_rank_that_is_gone_has_no_tag() -> None:
    """Its tag would change nothing, so any would fit as well."""
    shoe = Shoe((3, 5, 0, 0, 0, 6, 0, 0, 2, 0, 0, 0, 4))
    for effects in removal_effects(WU_SONG, shoe).values():
        tags = best_count(effects, ranks=shoe.ranks).tags
        assert [tag for tag, left in zip(tags, shoe.ranks, strict=True) if not left] == [0] * 8


def test_a_live_shoe_shows_what_favours_the_player() -> None:
    assert live(WU_SONG, Shoe.of(8)).favourable == {}
    rich_in_sixes = Shoe((4, 4, 4, 4, 4, 40, 0, 0, 0, 4, 4, 4, 4))
    shown = live(WU_SONG, rich_in_sixes)
    assert shown.favourable["tiger_tie"] > 0
    exactly = price(WU_SONG, rich_in_sixes)
    for key, gain in shown.returns.items():
        assert gain == pytest.approx(-float(exactly[key].house_edge), abs=1e-12)


def test_perfect_play_is_worth_more_the_deeper_the_shoe_is_dealt() -> None:
    shallow, deep = (
        protection.protection(WU_SONG, shoes=160, cut_card=cut_card, seed=4).bets["tiger_tie"] for cut_card in (208, 14)
    )
    assert 0 <= shallow.per_shoe < deep.per_shoe
    assert 0 <= shallow.often < deep.often < 1
    assert deep.gain > 0
    assert deep.stderr > 0
    assert 0.5 < deep.linear < 1


def test_it_is_reproducible_tells_its_progress_and_may_be_interrupted() -> None:
    told: list[tuple[int, int]] = []
    first = protection.protection(COMMISSION, shoes=40, seed=2, progress=lambda done, of: told.append((done, of)))
    assert told == [(32, 40), (40, 40)]
    assert first == protection.protection(COMMISSION, shoes=40, seed=2)
    assert first.rounds == pytest.approx(40 * 82, rel=0.03)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    assert protection.protection(COMMISSION, shoes=500, seed=2, progress=stop).shoes == 32


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"shoes": 0}, Reason.SHOES_OUT_OF_RANGE),
        ({"cut_card": -1}, Reason.SHOE_SET_WRONGLY),
        ({"burn": -1}, Reason.SHOE_SET_WRONGLY),
        ({"decks": 9}, Reason.DECKS_OUT_OF_RANGE),
    ],
)
def test_what_cannot_be_dealt_is_refused(asked: dict[str, int], reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        protection.protection(COMMISSION, **asked)  # type: ignore[arg-type]
    assert refused.value.reason is reason


@pytest.mark.parametrize("cut_card", [0, 1, 4, 6, 7, 10, 13])
def test_a_shoe_dealt_to_its_end_is_priced_to_its_end(cut_card: int) -> None:
    found = protection.protection(COMMISSION, decks=4, shoes=40, cut_card=cut_card, seed=3)
    assert found.rounds > 40 * 38
    for one in found.bets.values():
        assert 0 <= one.often < 1
        assert one.per_shoe >= 0
        assert one.linear == one.linear, "a number"
