"""What a house is told: read strictly, the fault named by file or variable, secrets never shown."""

import re
import tomllib
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puntobanco
from docs import settings_page
from puntobanco.house.operations.settings import SECTIONS, LogFormat, Setting, Settings, settings_of
from puntobanco.house.operations.settings_loading import checked, load
from puntobanco.rules.library import LANGUAGES
from puntobanco.rules.plain_data import plain
from puntobanco.rules.refusal import Expected, Reason, Refused, TypeName

OUTSIDE = {
    "PUNTOBANCO_WEB_HOST": "0.0.0.0",
    "PUNTOBANCO_WEB_BEHIND_TLS_PROXY": "true",
    "PUNTOBANCO_WEB_TRUSTED_PROXIES": "10.0.0.0/8",
    "PUNTOBANCO_WEB_PUBLIC_URL": "https://tables.example",
}
"""A house that people reach from outside, through a proxy."""


def file(folder: Path, content: str, mode: int = 0o600, name: str = "house.toml") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    return path


def refusal(path: Path | None, environ: dict[str, str]) -> Refused:
    with pytest.raises(Refused) as caught:
        load(path, environ)
    for language in LANGUAGES:
        assert puntobanco.say(caught.value, language).isprintable()
    return caught.value


# ---- where a setting stands --------------------------------------------------------------------------------------


def test_a_house_that_is_told_nothing_is_on_loopback_and_no_demo() -> None:
    settings = load(None, {"PATH": "/bin"})
    assert settings == Settings()
    assert settings.web.local
    assert not settings.house.demo
    assert settings.web.secure_cookies


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    path = file(tmp_path, '[web]\nport = 1000\nhost = "::1"\n[log]\nformat = "console"')
    settings = load(path, {"PUNTOBANCO_WEB_PORT": "2000"})
    assert (settings.web.port, settings.web.host, settings.log.format) == (2000, "::1", LogFormat.CONSOLE)
    assert settings.web.url == "http://[::1]:2000"


def test_a_variable_can_name_the_file_and_an_argument_wins_over_it(tmp_path: Path) -> None:
    first, second = (file(tmp_path, f"[web]\nport = {port}", name=f"{port}.toml") for port in (1, 2))
    environ = {"PUNTOBANCO_SETTINGS": str(first)}
    assert load(None, environ).web.port == 1
    assert load(second, environ).web.port == 2


def test_lists_and_truth_can_be_written_in_a_variable() -> None:
    settings = load(None, OUTSIDE | {"PUNTOBANCO_WEB_ORIGINS": "https://a.example, https://b.example:8443"})
    assert settings.web.allowed_origins == (
        "https://tables.example",
        "https://a.example",
        "https://b.example:8443",
    )
    assert settings.web.behind_tls_proxy
    assert load(None, {"PUNTOBANCO_WEB_ORIGINS": ""}).web.origins == ()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_can_be_given_by_the_file_and_by_its_variable(section: str, tmp_path: Path) -> None:
    for setting in settings_of(section).values():
        written = settings_page.written(setting)
        text = ",".join(setting.default) if setting.kind is TypeName.ARRAY else str(setting.default)
        text = written if setting.kind is TypeName.BOOL else text
        path = file(tmp_path, f"[{section}]\n{setting.name} = {written}")
        assert load(path, {}) == Settings() == load(None, {setting.variable: text})


