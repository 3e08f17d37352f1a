"""Every number in the prose of our pages is calculated here from the code, or is listed with the reason why it is not.

Numbers in generated text are compared with their generator (tests/test_tidy.py), those in blocks of code come from
executing them (test_snippets.py), and code in backquotes is a literal.
"""

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from docs.generate import BEGIN, END
from docs.site import citations
from msgspec.structs import replace

import puntobanco as pb
from puntobanco import odds
from puntobanco.house import house
from puntobanco.house.house import opening_setup
from puntobanco.house.identity import passwords as of_passwords
from puntobanco.house.secrets import keyring
from puntobanco.house.tables import writer
from puntobanco.rules import library
from puntobanco.rules.cards import Rank, read_cards
from puntobanco.rules.established import Standing, standings
from puntobanco.rules.insurance import cap, offer
from puntobanco.rules.limits import ProRata, TableLimits, pro_rata, reject_excess
from puntobanco.rules.money import GREATEST_STAKE, read_odds
from puntobanco.rules.outcome import reachable
from puntobanco.rules.tableau import TABLE_OF_PLAY
from puntobanco.table import setup
from puntobanco.table.after_exposure import LARGE_EDGE
from puntobanco.web import demo
from puntobanco.web.http import asyncapi, openapi
from puntobanco.web.http import operations as of_bodies
from puntobanco.web.live import connection, publisher, session
from puntobanco.web.server import admission, uvicorn_protocols
from tests.rulebook.test_long_documents_established import AFTER_FIVE, AFTER_FOUR, AFTER_THREE, opening
from tests.rulebook.test_long_documents_limits import EXAMPLES, box, played

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = {"docs/round.md", "docs/settings.md", "docs/operator/posts.md", "docs/map.md"}
"""Pages that are generated as a whole."""
PARAGRAPHS = {id for game in library.GAMES for id in library.rulebook(game)}
RULINGS = {one.id for one in citations.rulings()}
DECISIONS = {file.name[:4] for file in (ROOT / "docs" / "adr").glob("[0-9]*.md")}


def text_of(page: str) -> str:
    """The prose of a page without what is generated or executed; a row of a table is a line, and so is a heading."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", "", text, flags=re.DOTALL)
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ *\d+\. ", "", text, flags=re.MULTILINE)  # the numbers of a list
    lines = [""]
    for line in (" ".join(one.split()) for one in text.splitlines()):
        if line.startswith(("|", "#")):
            lines += [line, ""]
        else:
            lines[-1] = f"{lines[-1]} {line}".strip()
    return "\n".join(lines)


def plain(text: str) -> str:
    """Without literals, addresses, and numbers of paragraphs, rulings, documents and decisions that exist."""
    text = re.sub(r"`[^`]*`|(?<=\])\([^)]*\)|<https?://[^>]*>", " ", text)
    text = re.sub(r"\b[A-Z]{3}-\d+\b", lambda found: " " if found[0] in RULINGS else found[0], text)
    text = re.sub(r"(?<![\w.,])\d{4}(?![\w,]|\.\d)", lambda found: " " if found[0] in DECISIONS else found[0], text)
    text = re.sub(r"(?<![\w.,])00[0-4]\b", " ", text)
    number = r"(?<![\w.,])\d+(?:\.\d+)+(?:\.[a-z])?(?!\w)"
    return re.sub(number, lambda found: " " if found[0] in PARAGRAPHS else found[0], text)


# ---- calculated ----------------------------------------------------------------------------------------------------

GAMES = {key: library.game(key) for key in library.GAMES}
COMMISSION, WU_SONG, INSURANCE = GAMES["commission"], GAMES["wu-song"], GAMES["insurance"]
EIGHT = odds.Shoe.of(8)
PYTHON = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "requires-python"
].removeprefix(">=")
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
(NODE,) = set(re.findall(r"node:(\d+)", CONTAINER))
(USER,) = re.findall(r"--uid (\d+)", CONTAINER)


def percent(share: Fraction | float, places: int) -> str:
    return f"{100 * float(share):.{places}f} %"


def best_cell() -> Fraction:
    return max(one.ev for one in odds.cells(INSURANCE, EIGHT))


def infinite(player: int) -> str:
    """What insuring a Banker 6 is worth against that total, with infinitely many decks."""

    def worth(decks: int) -> Fraction:
        (cell,) = (
            one
            for one in odds.cells(INSURANCE, odds.Shoe.of(decks))
            if (one.window, one.insures, one.player, one.banker) == ("four", "banker", player, 6)
        )
        return cell.ev

    return f"{100 * float(2 * worth(900) - worth(450)):+.2f} %"


def known_first(rank: Rank, bet: str, at: int = 1) -> str:
    """What a bet is worth with that card drawn at that place."""
    returns = odds.live(COMMISSION, EIGHT.without([rank]), known={at: rank}).returns
    return f"+{100 * returns[bet]:.1f} %"


def every_total_of_one() -> str:
    """What Wu Dalang would be worth if it paid on every Player total of one."""
    law = odds.law(EIGHT)
    chance = sum(
        Fraction(int(ways), law.total) for one, ways in zip(reachable(), law.ways, strict=True)
        if one.player_points == 1
    )  # fmt: skip
    (line,) = WU_SONG.bet("wu_dalang").lines
    return f"{100 * float(chance * (line.pays + 1) - 1):+,.0f} %"


def live_thirds() -> Iterator[str]:
    """On which third cards of the Player the Banker draws while insurance has a row, by the Player's total."""
    assert INSURANCE.insurance is not None
    rows = [row for row in INSURANCE.insurance.rows if row.window == "five"]
    for total in (1, 2, 3, 5, 6, 7, 8, 9):
        cells = []
        for banker in (3, 4, 5, 6):
            arise = [third for third in range(10) if (total - third) % 10 <= 5]
            due = [third for third in arise if TABLE_OF_PLAY.banker_draws((total - third) % 10, banker, third)]
            offered = any(total in row.player and banker in row.banker for row in rows)
            cells.append(worded(due, arise) if offered else "no row")
        yield f"| {total}{'*' * (total == 9)} | {' | '.join(cells)} |"


