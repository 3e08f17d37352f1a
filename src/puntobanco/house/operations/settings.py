"""The settings of the server: sections of typed fields, read from a TOML file and from environment variables.

Each field carries its description; `docs/settings.md` and the example file are generated from these. `settings_loading`
rejects an invalid setting before anything starts.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from ipaddress import ip_address
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
    """The description of a field, the form of its text, and the range of its number (`ge` to `le`)."""
    return msgspec.Meta(description=meaning, extra={"form": form}, ge=ge, le=le)


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section: a table in the file, and the middle word of the environment variables."""


class HouseSettings(Section, frozen=True):
    name: Annotated[str, means("The name shown on every screen.")] = "puntobanco"
    play_money: Annotated[bool, means("Use play money. Every screen says so.")] = True
    roads_drop_when_free: Annotated[
        bool,
        means(
            "On the Big Road and the derived roads, let a run that has turned right go down again where there is "
            "room. Otherwise it stays on its row."
        ),
    ] = False
    bet_totals: Annotated[
        bool,
        means(
            "Show on terminals and boards what is staked on each bet in all, and by how many people. Only bets of "
            "three or more people have a total, and it names nobody."
        ),
    ] = True
    decision_alert: Annotated[
        int,
        means(
            "Seconds after which a decision or a confirmation that somebody waits for becomes an alert in the pit.",
            ge=0,
            le=3_600,
        ),
    ] = 60
    demo: Annotated[
        bool, means("Create one user for each role and print their sign-in links. Allowed on loopback only.")
    ] = False


class StoreSettings(Section, frozen=True):
    place: Annotated[
        str,
        means(
            "The database: the path of a SQLite file, or `postgresql://user@host/database`. Of several hosts, "
            "separated by commas, the primary is used.",
            Expected.PLACE,
        ),
    ] = "house.db"
    place_file: Annotated[
        str, means("Read `place` from this file instead, so that its password is stored nowhere else. Mode 0600.")
    ] = ""
    key_file: Annotated[
        str,
        means(
            "The file with the key that encrypts sealed shoes and second factors. The first start creates it with "
            "mode 0600. Backups do not contain it. Empty: `place` plus `.key`, or `puntobanco.key` for PostgreSQL."
        ),
    ] = ""
    key: Annotated[
        str,
        means(
            "The key itself instead of a file, for environments that pass secrets as variables. Separate several keys "
            "with commas: the first one encrypts, all decrypt.",
            Expected.KEY,
        ),
    ] = ""
    reconnect_within: Annotated[
        int,
        means(
            "Seconds to look for a lost PostgreSQL server, or the standby that replaces it, before the tables stop.",
            ge=0,
            le=600,
        ),
    ] = 30

    @property
    def shown(self) -> str:
        """`place` with the password masked."""
        return without_password(self.place)

    def __repr__(self) -> str:
        key = MASK if self.key else ""
        return f"Store(place={self.shown!r}, place_file={self.place_file!r}, key_file={self.key_file!r}, key={key!r})"


