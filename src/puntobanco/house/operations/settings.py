"""What a house can be told: one tree of values, each with its meaning, read from a file and from the environment.

The meanings stand beside the fields, so the page of settings and the example file are drawn from them. What cannot be
meant is refused before anything starts: see `settings_reading`.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.refusal import Expected, TypeName
from puntobanco.table.authority import Confirmation

PREFIX = "PUNTOBANCO_"
DAY = 86_400
MASK = "***"


def means(meaning: str, form: Expected | None = None, *, ge: int | None = None, le: int | None = None) -> msgspec.Meta:
    """What a field is for; the form of its text where it has one, or `ge` and `le` of its number."""
    return msgspec.Meta(description=meaning, extra={"form": form}, ge=ge, le=le)


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the settings: a table of the file, a middle word of the variables."""


class HouseSettings(Section, frozen=True):
    name: Annotated[str, means("The name people see on every screen.")] = "puntobanco"
    play_money: Annotated[bool, means("Whether money here is play money, and every screen says so.")] = True
    roads_drop_when_free: Annotated[
        bool,
        means(
            "Whether a run on the Big Road and the derived roads that has turned right goes down again where there is "
            "room; otherwise it stays on its row."
        ),
    ] = False
    demo: Annotated[
        bool, means("Whether the house has a person for each role whose sign-in is printed. On this machine alone.")
    ] = False


class StoreSettings(Section, frozen=True):
    place: Annotated[
        str,
        means("Where histories and money are kept: a file, or `postgresql://user@host/database`.", Expected.PLACE),
    ] = "house.db"
    place_file: Annotated[
        str, means("A file that holds the place instead, so that its password stands nowhere else. Mode 0600.")
    ] = ""
    key_file: Annotated[
        str,
        means(
            "The file with the key that encrypts sealed shoes and second factors. The first start creates it, "
            "mode 0600; no backup has it. Empty: the place with `.key` after it, or `puntobanco.key` for a database."
        ),
    ] = ""
    key: Annotated[
        str,
        means(
            "The key itself instead of a file, for environments that pass secrets as variables. "
            "If there are several, separated by commas, the first one encrypts.",
            Expected.KEY,
        ),
    ] = ""

    @property
    def shown(self) -> str:
        """The place without its password."""
        return without_password(self.place)

    def __repr__(self) -> str:
        key = MASK if self.key else ""
        return f"Store(place={self.shown!r}, place_file={self.place_file!r}, key_file={self.key_file!r}, key={key!r})"