def worded(due: list[int], arise: list[int]) -> str:
    missing = [third for third in arise if third not in due]
    if len(missing) <= 1:
        return f"all but {missing[0]}" if missing else "always"
    return f"{due[0]} to {due[-1]}" if len(due) > 2 else ", ".join(map(str, due))


def example(number: int) -> tuple[str, TableLimits]:
    """The box and the limits of a worked example."""
    lying, table = EXAMPLES[number - 1].values[:2]
    assert isinstance(lying, str)
    assert isinstance(table, TableLimits)
    return lying, table


def example_two() -> Iterator[str]:
    """The second example in money: what each wins on Banker, and what comes back."""
    lying, table = example(2)
    shares = pro_rata(box(lying), table)
    (pays,) = (line.pays for line in COMMISSION.bet("banker").lines if line.when.winner == "banker")
    yield "S +{}, T1 +{}, T2 +{}".format(*(f"{float(pays * one.plays) / 100:,.2f}" for one in shares))
    yield "and {}, {} and {} come back unplayed".format(*(f"{one.unplayed // 100:,}" for one in shares))
    kept = reject_excess(box(lying), table)
    yield "S would keep {}, T1 would be cut to {} and T2 rejected".format(
        *(f"{one.plays // 100:,}" for one in kept[:2])
    )


def caps() -> str:
    made = offer(INSURANCE, pb.deal("2 2 3 4"))
    assert made is not None
    each = ("1.5:1", "2:1", "3:1", "4:1", "6:1", "7:1", "8:1")
    offers = [replace(made, row=replace(made.row, odds=read_odds(one))) for one in each]
    first, *others = (f"{one.row.odds} {cap(one, original=1000, unit=1)}" for one in offers)
    return ", ".join([first.replace(" ", " gives "), *others])


def versions() -> Iterator[str]:
    for title, game in (
        ("Commission Baccarat", COMMISSION),
        ("Non-Commission Baccarat, Electronic Table Game", GAMES["non-commission-etg"]),
        ("Non-Commission Baccarat with Super Six", GAMES["super-six"]),
        ("Commission Baccarat with Insurance", INSURANCE),
        ("Wu Song (Non-Commission Baccarat)", WU_SONG),
    ):
        yield f"{title}, version {game.version}"