# ---- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "reason", "place", "field"),
    [
        ("[web]\nprot = 1", Reason.SETTING_UNKNOWN, "web", "prot"),
        ("[wep]\nport = 1", Reason.SETTING_UNKNOWN, "settings", "wep"),
        ("web = 1", Reason.SETTING_WRONG, "settings", "web"),
        ("[web]\nport = 65536", Reason.SETTING_RANGE, "web", "port"),
        ("[web]\nport = -1", Reason.SETTING_RANGE, "web", "port"),
        ('[web]\nport = "80"', Reason.SETTING_RANGE, "web", "port"),
        ("[web]\nport = true", Reason.SETTING_RANGE, "web", "port"),
        ("[web]\nport = 80.0", Reason.SETTING_RANGE, "web", "port"),
        (f"[web]\nport = 0x{'f' * 9000}", Reason.SETTING_RANGE, "web", "port"),
        ("[web]\nport = nan", Reason.SETTING_RANGE, "web", "port"),
        ("[people]\nargon2_memory = 8", Reason.SETTING_RANGE, "people", "argon2_memory"),
        ('[log]\nlevel = "loud"', Reason.FIELD_CHOICE, "log", "level"),
        ('[money]\nconfirmations = ["word"]', Reason.FIELD_CHOICE, "money", "confirmations"),
        ("[money]\nsecond_over = -1", Reason.SETTING_RANGE, "money", "second_over"),
        ("[money]\nlargest_entry = 0", Reason.SETTING_RANGE, "money", "largest_entry"),
        ("[log]\nlevel = 1979-05-27T07:32:00Z", Reason.FIELD_CHOICE, "log", "level"),
        ("[house]\ndemo = 1", Reason.SETTING_WRONG, "house", "demo"),
        ('[house]\nname = ""', Reason.SETTING_WRONG, "house", "name"),
        ('[house]\nname = "a\\nb"', Reason.SETTING_WRONG, "house", "name"),
        ('[house]\nname = "a\\u202Eb"', Reason.SETTING_WRONG, "house", "name"),
        ('[web]\nhost = "http://localhost"', Reason.SETTING_WRONG, "web", "host"),
        ('[web]\nhost = "300.1.1.1"', Reason.SETTING_WRONG, "web", "host"),
        ('[web]\nhost = "::1::"', Reason.SETTING_WRONG, "web", "host"),
        ('[web]\norigins = ["https://a.example/path"]', Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\norigins = ["*"]', Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\norigins = ["null"]', Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\norigins = ["https://A.example"]', Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\norigins = ["https://a.example:99999"]', Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\norigins = "https://a.example"', Reason.SETTING_WRONG, "web", "origins"),
        ("[web]\norigins = [1]", Reason.SETTING_WRONG, "web", "origins"),
        ('[web]\ntrusted_proxies = ["10.0.0.1/8"]', Reason.SETTING_WRONG, "web", "trusted_proxies"),
        ('[store]\nplace = "mysql://somewhere"', Reason.SETTING_WRONG, "store", "place"),
        ('[store]\nplace = "postgresql://house@db:port/house"', Reason.SETTING_WRONG, "store", "place"),
        ('[store]\nplace = "postgresql://house@[::zz]/house"', Reason.SETTING_WRONG, "store", "place"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_file_place_and_field(
    written: str, reason: Reason, place: str, field: str, tmp_path: Path
) -> None:
    refused = refusal(file(tmp_path, written), {})
    assert refused.reason is reason
    said = puntobanco.say(refused)
    assert said.startswith(f"house.toml: {place}: ")
    assert field in said


@pytest.mark.parametrize(
    ("variable", "text", "reason"),
    [
        ("PUNTOBANCO_WEB_PORT", "eighty", Reason.SETTING_RANGE),
        ("PUNTOBANCO_WEB_PORT", "٨٠", Reason.SETTING_RANGE),
        ("PUNTOBANCO_WEB_PORT", "1_000", Reason.SETTING_RANGE),
        ("PUNTOBANCO_WEB_PORT", " 80", Reason.SETTING_RANGE),
        ("PUNTOBANCO_WEB_PORT", "", Reason.SETTING_RANGE),
        ("PUNTOBANCO_WEB_PORT", "9" * 5000, Reason.SETTING_RANGE),
        ("PUNTOBANCO_HOUSE_DEMO", "yes", Reason.SETTING_WRONG),
        ("PUNTOBANCO_HOUSE_DEMO", "True", Reason.SETTING_WRONG),
        ("PUNTOBANCO_WEB_PROT", "80", Reason.SETTING_UNKNOWN),
        ("PUNTOBANCO_WEB", "80", Reason.SETTING_UNKNOWN),
        ("PUNTOBANCO_", "80", Reason.SETTING_UNKNOWN),
        ("PUNTOBANCO_PORT", "80", Reason.SETTING_UNKNOWN),
        ("PUNTOBANCO_LOG_LEVEL", "INFO", Reason.FIELD_CHOICE),
        ("PUNTOBANCO_WEB_ORIGINS", "https://a.example,", Reason.SETTING_WRONG),
        ("PUNTOBANCO_HOUSE_NAME", "a\x1b[31mb", Reason.SETTING_WRONG),
        ("PUNTOBANCO_HOUSE_NAME", "\udcff", Reason.SETTING_WRONG),
    ],
)
def test_a_variable_that_cannot_be_meant_is_refused_by_its_name(variable: str, text: str, reason: Reason) -> None:
    refused = refusal(None, {variable: text})
    assert refused.reason is reason
    assert puntobanco.say(refused).startswith(f"{variable}: ")


def test_a_refusal_tells_what_was_found_and_what_is_allowed() -> None:
    said = puntobanco.say(refusal(None, {"PUNTOBANCO_WEB_PORT": "70000"}))
    assert said == "PUNTOBANCO_WEB_PORT: web: port: expected a whole number from 0 to 65535, got 70000."


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[web", b"[web]\nport = 1\nport = 2"])
def test_a_file_that_is_no_toml_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    assert refusal(path, {}).reason is Reason.FILE_MALFORMED


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere.toml", {}).reason is Reason.FILE_UNREADABLE
    assert refusal(None, {"PUNTOBANCO_SETTINGS": str(tmp_path)}).reason is Reason.FILE_UNREADABLE


@given(st.sampled_from([one for name in SECTIONS for one in settings_of(name).values()]), st.text(max_size=30))
def test_any_text_in_a_variable_is_taken_or_refused(setting: Setting, text: str) -> None:
    with suppress(Refused):
        load(None, {setting.variable: text})


# ---- what does not go together -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "expected", "field"),
    [
        ({"WEB_HOST": "0.0.0.0"}, Expected.TLS, "host"),
        ({"WEB_HOST": "::"}, Expected.TLS, "host"),
        ({"WEB_HOST": "192.168.1.4"}, Expected.TLS, "host"),
        ({"WEB_HOST": "tables.example"}, Expected.TLS, "host"),
        ({"WEB_BEHIND_TLS_PROXY": "true"}, Expected.PROXIES, "trusted_proxies"),
        ({"WEB_TRUSTED_PROXIES": "10.0.0.0/8"}, Expected.PROXIES, "trusted_proxies"),
        (
            {"WEB_BEHIND_TLS_PROXY": "true", "WEB_TRUSTED_PROXIES": "127.0.0.1", "WEB_PUBLIC_URL": "http://a.example"},
            Expected.PUBLIC_URL,
            "public_url",
        ),
        ({"WEB_BEHIND_TLS_PROXY": "true", "WEB_TRUSTED_PROXIES": "::1"}, Expected.PUBLIC_URL, "public_url"),
        ({"WEB_ORIGINS": "http://a.example"}, Expected.PUBLIC_URL, "origins"),
        ({"HOUSE_DEMO": "true", "HOUSE_PLAY_MONEY": "false"}, Expected.DEMO_PLAY_MONEY, "play_money"),
        ({"HOUSE_DEMO": "true", "WEB_HOST": "0.0.0.0"}, Expected.DEMO_LOCAL, "demo"),
        ({"HOUSE_DEMO": "true", "WEB_PUBLIC_URL": "https://a.example"}, Expected.DEMO_LOCAL, "demo"),
        ({"HOUSE_DEMO": "true", "WEB_ORIGINS": "https://a.example"}, Expected.DEMO_LOCAL, "demo"),
        ({"PEOPLE_PLAYER_IDLE": "3600", "PEOPLE_PLAYER_ABSOLUTE": "3599"}, Expected.IDLE, "player_idle"),
        ({"PEOPLE_STAFF_IDLE": "3600", "PEOPLE_STAFF_ABSOLUTE": "3599"}, Expected.IDLE, "staff_idle"),
        ({"LOG_FILE": "a.log", "LOG_AUDIT_FILE": "a.log"}, Expected.OWN_FILE, "audit_file"),
        ({"STORE_PLACE": "a.db", "STORE_PLACE_FILE": "b"}, Expected.ONE_PLACE, "place_file"),
        ({"WEB_TLS_KEY": "nowhere.pem"}, Expected.READABLE_FILE, "tls_key"),
    ],
)
def test_values_that_contradict_each_other_are_refused(environ: dict[str, str], expected: Expected, field: str) -> None:
    refused = refusal(None, {f"PUNTOBANCO_{name}": text for name, text in environ.items()})
    assert (refused.reason, refused.parameters["expected"], refused.parameters["field"]) == (
        Reason.SETTING_WRONG,
        plain(expected),
        field,
    )


@pytest.mark.parametrize("variable", ["PUNTOBANCO_WEB_SECURE_COOKIES", "PUNTOBANCO_HOUSE_DEMO"])
def test_what_is_for_this_machine_alone_is_refused_where_people_come_from_outside(variable: str) -> None:
    text = "false" if variable.endswith("COOKIES") else "true"
    load(None, {variable: text})
    load(None, OUTSIDE)
    assert puntobanco.say(refusal(None, OUTSIDE | {variable: text})).startswith(variable)
    refusal(None, OUTSIDE | {variable: text, "PUNTOBANCO_WEB_HOST": "127.0.0.1"})


def test_settings_made_by_a_program_are_held_to_the_same() -> None:
    demo = msgspec.structs.replace(Settings().house, demo=True)
    assert checked(Settings(house=demo)).house.demo
    with pytest.raises(Refused) as caught:
        checked(Settings(house=demo, web=msgspec.structs.replace(Settings().web, host="10.0.0.1")))
    assert caught.value.parameters["expected"] == plain(Expected.DEMO_LOCAL)


# ---- secrets -----------------------------------------------------------------------------------------------------

PLACE = "postgresql://house:s3cret@db/house"


def test_a_password_is_in_no_text_of_the_settings() -> None:
    for place in (
        PLACE,
        "postgresql://house@db/house?sslmode=require&password=s3cret",
        "postgres://a:s3cret@b@c/d",
        "postgresql://house:s3cret@[::1]:5432,db:5433/house",
        "postgresql://house:s3cret@/house?host=/run/postgresql",
        "postgresql:///house?host=/run/postgresql&password=s3cret",
    ):
        settings = load(None, {"PUNTOBANCO_STORE_PLACE": place})
        assert settings.store.place == place
        for text in (repr(settings), str(settings), f"{settings.store}", settings.store.shown):
            assert "s3cret" not in text


@pytest.mark.parametrize("place", ["mysql://a:s3cret@b", "postgresql://a:s3cret@\nb", ""])
def test_a_password_is_in_no_refusal(place: str, tmp_path: Path) -> None:
    refusals = [refusal(None, {"PUNTOBANCO_STORE_PLACE": place})]
    refusals.append(refusal(None, {"PUNTOBANCO_STORE_PLACE_FILE": str(file(tmp_path, place, name="secret"))}))
    for refused in refusals if place else refusals[:1]:
        assert "s3cret" not in f"{refused!r} {puntobanco.say(refused)} {refused.parameters}"


def test_the_place_can_come_from_a_file_of_its_owner_alone(tmp_path: Path) -> None:
    secret = file(tmp_path, PLACE + "\n", name="place")
    environ = {"PUNTOBANCO_STORE_PLACE_FILE": str(secret)}
    assert load(None, environ).store.place == PLACE
    for mode in (0o640, 0o604, 0o660):
        secret.chmod(mode)
        assert refusal(None, environ).parameters["expected"] == plain(Expected.PRIVATE_FILE)


def test_a_settings_file_with_a_password_is_its_owners_alone(tmp_path: Path) -> None:
    path = file(tmp_path, f'[store]\nplace = "{PLACE}"')
    assert load(path, {}).store.place == PLACE
    path.chmod(0o644)
    assert refusal(path, {}).parameters["expected"] == plain(Expected.PRIVATE_FILE)
    file(tmp_path, '[store]\nplace = "postgresql://house@db/house"', 0o644)
    load(path, {})


def test_a_house_with_a_certificate_may_be_reached_from_outside(tmp_path: Path) -> None:
    certificate, key = file(tmp_path, "", 0o644, "chain.pem"), file(tmp_path, "", name="key.pem")
    environ = {
        "PUNTOBANCO_WEB_HOST": "0.0.0.0",
        "PUNTOBANCO_WEB_TLS_CERTIFICATE": str(certificate),
        "PUNTOBANCO_WEB_TLS_KEY": str(key),
        "PUNTOBANCO_WEB_PUBLIC_URL": "https://tables.example",
    }
    assert load(None, environ).web.tls
    key.chmod(0o644)
    assert refusal(None, environ).parameters["expected"] == plain(Expected.PRIVATE_FILE)
    del environ["PUNTOBANCO_WEB_TLS_KEY"]
    assert refusal(None, environ).parameters["expected"] == plain(Expected.TLS_PAIR)


def test_the_token_of_the_metrics_is_its_owners_alone(tmp_path: Path) -> None:
    token = file(tmp_path, "0123456789abcdef", name="token")
    environ = {"PUNTOBANCO_METRICS_TOKEN_FILE": str(token)}
    assert load(None, environ).metrics.token_file == str(token)
    token.chmod(0o640)
    assert refusal(None, environ).parameters["expected"] == plain(Expected.PRIVATE_FILE)
    token.unlink()
    assert refusal(None, environ).parameters["expected"] == plain(Expected.READABLE_FILE)


# ---- what is written about them ----------------------------------------------------------------------------------


def test_the_page_and_the_example_are_what_the_code_knows() -> None:
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page(), "run 'make docs'"
    assert settings_page.EXAMPLE.read_text(encoding="utf-8") == settings_page.example(), "run 'make docs'"


def test_the_example_with_every_comment_taken_away_is_the_default(tmp_path: Path) -> None:
    text = re.sub(r"(?m)^#(?=[a-z])", "", settings_page.EXAMPLE.read_text(encoding="utf-8"))
    written = tomllib.loads(text)
    assert {name: set(table) for name, table in written.items()} == {name: set(settings_of(name)) for name in SECTIONS}
    assert load(file(tmp_path, text.replace('place_file = ""', "")), {}) == Settings()
