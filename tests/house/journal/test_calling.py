"""How people are called: by title, as far as the reader may know them."""

from msgspec.structs import replace

from puntobanco.house.journal.calling import called, sentences_for
from puntobanco.house.journal.journal import Journal, PendingConfirmation
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import HOUSE, Person, Post
from puntobanco.rules.refusal import Reason, Refused


def person(name: str, title: str, post: Post) -> Person:
    return Person(name=name, title=title, roles={HOUSE: post})


PEOPLE = (
    person("alee", "Ann Lee", Post.PLAYER),
    person("bng", "Bao Ng", Post.PLAYER),
    person("bng2", "Bao Ng", Post.PLAYER),
    person("dorak", "Dora King", Post.DEALER),
    person("cash1", "Cal Fox", Post.CASHIER),
)
JOURNAL = Journal(people={one.name: one for one in PEOPLE})


def test_staff_read_titles_and_the_name_only_where_two_people_have_one_title() -> None:
    assert called(JOURNAL, "alee", "dorak") == "Ann Lee"
    assert called(JOURNAL, "dorak", "cash1") == "Dora King"
    assert (called(JOURNAL, "bng", "dorak"), called(JOURNAL, "bng2", "dorak")) == ("Bao Ng (bng)", "Bao Ng (bng2)")
    alone = replace(JOURNAL, people={name: one for name, one in JOURNAL.people.items() if name != "bng2"})
    assert called(alone, "bng", "dorak") == "Bao Ng"


def test_guests_and_people_who_are_gone_are_called_by_name() -> None:
    assert called(JOURNAL, "~Mr Tan", "dorak") == "Mr Tan"
    assert called(JOURNAL, "~alee", "dorak") == "alee", "a guest is not the person with an account of that name"
    assert called(JOURNAL, "gone", "dorak") == "gone"


def test_a_player_learns_only_who_asks_to_move_their_money() -> None:
    assert called(JOURNAL, "alee", "alee") == "Ann Lee"
    for other in ("bng", "dorak", "cash1", "nobody", "~Mr Tan"):
        assert called(JOURNAL, other, "alee") is None
    command = {"type": "Withdraw", "person": "alee", "amount": 5}
    waiting = PendingConfirmation(number=1, entry=1, table="", command=command, by=Who("cash1", Post.CASHIER, 0))
    asked = replace(JOURNAL, waiting={1: waiting})
    assert called(asked, "cash1", "alee") == "Cal Fox"
    assert called(asked, "cash1", "bng") is None
    assert called(asked, "dorak", "alee") is None


def test_sentences_name_people_as_their_reader_may_know_them() -> None:
    why = Refused(Reason.OPTIONS_RUNNING, people=["alee", "~Mr Tan"])
    assert sentences_for(JOURNAL, "dorak", "en").refusal(why).endswith("Not chosen yet: Ann Lee, Mr Tan.")
    why = Refused(Reason.NOT_YOURS, person="bng")
    assert sentences_for(JOURNAL, "alee", "en").refusal(why) == "Only another player can do that."
    squeezing = Refused(Reason.SQUEEZE_GOES_ON, person="bng")
    assert sentences_for(JOURNAL, "alee", "en").refusal(squeezing).startswith("Another player is still")
    assert sentences_for(JOURNAL, "alee", "zh").refusal(why) == "只有另一位玩家本人可以这样做。"
    assert sentences_for(JOURNAL, "dorak", "zh-Hant").refusal(why) == "只有Bao Ng (bng)本人可以這樣做。"