def dated() -> Iterator[str]:
    """The table at the beginning of the rulings, row by row."""
    for key in ("commission", "non-commission-etg", "wu-song"):
        game = GAMES[key]
        assert game.effective is not None
        yield f"| {game.version} | {game.effective:%-d %B %Y, %H:%M}"
    assert INSURANCE.effective is not None
    yield f"| {GAMES['super-six'].version} | not stated"
    yield f"| {INSURANCE.version} | {INSURANCE.effective:%-d %B %Y}"


COMMISSION_PRICES = odds.price(COMMISSION, EIGHT)
BANKER = COMMISSION_PRICES["banker"]
TIMING = setup.Timing()
FELT = opening_setup(COMMISSION)
KIB = 1024

CALCULATED: dict[str, list[str]] = {
    "README.md": [
        *versions(),
        f"three players with {demo.MONEY // 100:,} of play money each",
        f"Python {PYTHON} or newer, Node.js {NODE} and make",
    ],
    "docs/integrator.md": [
        f"OpenAPI {openapi.document()['openapi'].removesuffix('.0')}",
        f"AsyncAPI {asyncapi.document()['asyncapi'].removesuffix('.0')}",
        f"{connection.SIGNED_OUT}: signed out",
        f"{publisher.RIGHTS_CHANGED}: your rights have changed",
        f"{connection.SILENT}: you sent nothing",
        f"{uvicorn_protocols.NOT_TEXT}: not UTF-8",
        f"{uvicorn_protocols.TOO_FAST}: too many messages",
        f"{connection.TOO_SLOW}: you read too slowly",
        f"the connection is closed with {uvicorn_protocols.TOO_FAST}",
        f"a request's body {of_bodies.LARGEST_BODY // KIB} KiB, with a game file "
        f"{of_bodies.LARGEST_WITH_A_GAME // KIB} KiB; {of_bodies.MOST_PARTS:,} brackets and commas",
        f"{session.MOST_TABLES} on one live connection",
        f"{admission.HEAD // KIB} KiB and {uvicorn_protocols.LINES} lines",
        f"parts of a chunked body | {uvicorn_protocols.PARTS} |",
        f"lines of a slip | {house.MOST_LINES} |",
    ],
    "docs/odds.md": [
        f"({percent(BANKER.house_edge_resolved, 2)} instead of {percent(BANKER.house_edge, 2)} on Banker)",
        f"over the {len(reachable())} Outcomes",
        f"gives the bettor {percent(best_cell(), 2)}",
    ],
    "docs/operator/start.md": [f"Python {PYTHON}", f"Node.js {NODE}", f"runs as user {USER}"],
    "docs/tutorials/contributor.md": [f"Python {PYTHON}, Node.js {NODE}"],
    "docs/operator/backup.md": [f"{keyring.SIZE} bytes in base64"],
    "docs/operator/tables.md": [f"favour by {LARGE_EDGE // 10_000} % of the stake or more"],
    "docs/scenarios.md": [
        f"| `burn` | {FELT.burn} |",
        f"| `cut_card` | {FELT.cut_card} |",
        f"| `decks` | {FELT.decks} |",
        f"| `closing_notice` | `{FELT.policy.closing_notice}` |",
        f"| `handover_grace` | `{FELT.policy.handover_grace}` |",
        f"`betting` {TIMING.betting}, `drain` {TIMING.drain}, `squeeze` {TIMING.squeeze}, `insurance` "
        f"{TIMING.insurance}, `options` {TIMING.options} (at least {setup.LEAST_OPTIONS})",
    ],
    "docs/store.md": [f"every {writer.SNAPSHOT_EVERY:,} events"],
    "docs/rulings.md": [
        *dated(),
        f"worth about {every_total_of_one()} to the bettor",
        f"known first Player card of 9 is worth {known_first(Rank.NINE, 'player')} and of 8 "
        f"{known_first(Rank.EIGHT, 'player')} to a Player bet",
        f"Banker 6 against Player 0 {infinite(0)}, 4 {infinite(4)}, 5 {infinite(5)}",
        f"{GREATEST_STAKE // 100:,}.00",
        f"favour by {LARGE_EDGE // 10_000} % of the stake",
        *live_thirds(),
        *example_two(),
        f"Caps for an Original Bet of 1,000 and a chip unit of 1: {caps()}.",
        f"With 300 already staked at 2:1, a later 7:1 is capped at (1,000 − 600) / 7, that is {(1000 - 2 * 300) // 7}.",
        f"A Banker bet of 1,000 fully insured at 2:1 with 500 nets {2 * 500 - 1000} when Banker loses, "
        f"+{950 - 500} when Banker wins and 0 on a tie.",
        "| Player total | Banker 3 | Banker 4 | Banker 5 | Banker 6 |",
        f"`drain` (of the timing) | {TIMING.drain // 1000} second |",
        f"`unit` (of the set-up) | {FELT.unit / 100:.2f} |",
        f"is {setup.LEAST_OPTIONS // 1000} seconds at the least",
    ],
    "docs/adr/0002-whole-cents-and-exact-odds.md": [f"{GREATEST_STAKE // 100:,}.00"],
    "docs/adr/0021-credentials-and-sign-in.md": [
        f"({of_passwords.LEAST}, staff {of_passwords.LEAST_STAFF}, at most {of_passwords.MOST}, any script)",
        f"the first {of_passwords.READ_AT_MOST} characters",
    ],
}
"""By page, what stands there with the number in it."""


