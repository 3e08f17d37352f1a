"""The operations of the API, each a typed call by its own name. A refusal is raised as `Refused`."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx
import msgspec

from puntobanco.client.live import Live
from puntobanco.protocol.administration import (
    AdministrativeRequest,
    ConfirmationCard,
    DeclineRequest,
    GameCard,
    Health,
    JournalPage,
    PersonCard,
    SessionCard,
)
from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand, GuestProof
from puntobanco.protocol.answers import Answer, Problem, Wire
from puntobanco.protocol.export import Exported
from puntobanco.protocol.figures import (
    Figures,
    GameSource,
    InSight,
    Pricing,
    ShoeNow,
    Simulated,
    SimulationRequest,
    TableTakings,
)
from puntobanco.protocol.live import Whole
from puntobanco.protocol.money import Account, FloatCard, TillReport, Wallet
from puntobanco.protocol.rounds import FoundRounds, RoundPage, RoundRecord, RoundSteps, ShoeProof
from puntobanco.protocol.sign_in import Enrolled, Entered, Me, NewPassword, OneTimePassword, SignIn, Ticket
from puntobanco.protocol.tables import AlertCard, Chip, Chips, FaultCard, Foresee, Foreseen, Scanned, Send, TableCard
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.table.commands import AnyCommand, Report, Rule

Result = TypeVar("Result")
Codes = Callable[[Enrolled | None], Awaitable[str]]
"""Gives a code of the second factor; with what to set it up, the first time."""
PATIENCE = 30.0


class Client:
    """One identity in a house. `slot` is which of a browser's identities it would be: each has a cookie of its own."""

    def __init__(self, url: str, *, slot: int = 0, language: str = "en", http: httpx.AsyncClient | None = None) -> None:
        self.url, self.slot, self.language = url.rstrip("/"), slot, language
        self.http = http or httpx.AsyncClient(timeout=PATIENCE)
        self._base = f"{self.url}/u/{slot}/api"

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.aclose()

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def enter(
        self, name: str, password: str, *, new_password: str | None = None, codes: Codes | None = None
    ) -> Me:
        """Sign in, whatever it takes: a one-time password is changed for the new one, and codes are asked for."""
        code: str | None = None
        chosen: str | None = None
        while True:
            try:
                entered = await self.sign_in(name, password, code=code, new_password=chosen)
            except Refused as refused:
                if refused.reason is Reason.PASSWORD_MUST_CHANGE and chosen is None and new_password is not None:
                    chosen = new_password
                elif refused.reason is Reason.SECOND_FACTOR_NEEDED and code is None and codes is not None:
                    code = await codes(None)
                else:
                    raise
                continue
            if entered.me is not None:
                return entered.me
            if entered.enrol is None or codes is None or code is not None:
                sentence = "A second factor has to be set up."
                raise Refused.of(Refusal(Reason.SECOND_FACTOR_NEEDED, sentence=sentence))
            code = await codes(entered.enrol)

    async def sign_in(
        self, name: str, password: str, *, code: str | None = None, new_password: str | None = None
    ) -> Entered:
        body = SignIn(name=name, password=password, code=code, new_password=new_password)
        return await self._post("/sign-in", body, Entered)

    async def use_ticket(self, ticket: str) -> Entered:
        return await self._post("/ticket", Ticket(ticket=ticket), Entered)

    async def sign_out(self) -> None:
        await self._tell("/sign-out")

    async def me(self) -> Me:
        return await self._get("/me", Me)

    async def change_password(self, old: str, new: str) -> None:
        await self._tell("/password", NewPassword(old=old, new=new))

    # ---- tables --------------------------------------------------------------------------------------------------

    async def tables(self) -> list[TableCard]:
        return await self._get("/tables", list[TableCard])

    async def table(self, table: str) -> Whole:
        """A table as it is now; to go on seeing it, watch it over `live`."""
        return await self._get(_path("tables", table), Whole)

    async def send(
        self, table: str, command: AnyCommand, request: str | None = None, *, proof: GuestProof | None = None
    ) -> Answer:
        """`request`: the number of this command; sent again with the same number it happens once. `proof`: the PIN or
        card of the guest whose money a buy-in moves."""
        body = Send(request=request or number(), command=command, proof=proof)
        return await self._post(_path("tables", table, "commands"), body, Answer)

    async def scan(self, table: str, card: str, request: str | None = None) -> Answer:
        return await self._post(
            _path("tables", table, "cards"), Scanned(request=request or number(), card=card), Answer
        )

    async def chips(self, table: str, chips: tuple[Chip, ...], request: str | None = None) -> Answer:
        return await self._post(
            _path("tables", table, "chips"), Chips(request=request or number(), chips=chips), Answer
        )

    async def rounds(self, table: str, *, before: int | None = None, most: int = 50) -> RoundPage:
        return await self._get(_path("tables", table, "rounds"), RoundPage, before=before, most=most)

    async def round(self, table: str, round: int) -> RoundRecord:
        return await self._get(_path("tables", table, "rounds", str(round)), RoundRecord)

    async def shoe(self, table: str) -> ShoeProof:
        return await self._get(_path("tables", table, "shoe"), ShoeProof)

    async def earlier_shoe(self, table: str, shoe: str) -> ShoeProof:
        return await self._get(_path("tables", table, "shoes", shoe), ShoeProof)

    async def faults(self, table: str) -> list[FaultCard]:
        return await self._get(_path("tables", table, "faults"), list[FaultCard])

    async def foresee(self, table: str, command: Report | Rule) -> Foreseen:
        """What a report or a ruling would lead to; nothing happens."""
        return await self._post(_path("tables", table, "foresee"), Foresee(command=command), Foreseen)

    # ---- disputes ------------------------------------------------------------------------------------------------

    async def find_rounds(
        self,
        *,
        table: str | None = None,
        since: int = 0,
        before: int | None = None,
        person: str | None = None,
        least: int | None = None,
        most: int | None = None,
    ) -> FoundRounds:
        return await self._get(
            "/rounds", FoundRounds, table=table, since=since, before=before, person=person, least=least, most=most
        )

    async def round_steps(self, table: str, round: int) -> RoundSteps:
        return await self._get(_path("tables", table, "rounds", str(round), "steps"), RoundSteps)

    async def export_round(self, table: str, round: int) -> Exported:
        return await self._get(_path("tables", table, "rounds", str(round), "export"), Exported)

    async def alerts(self) -> list[AlertCard]:
        return await self._get("/alerts", list[AlertCard])

    # ---- figures -------------------------------------------------------------------------------------------------

    async def edges(self, game: str, *, layout: str | None = None, decks: int = 8) -> Figures:
        return await self._get(_path("games", game, "edges"), Figures, layout=layout, decks=decks)

    async def odds(self, pricing: Pricing) -> Figures:
        return await self._post("/odds", pricing, Figures)

    async def worth(self, table: str) -> InSight:
        return await self._get(_path("tables", table, "worth"), InSight)

    async def shoe_now(self, table: str) -> ShoeNow:
        return await self._get(_path("tables", table, "shoe-now"), ShoeNow)

    async def takings(self, table: str) -> TableTakings:
        return await self._get(_path("tables", table, "takings"), TableTakings)

    async def simulate(self, simulation: SimulationRequest) -> Simulated:
        return await self._post("/simulations", simulation, Simulated)

    async def simulated(self, number: int) -> Simulated:
        return await self._get(_path("simulations", str(number)), Simulated)

    async def stop(self, number: int) -> None:
        await self._tell(_path("simulations", str(number), "stop"))

    # ---- money ---------------------------------------------------------------------------------------------------

    async def own_wallet(self) -> Wallet:
        return await self._get("/wallet", Wallet)

    async def players_wallet(self, person: str) -> Wallet:
        return await self._get(_path("people", person, "wallet"), Wallet)

    async def accounts(self, *, begins: str = "") -> list[Account]:
        return await self._get("/accounts", list[Account], begins=begins)

    async def floats(self) -> list[FloatCard]:
        return await self._get("/floats", list[FloatCard])

    async def tills(self) -> list[TillReport]:
        return await self._get("/tills", list[TillReport])

    async def set_proof(self, proof: GuestProof) -> None:
        await self._tell("/proof", proof)

    async def give_proof(self, person: str, proof: GuestProof) -> None:
        await self._tell(_path("people", person, "proof"), proof)

    # ---- administration ---------------------------------------------------------------------------------------------

    async def errand(
        self, command: AnyAdministrativeCommand, request: str | None = None, *, proof: GuestProof | None = None
    ) -> Answer:
        """`proof`: the PIN or card of the guest whose money a withdrawal moves."""
        return await self._post(
            "/office", AdministrativeRequest(request=request or number(), command=command, proof=proof), Answer
        )

    async def waiting(self) -> list[ConfirmationCard]:
        return await self._get("/waiting", list[ConfirmationCard])

    async def confirm(self, number: int) -> Answer:
        return await self._post(_path("waiting", str(number), "confirm"), None, Answer)

    async def decline(self, number: int, reason: str) -> Answer:
        return await self._post(_path("waiting", str(number), "decline"), DeclineRequest(reason=reason), Answer)

    async def people(self) -> list[PersonCard]:
        return await self._get("/people", list[PersonCard])

    async def sessions_of(self, person: str) -> list[SessionCard]:
        return await self._get(_path("people", person, "sessions"), list[SessionCard])

    async def give_password(self, person: str) -> OneTimePassword:
        return await self._post(_path("people", person, "password"), None, OneTimePassword)

    async def force_out(self, person: str) -> None:
        await self._tell(_path("people", person, "sign-out"))

    async def journal(self, *, after: int = 0, most: int = 200) -> JournalPage:
        return await self._get("/book", JournalPage, after=after, most=most)

    async def games(self) -> list[GameCard]:
        return await self._get("/games", list[GameCard])

    async def game(self, game: str) -> GameCard:
        return await self._get(_path("games", game), GameCard)

    async def game_source(self, game: str) -> GameSource:
        return await self._get(_path("games", game, "source"), GameSource)

    async def health(self) -> Health:
        return await self._get("/health", Health)

    # ---- live ----------------------------------------------------------------------------------------------------

    def live(self, **more: Any) -> Live:
        """A live connection of whoever is signed in; see `Live` for what it may be told."""
        address = f"{self._base}/live"
        parts = urlsplit(self.url)
        return Live(
            f"{'wss' if parts.scheme == 'https' else 'ws'}{address[len(parts.scheme) :]}?language={self.language}",
            origin=f"{parts.scheme}://{parts.netloc}",
            cookie=lambda: self.http.build_request("GET", address).headers.get("cookie", ""),
            **more,
        )

    # ---- over the wire -------------------------------------------------------------------------------------------

    async def _get(self, path: str, gives: type[Result], **query: str | int | None) -> Result:
        asked = {name: str(value) for name, value in query.items() if value is not None}
        return msgspec.json.decode(await self._sent("GET", path, query=asked), type=gives)

    async def _post(self, path: str, body: Wire | None, gives: type[Result]) -> Result:
        return msgspec.json.decode(await self._tell(path, body), type=gives)

    async def _tell(self, path: str, body: Wire | GuestProof | None = None) -> bytes:
        return await self._sent("POST", path, msgspec.json.encode(body) if body is not None else b"")

    async def _sent(self, method: str, path: str, content: bytes = b"", query: dict[str, str] | None = None) -> bytes:
        headers = {"accept-language": self.language}
        if method != "GET":
            headers |= {"x-puntobanco": "1", "content-type": "application/json"}
        answer = await self.http.request(
            method, self._base + path, content=content, params=query or None, headers=headers
        )
        if answer.headers.get("content-type", "").startswith("application/problem+json"):
            raise Refused.of(msgspec.json.decode(answer.content, type=Problem))
        answer.raise_for_status()
        return answer.content


def number() -> str:
    """A number nobody has used."""
    return uuid4().hex


def _path(*parts: str) -> str:
    return "".join(f"/{quote(part, safe='')}" for part in parts)
