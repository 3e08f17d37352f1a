"""An electronic shoe is committed to before its first bet, and every card dealt can be proven."""

import pytest
from msgspec.structs import replace

from puntobanco.house.shoes.seal import Sealed, new_shoe, path, root, tree
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.rules.cards import read_card


def test_a_new_shoe_holds_every_card_of_its_decks_in_an_order_of_its_own() -> None:
    one, other = new_shoe(4), new_shoe(4)
    assert sorted(map(str, one.cards)) == sorted(map(str, cards_of(4)))
    assert one.cards != other.cards
    assert one.commitment != other.commitment
    assert Sealed.decode(one.encode()) == one


def test_every_card_proves_itself_against_the_commitment_and_no_other_does() -> None:
    shoe = new_shoe(1)
    for place, revealed in enumerate(shoe.reveal_all(range(52))):
        assert revealed.proves(shoe.commitment)
        assert not replace(revealed, place=(place + 1) % 52).proves(shoe.commitment)
        assert not replace(revealed, card=read_card("9" if revealed.card.rank != 9 else "8")).proves(shoe.commitment)
        assert not replace(revealed, salt=bytes(16)).proves(shoe.commitment)
    assert not revealed.proves(new_shoe(1).commitment)


@pytest.mark.parametrize("many", range(1, 9))
def test_any_number_of_leaves_has_a_root_and_paths_to_it(many: int) -> None:
    leaves = [bytes([at]) * 32 for at in range(many)]
    assert len(root(leaves)) == 32
    for place in range(many):
        assert len(path(tree(leaves), place)) == (many - 1).bit_length()