# ---- given ---------------------------------------------------------------------------------------------------------

EVERYWHERE = {
    r"\bRFC \d+": "the number of a standard",
    r"[Ee]xit(s|ed)?( code)?( is| with)?( code)? \d+( if [^.|]*)?": "tests run the command and read its exit code",
    r"mode (of )?0?\d{3}\d?\b": "tests look at the mode of the file",
    r"\b(SHA|AES|UTF)-\d+": "the name of a standard",
}
"""What may stand on any page, as a pattern, and why."""
MEASURED = "measured once, by the command that stands beside it"
RECORDS = ("docs/adr/",)
"""Decisions say what was known when they were taken, and are not changed afterwards."""
GIVEN: dict[str, dict[str, str]] = {
    "README.md": {r"its HTTP status, if not 409": "tests/web/http/test_openapi.py knows the status of a refusal"},
    "CONTRIBUTING.md": {r"Branch coverage of the core is 100 %": "the Makefile fails below it"},
    "docs/integrator.md": {
        r"1 to 64 letters, digits": "tests/client/test_operations.py tries what is longer",
        r"slot 0": "an example of a slot",
        r"1009: a message was too large": "tests/web/live/test_connection.py reads it",
        r"is refused with 429": "a status of HTTP",
        r"(?<=`password_must_change` \()401|(?<=`second_factor_needed` \()401": "a status of HTTP",
        r"\| \d{3}(, \d{3})?( with the reason `\w+`)? \|": "a status of HTTP, each with an example in OpenAPI",
        r"The second 429 on one connection": "a status of HTTP",
    },
    "docs/odds.md": {
        r"\| (0|2|130) \| [^|]* \|": "tests/cli/test_odds_commands.py reads the exit codes",
        r"\(55 tables\)": "the unordered pairs of ten point classes",
        r"\(below 2\^53\), 64-bit integers above|where 64 bits overflow": "what floats and integers hold",
        r"tags up to 2 that": "the default of best_count, as its signature says",
        r"Measured once with seeds [\s\S]*?156 MB\.": MEASURED,
    },
    "docs/operator/trouble.md": {
        r"\| (0|1|2) \|": "tests/web/test_serve.py reads the exit codes",
        r"such as 17": "an example of a number",
        r"`puntobanco_program_held` is 1": "a gauge that is 0 or 1",
        r"answers 503": "a status of HTTP",
    },
    "docs/operator/watching.md": {
        r"anybody else gets 404": "tests/web/handlers/test_monitoring.py asks without the token",
        r"less than 10 % free space": "advice, not a figure of the software",
    },
    "docs/operator/backup.md": {r"AES-256-GCM": "the name of a standard"},
    "docs/scenarios.md": {
        r"\| (0|1|2) \| (every|at least|the file)": "tests/cli/test_commands.py reads the exit codes",
        r"\(counted from 1; 0 is the opening\)": "how steps are counted",
        r"[^|]*0: [^|]*\|": "the meaning of nought in a field",
        r"counted from 1; by default": "how chips are counted",
        r"1 and 3 are the Player's, 2 and 4 the Banker's": "the order of dealing",
        r"the first is 1 \|": "how rounds are counted",
        r"box 0 on the electronic table": "the box of a table without boxes",
    },
    "docs/formats.md": {
        r"AsyncAPI 3\.0": "tests/web/http/test_asyncapi.py reads the version of the document",
        r"JSON in base64": "the name of an encoding",
    },
    "docs/store.md": {
        r"version from 1 without gaps": "how versions are counted",
        r"32 zero bytes": "as many bytes as a SHA-256 has",
        r"a table of 100,000 events .* house of 50 tables": "what benchmarks/store.py measures",
        r"\| 64 terminals": "what tests/house/torture.py opens",
    },
    "docs/testing.md": {
        r"\b5xx\b": "the statuses of a server's own faults",
        r"### Measured\n[\s\S]*?(?=\n## )": MEASURED,
        r"about 750 lines .* draws no samples": MEASURED,
        r"### Measured scores\n[\s\S]*": MEASURED,
    },
    "docs/tutorials/integrator.md": {r"buys in for 500": "what the program below does"},
    "docs/tutorials/operator.md": {r"key in 1,000": "an example of an amount"},
    "docs/tutorials/player.md": {r"wins 100 and pays a commission of 5": "what the command above prints"},
    "docs/rulings.md": {
        r"(?m)^\| [A-Z]{3}-\d+ \|.*$": "a row is held by the tests and scenarios that cite its id",
        r"(?m)^\| \d \| .* \|$": "test_the_worked_examples_of_the_rulings_are_calculated",
        r"another number of seconds; 0: off": "the meaning of nought in a field",
        r"Example 2 in money": "the number of an example",
        r"Banker Small 7 is lost unless b = 7, Small Tiger is lost unless b = 6, and b ≥ 7": (
            "tests/rulebook/test_long_documents_established.py opens the Banker's cards alone"
        ),
        r"the 7 bets|(Player|Banker)( Big| Small)? 7\b": "names of bets",
        r"Against Banker 0 to 2 it is live": "the Banker draws on them whatever the third card is",
        r"`L` = 10,000, `m` = 100, chip unit 1|S is seated, T1 and T2 stand": "what they begin with",
        r"\| Bet \| after 3 cards \| after 4 cards \| after 5, [^\n]*|\n\| [\w ]+ \| [^|]*(lost|open)[^|]* \|[^\n]*": (
            "test_the_stages_of_the_rulings_are_those_of_the_code"
        ),
    },
}
"""By page, as patterns, and why each is not calculated here."""