class WebSettings(Section, frozen=True):
    host: Annotated[
        str,
        means(
            "The address to listen on. Another than a loopback one needs a certificate, or a proxy that has one.",
            Expected.HOST,
        ),
    ] = "127.0.0.1"
    port: Annotated[int, means("The port to listen on; 0 takes any that is free.", ge=0, le=65_535)] = 8888
    public_url: Annotated[
        str,
        means(
            "Where people reach the house, such as `https://tables.example`. Empty: at the host and port, which a "
            "house that can be reached from outside must not leave it at.",
            Expected.ORIGIN,
        ),
    ] = ""
    origins: Annotated[
        tuple[str, ...],
        means("Pages of other origins that may open live connections, beside those of `public_url`.", Expected.ORIGIN),
    ] = ()
    secure_cookies: Annotated[
        bool,
        means(
            "Whether cookies travel over TLS alone. A house on loopback that is reached by plain http has others "
            "anyway, since not every browser would keep them."
        ),
    ] = True
    tls_certificate: Annotated[str, means("The file of the certificate chain, if the house speaks TLS itself.")] = ""
    tls_key: Annotated[str, means("The file of its private key. Mode 0600.")] = ""
    behind_tls_proxy: Annotated[bool, means("Whether a proxy in front speaks TLS with the world.")] = False
    trusted_proxies: Annotated[
        tuple[str, ...],
        means(
            "Networks of the proxies in front, whose word on a caller's address is taken. "
            "Without it everybody would have the proxy's address.",
            Expected.NETWORK,
        ),
    ] = ()

    requests_per_second: Annotated[
        int,
        means(
            "Requests a second one person may send over all their sessions, or one address without a session; four "
            "times as many at once. Files of the screens may be asked for four times as often, and proofs of shoes, "
            "steps and exports of rounds a tenth as often.",
            ge=1,
            le=100_000,
        ),
    ] = 50
    anonymous_requests_per_second: Annotated[
        int, means("Requests a second all callers without a session may send together.", ge=1, le=1_000_000)
    ] = 200
    anonymous_connections: Annotated[
        int,
        means(
            "Connections without a session that the house holds at once. A further one closes the oldest of the "
            "address that has the most.",
            ge=10,
            le=1_000_000,
        ),
    ] = 1_000
    anonymous_connections_per_address: Annotated[
        int,
        means(
            "The same for one address, unless it is a trusted proxy's. Terminals that reconnect together count until "
            "their first request is read: allow as many as there are behind one address.",
            ge=1,
            le=1_000_000,
        ),
    ] = 500
    person_connections: Annotated[
        int,
        means(
            "Connections for requests one person may have over all their sessions, unless they are a trusted proxy's. "
            "A further one ends the oldest.",
            ge=1,
            le=1_000_000,
        ),
    ] = 200

    @property
    def tls(self) -> bool:
        return bool(self.tls_certificate)

    @property
    def local(self) -> bool:
        """Whether nobody from outside can reach the house."""
        return is_loopback(self.host) and not (self.behind_tls_proxy or self.trusted_proxies)

    @property
    def url(self) -> str:
        """Where people reach the house."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"{'https' if self.tls else 'http'}://{host}:{self.port}"

    @property
    def keeps_cookies_to_tls(self) -> bool:
        """Always, but where people at this machine alone reach the house by plain http."""
        return self.secure_cookies and (not self.local or self.url.startswith("https://"))

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        return (self.url, *self.origins)


class PeopleSettings(Section, frozen=True):
    argon2_time: Annotated[int, means("Passes over the memory for one password.", ge=2, le=20)] = 3
    argon2_memory: Annotated[int, means("KiB of memory for one password.", ge=19_456, le=1_048_576)] = 65_536
    argon2_lanes: Annotated[int, means("Lanes for one password.", ge=1, le=16)] = 1
    player_idle: Annotated[
        int, means("Seconds without a request after which a player signs in again.", ge=60, le=DAY)
    ] = 1_800
    player_absolute: Annotated[int, means("Seconds after which a player signs in again.", ge=300, le=30 * DAY)] = 43_200
    staff_idle: Annotated[
        int, means("Seconds without a request after which one of the staff signs in again.", ge=60, le=DAY)
    ] = 3_600
    staff_absolute: Annotated[
        int, means("Seconds after which one of the staff signs in again: a shift.", ge=300, le=DAY)
    ] = 43_200
    staff_second_factor: Annotated[bool, means("Whether staff need a second factor beside the password.")] = True
    most_sessions: Annotated[
        int, means("Sessions one person may have; a further one ends the oldest.", ge=1, le=1_000)
    ] = 20


class MoneySettings(Section, frozen=True):
    confirmations: Annotated[
        tuple[Confirmation, ...],
        means(
            "How a guest may confirm what staff do with their money: in their own `session`, with a `pin` or with a "
            "`card`. Buy-ins that staff ask for and withdrawals need one of them."
        ),
    ] = tuple(Confirmation)
    second_over: Annotated[
        int,
        means(
            "Cents above which deposits or withdrawals need a second person: everything that one cashier moves alone "
            "for one guest within a day counts together.",
            ge=0,
            le=GREATEST_STAKE,
        ),
    ] = 10_000_00
    largest_entry: Annotated[
        int,
        means(
            "The largest single deposit, withdrawal, adjustment or buy-in with cash or chips, in cents.",
            ge=1,
            le=GREATEST_STAKE,
        ),
    ] = 1_000_000_00


class LiveSettings(Section, frozen=True):
    heartbeat: Annotated[int, means("Seconds between heartbeats on a live connection.", ge=1, le=300)] = 15
    slow_limit: Annotated[
        int, means("Seconds a connection may take no message before it is dropped.", ge=1, le=300)
    ] = 10
    per_second: Annotated[int, means("Public messages a second while bets are placed.", ge=1, le=60)] = 5
    frame_bytes: Annotated[int, means("Bytes of the largest message a screen may send.", ge=1_024, le=1_048_576)] = (
        65_536
    )
    messages_per_second: Annotated[
        int,
        means(
            "Messages a second one connection may send on average; six times as many frames, control frames included. "
            "One person may send five times as many over all their connections.",
            ge=1,
            le=10_000,
        ),
    ] = 20
    bytes_per_second: Annotated[
        int, means("Bytes a second one connection may send on average.", ge=16_384, le=1_073_741_824)
    ] = 262_144
    person_screens: Annotated[
        int, means("Live connections one person may have over all their sessions.", ge=1, le=100_000)
    ] = 64
    person_watches: Annotated[
        int, means("Tables that one person may watch, summed over all their live connections.", ge=1, le=1_000_000)
    ] = 512


class TableSettings(Section, frozen=True):
    pace_card: Annotated[
        int, means("Milliseconds from card to card where the dealer is automatic.", ge=0, le=60_000)
    ] = 1_000
    pace_result: Annotated[
        int, means("Milliseconds for which a result stands before it is settled.", ge=0, le=60_000)
    ] = 2_000
    pace_between: Annotated[int, means("Milliseconds between two rounds.", ge=0, le=600_000)] = 3_000
    most_rounds_per_hour: Annotated[
        int, means("Rounds an automatic dealer deals in an hour at most; 0 for no limit.", ge=0, le=100_000)
    ] = 0
    drain: Annotated[int, means("Seconds for rounds to finish when the house is asked to stop.", ge=0, le=3_600)] = 120


class LogFormat(StrEnum):
    JSON = "json"
    CONSOLE = "console"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogSettings(Section, frozen=True):
    format: Annotated[LogFormat, means("How a line looks: for programs, or for people at a terminal.")] = LogFormat.JSON
    level: Annotated[LogLevel, means("From which level on lines are written. What is audited always is.")] = (
        LogLevel.INFO
    )
    file: Annotated[str, means("The file that lines are added to. Empty: standard error.")] = ""
    audit_file: Annotated[
        str,
        means("A file that who did what when and where is added to as well. If it cannot be written, the house stops."),
    ] = ""


class MetricsSettings(Section, frozen=True):
    enabled: Annotated[bool, means("Whether `/metrics` is there, on the same host and port.")] = True
    token_file: Annotated[
        str,
        means(
            "The file with the bearer token that opens `/metrics`, at least 16 characters. Mode 0600. Empty: only "
            "administrators who are signed in read it."
        ),
    ] = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a house can be told."""

    house: HouseSettings = HouseSettings()
    store: StoreSettings = StoreSettings()
    web: WebSettings = WebSettings()
    people: PeopleSettings = PeopleSettings()
    money: MoneySettings = MoneySettings()
    live: LiveSettings = LiveSettings()
    tables: TableSettings = TableSettings()
    log: LogSettings = LogSettings()
    metrics: MetricsSettings = MetricsSettings()

    @staticmethod
    def load(path: Path | None, environ: Mapping[str, str]) -> "Settings":
        """From a file, if one is given or `PUNTOBANCO_SETTINGS` names one, and the environment, which wins."""
        from puntobanco.house.operations.settings_loading import load

        return load(path, environ)

    def clashes(self) -> Iterator[tuple[str, str, Expected]]:
        """Section, field and what was expected, wherever values cannot be meant together."""
        web, people, log = self.web, self.people, self.log
        if self.house.demo and not self.house.play_money:
            yield "house", "play_money", Expected.DEMO_PLAY_MONEY
        if self.house.demo and not (web.local and all(is_loopback(_host(origin)) for origin in web.allowed_origins)):
            yield "house", "demo", Expected.DEMO_LOCAL
        if bool(web.tls_certificate) != bool(web.tls_key):
            yield "web", "tls_key" if web.tls_certificate else "tls_certificate", Expected.TLS_PAIR
        if not (is_loopback(web.host) or web.tls or web.behind_tls_proxy):
            yield "web", "host", Expected.TLS
        if not (web.secure_cookies or web.local):
            yield "web", "secure_cookies", Expected.SECURE_COOKIES
        if web.behind_tls_proxy != bool(web.trusted_proxies):
            yield "web", "trusted_proxies", Expected.PROXIES
        if not (web.local or web.public_url.startswith("https://")):
            yield "web", "public_url", Expected.PUBLIC_URL
        if not all(is_loopback(_host(origin)) or origin.startswith("https://") for origin in web.origins):
            yield "web", "origins", Expected.PUBLIC_URL
        if people.player_idle > people.player_absolute:
            yield "people", "player_idle", Expected.IDLE
        if people.staff_idle > people.staff_absolute:
            yield "people", "staff_idle", Expected.IDLE
        if log.audit_file and log.audit_file == log.file:
            yield "log", "audit_file", Expected.OWN_FILE