class WebSettings(Section, frozen=True):
    host: Annotated[
        str,
        means(
            "The address to listen on. The server refuses to start without TLS unless it is bound to loopback.",
            Expected.HOST,
        ),
    ] = "127.0.0.1"
    port: Annotated[int, means("The port to listen on. 0 selects a free port.", ge=0, le=65_535)] = 8888
    public_url: Annotated[
        str,
        means(
            "The public URL of the server, such as `https://tables.example`. Empty: derived from `host` and `port`. "
            "Required if the server can be reached from other machines.",
            Expected.ORIGIN,
        ),
    ] = ""
    origins: Annotated[
        tuple[str, ...],
        means("Other origins whose pages may open live connections, in addition to `public_url`.", Expected.ORIGIN),
    ] = ()
    secure_cookies: Annotated[
        bool,
        means(
            "Mark cookies as Secure, so that browsers send them over TLS only. Plain HTTP on loopback uses ordinary "
            "cookies, because not every browser stores Secure ones there."
        ),
    ] = True
    tls_certificate: Annotated[
        str, means("The file with the certificate chain, if the server terminates TLS itself.")
    ] = ""
    tls_key: Annotated[str, means("The file with the private key of the certificate. Mode 0600.")] = ""
    behind_tls_proxy: Annotated[bool, means("Set to true if a reverse proxy in front terminates TLS.")] = False
    trusted_proxies: Annotated[
        tuple[str, ...],
        means(
            "Networks of the reverse proxies. The server takes a client's address from their forwarding headers; "
            "without this, every client has the proxy's address.",
            Expected.NETWORK,
        ),
    ] = ()

    requests_per_second: Annotated[
        int,
        means(
            "Requests per second for one user over all sessions, or for one address without a session. Bursts may be "
            "four times as large. Static files have four times this limit; shoe proofs, round steps and round exports "
            "have a tenth of it.",
            ge=1,
            le=100_000,
        ),
    ] = 50
    anonymous_requests_per_second: Annotated[
        int, means("Requests per second for all clients without a session together.", ge=1, le=1_000_000)
    ] = 200
    anonymous_connections: Annotated[
        int,
        means(
            "Open connections without a session. One more closes the oldest connection of the address that has the "
            "most.",
            ge=10,
            le=1_000_000,
        ),
    ] = 1_000
    anonymous_connections_per_address: Annotated[
        int,
        means(
            "The same for one address, unless it is a trusted proxy. Terminals that reconnect at the same time count "
            "until their first request is read, so allow as many as share one address.",
            ge=1,
            le=1_000_000,
        ),
    ] = 500
    person_connections: Annotated[
        int,
        means(
            "Open HTTP connections of one user over all sessions, unless they come from a trusted proxy. One more "
            "closes the oldest.",
            ge=1,
            le=1_000_000,
        ),
    ] = 200

    @property
    def tls(self) -> bool:
        return bool(self.tls_certificate)

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host) and not (self.behind_tls_proxy or self.trusted_proxies)

    @property
    def url(self) -> str:
        """The URL at which clients reach the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"{'https' if self.tls else 'http'}://{host}:{self.port}"

    @property
    def keeps_cookies_to_tls(self) -> bool:
        """Whether cookies are Secure: always, except for plain HTTP on loopback."""
        return self.secure_cookies and (not self.local or self.url.startswith("https://"))

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        return (self.url, *self.origins)


class PeopleSettings(Section, frozen=True):
    argon2_time: Annotated[int, means("Argon2 time cost: passes over the memory for one password.", ge=2, le=20)] = 3
    argon2_memory: Annotated[int, means("Argon2 memory cost for one password, in KiB.", ge=19_456, le=1_048_576)] = (
        65_536
    )
    argon2_lanes: Annotated[int, means("Argon2 parallelism: lanes for one password.", ge=1, le=16)] = 1
    player_idle: Annotated[int, means("Seconds without a request until a player's session ends.", ge=60, le=DAY)] = (
        1_800
    )
    player_absolute: Annotated[
        int, means("Seconds until a player's session ends in any case.", ge=300, le=30 * DAY)
    ] = 43_200
    staff_idle: Annotated[int, means("Seconds without a request until a staff session ends.", ge=60, le=DAY)] = 3_600
    staff_absolute: Annotated[
        int, means("Seconds until a staff session ends in any case: one shift.", ge=300, le=DAY)
    ] = 43_200
    staff_second_factor: Annotated[bool, means("Require a second factor from staff in addition to the password.")] = (
        True
    )
    most_sessions: Annotated[int, means("Sessions of one user. One more ends the oldest.", ge=1, le=1_000)] = 20


class MoneySettings(Section, frozen=True):
    confirmations: Annotated[
        tuple[Confirmation, ...],
        means(
            "How a guest may confirm what staff do with the guest's money: in their own `session`, with a `pin` or "
            "with a `card`. Withdrawals, and buy-ins requested by staff, need one of these."
        ),
    ] = tuple(Confirmation)
    second_over: Annotated[
        int,
        means(
            "Deposits or withdrawals above this amount need a second person, in cents. All amounts that one cashier "
            "moves alone for one guest within a day count together.",
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
    slow_limit: Annotated[int, means("Seconds until a connection that accepts no message is closed.", ge=1, le=300)] = (
        10
    )
    per_second: Annotated[int, means("Public messages per second while betting is open.", ge=1, le=60)] = 5
    frame_bytes: Annotated[int, means("Largest message that a client may send, in bytes.", ge=1_024, le=1_048_576)] = (
        65_536
    )
    messages_per_second: Annotated[
        int,
        means(
            "Average messages per second from one connection. Frames, including control frames, have six times this "
            "limit. One user may send five times as many over all connections.",
            ge=1,
            le=10_000,
        ),
    ] = 20
    bytes_per_second: Annotated[
        int, means("Average bytes per second from one connection.", ge=16_384, le=1_073_741_824)
    ] = 262_144
    person_screens: Annotated[int, means("Live connections of one user over all sessions.", ge=1, le=100_000)] = 64
    person_watches: Annotated[
        int, means("Tables that one user may watch, summed over all live connections.", ge=1, le=1_000_000)
    ] = 512


class TableSettings(Section, frozen=True):
    pace_card: Annotated[int, means("Milliseconds between cards at an automatic table.", ge=0, le=60_000)] = 1_000
    pace_result: Annotated[
        int, means("Milliseconds between result and settlement at an automatic table.", ge=0, le=60_000)
    ] = 2_000
    pace_between: Annotated[int, means("Milliseconds between rounds at an automatic table.", ge=0, le=600_000)] = 3_000
    most_rounds_per_hour: Annotated[
        int, means("Maximum rounds per hour at an automatic table. 0 means no limit.", ge=0, le=100_000)
    ] = 0
    drain: Annotated[
        int, means("Seconds that rounds have to finish when the server is told to stop.", ge=0, le=3_600)
    ] = 120


class LogFormat(StrEnum):
    JSON = "json"
    CONSOLE = "console"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogSettings(Section, frozen=True):
    format: Annotated[LogFormat, means("Log format: `json` for programs, `console` for people at a terminal.")] = (
        LogFormat.JSON
    )
    level: Annotated[LogLevel, means("Lowest level that is logged. Audit lines are always logged.")] = LogLevel.INFO
    file: Annotated[str, means("Append the log to this file. Empty: standard error.")] = ""
    audit_file: Annotated[
        str,
        means("Also append the audit trail to this file. If it cannot be written, the server stops."),
    ] = ""


class MetricsSettings(Section, frozen=True):
    enabled: Annotated[bool, means("Serve `/metrics` on the same host and port.")] = True
    token_file: Annotated[
        str,
        means(
            "The file with the bearer token for `/metrics`, at least 16 characters. Mode 0600. Empty: only signed-in "
            "administrators can read it."
        ),
    ] = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings, by section."""

    house: HouseSettings = HouseSettings()
    store: StoreSettings = StoreSettings()
    web: WebSettings = WebSettings()
    people: PeopleSettings = PeopleSettings()
    money: MoneySettings = MoneySettings()
    live: LiveSettings = LiveSettings()
    tables: TableSettings = TableSettings()
    log: LogSettings = LogSettings()
    metrics: MetricsSettings = MetricsSettings()

    def clashes(self) -> Iterator[tuple[str, str, Expected]]:
        """Yield the section, field and expectation of every setting that contradicts another."""
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
    """One setting, as it is documented and checked."""

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
    assert isinstance(described, msgspec.inspect.Metadata), "every setting has a description"
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
    """Whether only this machine can reach the host.

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