def left(page: str) -> list[str]:
    """Numbers that nothing accounts for, each with what stands around it."""
    text = text_of(page)
    for written in CALCULATED.get(page, ()):
        text = text.replace(written, " ")
    for pattern in (*EVERYWHERE, *GIVEN.get(page, ())):
        text = re.sub(pattern, " ", text)
    text = plain(text)
    return [text[max(0, one.start() - 50) : one.end() + 30] for one in re.finditer(r"\d[\d,.]*", text)]


@pytest.mark.parametrize("page", CALCULATED)
def test_a_calculated_number_stands_on_its_page(page: str) -> None:
    text = text_of(page)
    assert [written for written in CALCULATED[page] if written not in text] == []


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_every_number_is_calculated_or_listed_with_a_reason(page: str) -> None:
    if page not in GENERATED and not page.startswith(RECORDS):
        assert left(page) == []


def test_no_reason_is_given_for_what_is_not_there() -> None:
    texts = {str(page.relative_to(ROOT)): text_of(str(page.relative_to(ROOT))) for page in PAGES}
    stale = [(page, one) for page, given in GIVEN.items() for one in given if not re.search(one, texts[page])]
    stale += [("every page", one) for one in EVERYWHERE if not any(re.search(one, text) for text in texts.values())]
    assert stale == []


def test_every_test_that_a_reason_names_exists() -> None:
    reasons = [reason for given in (EVERYWHERE, *GIVEN.values()) for reason in given.values()]
    assert [
        file for file in re.findall(r"(?:tests|benchmarks)/[\w/]+\.py", " ".join(reasons)) if not (ROOT / file).exists()
    ] == []
    assert [name for name in re.findall(r"\btest_\w+\b(?!\.py)", " ".join(reasons)) if name not in globals()] == []


