"""Odds: exact figures for any shoe and for the shoe in use, and simulations. Computed in the odds process."""

from typing import Any

import msgspec

from puntobanco.house.audit.takings import expected
from puntobanco.house.pricing.appraisal import in_sight, question
from puntobanco.protocol.figures import (
    BetTaken,
    Figures,
    GameSource,
    InSight,
    Pricing,
    ShoeNow,
    Simulated,
    SimulationRequest,
    TableTakings,
)
from puntobanco.protocol.posts import PIT, STAFF, TRUSTED, Post
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.betting import decided_bets
from puntobanco.web.http.operations import ANYONE, LARGEST_WITH_A_GAME, operation
from puntobanco.web.services import Call

WATCHERS = PIT | {Post.AUDITOR}
MOST_ROUNDS = 20_000_000_000


class Edges(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """On which layout and shoe to compute the edge."""

    layout: str | None = None
    """The key of the layout; null for the first of the game."""
    decks: int = 8


@operation("GET", "/games/{game}/edges", "Get the exact edge of every bet on a full shoe", who=ANYONE, gives=Figures,
           query=Edges)  # fmt: skip
async def edges(asked: Call) -> Figures:
    """Computed exactly, without simulation."""
    game = await game_of(asked, asked.path["game"])
    query: Edges = asked.query
    found = await asked.services.odds_service.ask(
        asked.person, staff=_is_staff(asked), do="price", content=game.canonical().decode(), layout=query.layout,
        decks=query.decks,
    )  # fmt: skip
    return Figures(figures=found)


@operation(
    "POST", "/odds", "Compute the exact odds of every bet of a game or game file on any shoe", who=ANYONE,
    takes=Pricing, gives=Figures, largest=LARGEST_WITH_A_GAME,
    example={"game": "wu-song", "layout": "A", "shoe": "A=32,2=31,9=32,K=30"},
)  # fmt: skip
async def odds(asked: Call) -> Figures:
    """For a game of the house or the text of a game file, on full decks or the cards of a shoe."""
    body: Pricing = asked.body
    question = await _meant(asked, body) | {"layout": body.layout, "decks": body.decks, "shoe": body.shoe}
    ask, staff = asked.services.odds_service.ask, _is_staff(asked)
    figures = await ask(asked.person, staff=staff, do="price", **question)
    removal = await ask(asked.person, staff=staff, do="removal", **question) if body.removal else None
    return Figures(figures=figures, removal=removal)


@operation("GET", "/tables/{table}/shoe-now", "Get the exact return of every bet on the cards left in the shoe",
           who=WATCHERS, gives=ShoeNow)  # fmt: skip
async def shoe_now(asked: Call) -> ShoeNow:
    """Cards that were seen are removed from full decks. Burnt and face-down cards count as still in the shoe. Cards in
    sight before betting closes are the first cards of the round."""
    running = asked.table
    state = in_sight(running.state)
    if state.setup is None or state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    about = question(running, state)
    found = await asked.services.odds_service.ask(asked.person, staff=True, do="live", **about)
    return ShoeNow(
        table=running.name, version=state.version, shoe=about["shoe"], cards=found["cards"], returns=found["returns"],
        favourable=tuple(found["favourable"]),
    )  # fmt: skip


@operation("GET", "/tables/{table}/worth", "Get the return of every bet on the cards in sight before betting closes",
           who=STAFF | {Post.AUDITOR}, gives=InSight)  # fmt: skip
async def worth(asked: Call) -> InSight:
    """For the person who permits or decides on such a round. Answers within a second or not at all."""
    running = asked.table
    state = in_sight(running.state)
    found = await asked.services.appraisal.in_time(running)
    return InSight(
        table=running.name,
        version=state.version,
        cards=tuple(str(card) if card is not None else None for card in state.front) if any(state.front) else (),
        not_offered=decided_bets(running.felt, state),
        worth=found.returns if found is not None and found.cards == state.front else None,
    )


@operation("GET", "/tables/{table}/takings", "Compare the takings of a table with theory", who=WATCHERS,
           gives=TableTakings)  # fmt: skip
async def takings(asked: Call) -> TableTakings:
    """Theory is that of a full shoe. Bets are assumed to be independent, so the band is slightly too narrow if many bet
    on one round."""
    running = asked.table
    history = await asked.services.publisher.history(running.name)
    by_bet = history.takings.by_bet
    told = TableTakings(
        table=running.name,
        rounds=len(history.rounds),
        rounds_per_hour=history.rounds_per_hour(asked.services.house.clock()),
        turnover=sum(one.turnover for one in by_bet.values()),
        won=sum(one.won for one in by_bet.values()),
        bets=tuple(
            BetTaken(bet=key, bets=one.bets, turnover=one.turnover, won=one.won) for key, one in sorted(by_bet.items())
        ),
    )
    setup = running.state.setup
    if setup is None or not by_bet:
        return told
    try:
        prices = await asked.services.odds_service.ask(
            asked.person, staff=True, do="price", content=running.game.canonical().decode(), layout=setup.layout,
            decks=setup.decks,
        )  # fmt: skip
    except Refused:
        return told
    edges = {key: one["decimal"]["house_edge"] for key, one in prices["bets"].items()}
    theory = expected(history.takings, edges, {key: one["stdev"] for key, one in prices["bets"].items()})
    return msgspec.structs.replace(told, priced=theory.priced, expected=theory.won, low=theory.low, high=theory.high)


# ---- simulations -------------------------------------------------------------------------------------------------


@operation(
    "POST", "/simulations", "Start a simulation, at low priority", who=TRUSTED,
    takes=SimulationRequest, gives=Simulated, largest=LARGEST_WITH_A_GAME,
    example={"game": "commission", "rounds": 1000000000},
)  # fmt: skip
async def simulate(asked: Call) -> Simulated:
    """A person may run one simulation at a time. Ask for its progress by the number in the answer."""
    body: SimulationRequest = asked.body
    if not 1 <= body.rounds <= MOST_ROUNDS:
        raise Refused(Reason.ROUNDS_OUT_OF_RANGE, rounds=body.rounds, most=MOST_ROUNDS)
    number = asked.services.odds_service.simulate(
        asked.person, do="simulate", layout=body.layout, decks=body.decks, rounds=body.rounds, seed=body.seed,
        **await _meant(asked, body),
    )  # fmt: skip
    return Simulated(number=number)


@operation("GET", "/simulations/{number}", "Get the progress and results of a simulation", who=TRUSTED,
           gives=Simulated)  # fmt: skip
async def simulated(asked: Call) -> Simulated:
    """Only the person who started it may ask."""
    number = asked.number("number")
    run = asked.services.odds_service.run(asked.person, number)
    if run.refused is not None:
        raise run.refused
    return Simulated(number=number, done=run.done, progress=run.progress)


@operation("POST", "/simulations/{number}/stop", "Stop a simulation and keep its results", who=TRUSTED)
async def stop(asked: Call) -> None:
    """Only the person who started it may stop it."""
    await asked.services.odds_service.stop(asked.person, asked.number("number"))


def _is_staff(asked: Call) -> bool:
    return asked.services.house.person(asked.person).is_trusted


async def _meant(asked: Call, body: Pricing | SimulationRequest) -> dict[str, Any]:
    """The game for the odds process. A file sent by the caller is parsed there, so that no table waits."""
    if body.content is None and not body.pays:
        return {"content": (await game_of(asked, body.game)).canonical().decode()}
    text = body.content if body.content is not None else await asked.services.source_of(body.game)
    return {"text": text, "pays": body.pays}


@operation("GET", "/games/{game}/source", "Get the source of a game file", who=ANYONE, gives=GameSource)
async def game_source(asked: Call) -> GameSource:
    """The text of a file, as `POST /odds` takes it."""
    key = asked.path["game"]
    return GameSource(key=key, content=await asked.services.source_of(key))


async def game_of(asked: Call, key: str) -> Game:
    """Find a built-in game or one that this house added."""
    own = asked.services.house.journal.games.get(key)
    if own is None:
        return library.game(key)
    content = await asked.services.house.store.game(own)
    assert content is not None, "kept before it was entered in the journal"
    return library.from_canonical(content)
