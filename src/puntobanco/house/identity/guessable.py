"""Passwords that are guessed first, made from what people make them of: words, walks on the keyboard, repeats, years.

Nobody's list is copied. The lists that leak are themselves products of these few habits.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from string import digits, punctuation

WORDS = """
password passwort passwd passw0rd pass secret login letmein welcome access changeme default guest root admin
administrator user test tester testing master system server computer internet network security manager support
hello iloveyou love lovely lover sunshine princess prince queen king angel baby sweet flower butterfly rainbow summer
winter spring autumn monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december dragon monkey tiger panda lion eagle wolf bear horse rabbit kitty puppy
chicken shadow ninja samurai batman superman spiderman pokemon starwars matrix phantom hunter ranger trustno killer
football soccer baseball basketball hockey tennis golf liverpool arsenal chelsea barcelona juventus ferrari mercedes
porsche toyota harley corvette mustang samsung google apple microsoft facebook linkedin adobe freedom whatever nothing
michael jennifer jessica jordan michelle daniel andrew joshua matthew robert thomas charlie george william david james
john maria anna laura nicole ashley amanda andrea carlos jose juan pedro ivan natasha singapore macau macao china
beijing shanghai hongkong london paris newyork america canada australia germany
woaini woaini1314 5201314 wangyi zhang wangwei lihua meimei xiaoming fuzhou taiwan longlong
cheese chocolate cookie pepper ginger orange banana silver golden diamond purple yellow black white blue green
mypassword yourpassword newpassword temppassword temp temporary company office money cash dollar lucky luck
casino baccarat puntobanco punto banco banker player tie dealer croupier shoe coup natural dragonbonus supersix
wusong insurance pair bigtiger smalltiger lucky6 lucky7 chip chips table pit pitboss shift cashier cage float
jackpot poker holdem blackjack roulette craps slots slot bingo gamble gambler gambling bet betting winner win bigwin
highroller vip gaming marinabay sands genting venetian lasvegas vegas montecarlo auditor supervisor terminal demo
abc abcd abcdef abcabc qwe qwer qwert asd asdf zxc zxcv aaa one onetwothree fuckyou asshole nopass nopassword
"""

ROWS = (
    "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "qwertzuiop", "yxcvbnm",
    "abcdefghijklmnopqrstuvwxyz", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "qazwsxedcrfvtgbyhnujmikolp",
    "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qawsedrftgyhujikolp", "147258369", "741852963", "159357",
    "0123456789", "!@#$%^&*()",
)  # fmt: skip

TAILS = (
    *digits, *(f"{a}{b}" for a, b in product(digits, digits)), *(str(year) for year in range(1940, 2041)),
    "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "1234567890", "321", "111", "000", "007",
    "666", "777", "888", "999", "168", "520", "1314", "5201314", "!", "!!", "!!!", "1!", "12!", "123!", "@123", "#1",
    "abc", "qwe", "qwerty", "xyz", "a", "s", "er", "?", ".", "*", "$",
)  # fmt: skip

LEET = str.maketrans("@4$50137!|", "aassoietil")


LONGEST_TAIL = 8
"""Figures and signs after a word that do not make it a better password; more of them may."""


def made() -> Iterator[str]:
    """Every one of them, some more than once."""
    for word in WORDS.split():
        yield word
        yield word[::-1]
        yield from (word + tail for tail in TAILS)
    for row in ROWS:
        for walk in (row, row[::-1]):
            for start, stop in product(range(len(walk)), repeat=2):
                if 3 <= stop + 1 - start <= 20:
                    yield from (walk[start : stop + 1] + tail for tail in ("", "1", "12", "123", "!", "a"))
    for letter in "abcdefghijklmnopqrstuvwxyz0123456789":
        yield from (letter * times for times in range(3, 21))
    for day, month in product(range(1, 32), range(1, 13)):
        yield from (f"{day:02}{month:02}", f"{month:02}{day:02}")


@cache
def common() -> frozenset[str]:
    return frozenset(made())


def is_common(password: str, about: Iterable[str] = ()) -> bool:
    """Whether it is one of them, or two of them, or one over and over; dressed up or not.

    `about` is what anybody may know of the person, such as the name, and counts as common too.
    """
    known = frozenset(part for text in about for part in _parts(text))
    return any(_made_of(form, known) for form in _forms(password))


def _parts(text: str) -> Iterator[str]:
    folded = text.casefold()
    yield from (part for part in (folded, _plain(folded), *_spaced(folded).split()) if len(part) >= 3)


def _spaced(text: str) -> str:
    return "".join(letter if letter.isalnum() else " " for letter in text)


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _forms(password: str) -> set[str]:
    """As typed and undressed: small letters, no signs, no figures for letters."""
    small = password.casefold()
    bare = small.rstrip(digits + punctuation + " ")
    bare = bare if len(small) - len(bare) <= LONGEST_TAIL else small
    forms = {small, _plain(small), bare, _plain(bare)}
    return {one for form in forms for one in (form, form.translate(LEET), _plain(form.translate(LEET))) if one}


def _made_of(form: str, known: frozenset[str]) -> bool:
    def one(piece: str) -> bool:
        return piece in common() or piece in known or piece.rstrip(digits) in known

    size = len(form)
    if one(form) or any(one(form[:cut]) and one(form[cut:]) for cut in range(3, size - 2)):
        return True
    return any(
        form[unit:] == form[:-unit] and (unit <= min(4, size // 2) or one(form[:unit])) for unit in range(1, size)
    )