# ---- tables of the rulings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 10))
def test_the_worked_examples_of_the_rulings_are_calculated(number: int) -> None:
    lying, table = example(number)
    (row,) = re.findall(
        rf"(?m)^\| {number} \| (.*) \|$", text_of("docs/rulings.md").partition("### Nine")[2].partition("\n## ")[0]
    )
    said, apart, most, *cells = row.split(" | ")
    bets = parts(lying)
    heavy, light = sorted((sum(amount for _, amount, side in bets if side == one) for one in "BP"), reverse=True)
    assert (apart, most) == (f"{heavy - light:,}", f"{light + table.differential // 100:,}")
    for policy, cell in zip(ProRata, [cells[0], cells[0] if cells[1] == "the same" else cells[1]], strict=True):
        plays = [amount for _, amount, _ in parts(played(pro_rata(box(lying), table, policy)))]
        written = [int(one.replace(",", "")) for one in re.findall(r"(?<![\w.(])\d[\d,]*(?![\d.]|,\d)", cell)]
        if number == 9:
            assert set(plays) == set(written) - {sum(plays)}
        else:
            assert written[: len(plays)] == plays, cell
            assert f"{bets[0][1]:,}" in said


def parts(line: str) -> list[tuple[str, int, str]]:
    return [(person, int(amount), side) for person, amount, side in (one.split() for one in line.split(", "))]


def test_the_stages_of_the_rulings_are_those_of_the_code() -> None:
    titles = {bet.title.en: bet.key for game in GAMES.values() for bet in game.bets}
    rows = re.findall(r"(?m)^\| ([\w ]+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text_of("docs/rulings.md"))
    stages = {titles[title]: cells for title, *cells in rows if title in titles and "p " in cells[0]}
    assert stages.keys() == {"super_six", *AFTER_FOUR} - {"player", "banker", "tie"}
    for p, b in product(range(10), repeat=2):
        known = super_six(p, b)
        for key, (three, four, five) in stages.items():
            assert standing_by(four, p, b) == (known if key == "super_six" else AFTER_FOUR[key](p, b)), (key, p, b)
            if key != "super_six":
                assert standing_by(three, p, b) == AFTER_THREE[key](p), (key, three, p)
                assert standing_by(five, p, b) == AFTER_FIVE[key](p), (key, five, p)


def super_six(p: int, b: int) -> Standing:
    """Of the game that offers it, which no long document does."""
    game = GAMES["super-six"]
    shown = {index: card.rank for index, card in enumerate(read_cards(opening(p, b)), start=1)}
    return standings(game, game.layout(), shown)["super_six"]


def standing_by(cell: str, p: int, b: int) -> Standing:
    """What a cell such as `won at (6,7); open if b = 7 and p ≤ 5; else lost` says about those totals."""
    cell = re.sub(r"with p (\d(?:, \d)*)", lambda found: f"and p in {found[1].replace(', ', '/')}", cell)
    cell = cell.replace(" with ", " and ")
    result = Standing.OPEN
    for clause in cell.replace("P", "p").replace(", else", "; else").split("; "):
        found = re.fullmatch(r"(?:else )?(won|lost|open)?(?: (?:if|at) )?(.*)", clause)
        assert found is not None, clause
        result = Standing(found[1]) if found[1] else result
        if not found[2] or any(holds(one, p, b) for one in re.split(r", or |, | or ", found[2])):
            return result
    return Standing.OPEN


def holds(condition: str, p: int, b: int) -> bool:
    """`b = 4 to 6 and p in 4/5`, or a pair of totals such as `(2,5)`."""
    return all(term_holds(term, p, b) for term in condition.split(" and "))


def term_holds(term: str, p: int, b: int) -> bool:
    if pair := re.fullmatch(r"\((\d),(\d)\)", term):
        return (p, b) == (int(pair[1]), int(pair[2]))
    if among := re.fullmatch(r"p in ([\d/]+)", term):
        return str(p) in among[1].split("/")
    found = re.fullmatch(r"([pb]) ([≥≤=≠]) (\d)(?: to (\d))?", term)
    assert found is not None, term
    total, least = p if found[1] == "p" else b, int(found[3])
    if found[4]:
        return least <= total <= int(found[4])
    return {"≥": total >= least, "≤": total <= least, "=": total == least, "≠": total != least}[found[2]]