# ---- each by itself ----------------------------------------------------------------------------------------------


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a house can be told, as it is documented and checked."""

    section: str
    name: str
    meaning: str
    kind: TypeName
    default: Any
    form: Expected | None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        return f"{PREFIX}{self.section}_{self.name}".upper()

    @property
    def secret(self) -> bool:
        return self.form in (Expected.PLACE, Expected.KEY)


@cache
def settings_of(section: str) -> dict[str, Setting]:
    """The settings of a section by name, in their order."""
    return {field.name: _setting(section, field) for field in msgspec.inspect.type_info(SECTIONS[section]).fields}  # type: ignore[attr-defined]


SECTIONS: dict[str, type[Section]] = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def _setting(section: str, field: msgspec.inspect.Field) -> Setting:
    described = field.type
    assert isinstance(described, msgspec.inspect.Metadata), "every setting says what it means"
    assert described.extra_json_schema is not None
    assert described.extra is not None
    about: Any = described.type
    one = getattr(about, "item_type", about)
    kinds: dict[type, TypeName] = {
        msgspec.inspect.IntType: TypeName.INT,
        msgspec.inspect.BoolType: TypeName.BOOL,
        msgspec.inspect.VarTupleType: TypeName.ARRAY,
    }
    return Setting(
        section=section,
        name=field.name,
        meaning=described.extra_json_schema["description"],
        kind=kinds.get(type(about), TypeName.STR),
        default=field.default,
        form=described.extra["form"],
        least=getattr(about, "ge", None),
        most=getattr(about, "le", None),
        choices=tuple(one.cls) if isinstance(one, msgspec.inspect.EnumType) else (),
    )


# ---- addresses ---------------------------------------------------------------------------------------------------


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def without_password(place: str) -> str:
    """
    >>> without_password("postgresql://house:s3cret@db/house")
    'postgresql://house:***@db/house'
    """
    scheme, separator, rest = place.partition("://")
    user, at, where = rest.rpartition("@")
    name, colon, _ = user.partition(":")
    where = re.sub(r"(?i)(password=)[^&\s]*", rf"\1{MASK}", where)
    return f"{scheme}{separator}{name}{colon and ':' + MASK}{at}{where}"
