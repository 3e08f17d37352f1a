"""Load and check the settings. An error names the file or variable at fault.

Environment variables override the file. Error messages quote the value, unless it may contain a password.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from puntobanco.house.operations.settings import (
    MASK,
    PREFIX,
    SECTIONS,
    Setting,
    Settings,
    settings_of,
    without_password,
)
from puntobanco.rules.library import read_toml
from puntobanco.rules.refusal import Expected, Reason, Refused, TypeName
from puntobanco.rules.suggestion import meant, nearest

FILE_VARIABLE = f"{PREFIX}SETTINGS"

Sources = dict[tuple[str, str], str]
"""The file or variable that a setting came from."""


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """Load the file at `path`, or the one `PUNTOBANCO_SETTINGS` names. Environment variables override the file. Checks
    every setting by itself, then all of them together."""
    if path is None and environ.get(FILE_VARIABLE):
        path = Path(environ[FILE_VARIABLE])
    file = path.name if path else "settings"
    values: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    sources: Sources = {}
    for setting, written, source in (*_filed(path), *_environment(environ)):
        values[setting.section][setting.name] = _read(setting, written, source)
        sources[setting.section, setting.name] = source
    for name in ("place", "key"):
        if path is not None and sources.get(("store", name)) == file:
            _keep_secret(path, name, values["store"][name])
    _secrets(values, sources)
    sections: dict[str, Any] = {section: kind(**values[section]) for section, kind in SECTIONS.items()}
    settings = Settings(**sections)
    return checked(settings, sources, file)


def checked(settings: Settings, sources: Sources | None = None, file: str = "settings") -> Settings:
    """Return the settings if they do not contradict each other."""
    for section, name, expected in settings.clashes():
        source = (sources or {}).get((section, name), file)
        found = _shown(settings_of(section)[name], getattr(getattr(settings, section), name))
        raise Refused(Reason.SETTING_WRONG, file=source, place=section, field=name, expected=expected, found=found)
    return settings


# ---- where they stand --------------------------------------------------------------------------------------------


def _filed(path: Path | None) -> list[tuple[Setting, object, str]]:
    if path is None:
        return []
    found = []
    for section, table in read_toml(path).items():
        if section not in SECTIONS:
            known = nearest(section, SECTIONS)
            raise Refused(Reason.SETTING_UNKNOWN, file=path.name, place="settings", field=section, known=known)
        if not isinstance(table, dict):
            raise Refused(
                Reason.SETTING_WRONG, file=path.name, place="settings", field=section, expected=TypeName.OBJECT,
                found=MASK,
            )  # fmt: skip
        for name, written in table.items():
            found.append((_known(section, name, path.name), written, path.name))
    return found


def _environment(environ: Mapping[str, str]) -> list[tuple[Setting, object, str]]:
    found = []
    for variable, text in sorted(environ.items()):
        if variable.startswith(PREFIX) and variable != FILE_VARIABLE:
            section, _, name = variable.removeprefix(PREFIX).lower().partition("_")
            if section not in SECTIONS:
                known = nearest(section, SECTIONS)
                raise Refused(Reason.SETTING_UNKNOWN, file=variable, place="settings", field=section, known=known)
            setting = _known(section, name, variable)
            found.append((setting, _typed(setting, text), variable))
    return found


def _known(section: str, name: str, source: str) -> Setting:
    settings = settings_of(section)
    if name not in settings:
        known = nearest(name, settings)
        raise Refused(Reason.SETTING_UNKNOWN, file=source, place=section, field=name, known=known)
    return settings[name]


def _typed(setting: Setting, text: str) -> object:
    """Parse a variable as the file would write it. Text that does not parse stays text and is rejected as such."""
    match setting.kind:
        case TypeName.BOOL:
            return {"true": True, "false": False}.get(text, text)
        case TypeName.INT:
            return int(text) if re.fullmatch("-?[0-9]{1,18}", text) else text
        case TypeName.ARRAY:
            return [one.strip() for one in text.split(",")] if text.strip() else []
    return text


# ---- one value ---------------------------------------------------------------------------------------------------


def _read(setting: Setting, written: object, source: str) -> object:
    try:
        read = msgspec.convert({setting.name: written}, SECTIONS[setting.section])
    except msgspec.ValidationError:
        raise _wrong(setting, written, source) from None
    value: object = getattr(read, setting.name)
    for text in value if isinstance(value, tuple) else [value]:
        if isinstance(text, str) and not _well_formed(setting, text):
            raise _refused(setting, setting.form or Expected.TEXT, text, source)
    return value


def _wrong(setting: Setting, written: object, source: str) -> Refused:
    if setting.choices:
        got, known = _shown(setting, written).strip('"'), ", ".join(setting.choices)
        return Refused(
            Reason.FIELD_CHOICE,
            file=source,
            place=setting.section,
            field=setting.name,
            got=got,
            known=known,
            meant=meant(got, setting.choices),
        )
    if setting.kind is TypeName.INT:
        return Refused(
            Reason.SETTING_RANGE, file=source, place=setting.section, field=setting.name, least=setting.least,
            most=setting.most, found=_shown(setting, written),
        )  # fmt: skip
    return _refused(setting, setting.kind, written, source)


def _refused(setting: Setting, expected: Expected | TypeName, found: object, source: str) -> Refused:
    return Refused(
        Reason.SETTING_WRONG, file=source, place=setting.section, field=setting.name, expected=expected,
        found=_shown(setting, found),
    )  # fmt: skip


def _shown(setting: Setting, found: object) -> str:
    """The value as the file would write it, with secrets masked."""
    if setting.secret:
        return MASK
    if isinstance(found, int) and found.bit_length() > 64:
        return "…"
    return json.dumps(found, default=str, ensure_ascii=False)


def _well_formed(setting: Setting, text: str) -> bool:
    if not text:
        return bool(setting.default == "")
    form = _FORMS.get(setting.form) if setting.form else None
    return text.isprintable() and text == text.strip() and bool(form is None or form(text))


def _is_host(text: str) -> bool:
    label = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    named = re.fullmatch(rf"(?=.*[A-Za-z]){label}(\.{label})*", text) is not None and len(text) <= 253
    return named or ("/" not in text and _is_network(text))


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    written = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}" + (f":{port}" if port is not None else "")
    return parts.scheme in ("http", "https") and _is_host(host) and text == written


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def _is_key(text: str) -> bool:
    return all(re.fullmatch("[A-Za-z0-9+/]{43}=", one.strip()) for one in text.split(","))


def _is_place(text: str) -> bool:
    """A PostgreSQL URL may have several hosts, each with its port, or none for a socket."""
    scheme, separator, where = text.partition("://")
    if not separator:
        return True
    hosts = re.split("[/?#]", where)[0].rpartition("@")[2].split(",")
    well = all(re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(:[0-9]{1,5})?", host) for host in hosts)
    return scheme in ("postgresql", "postgres") and bool(where) and well


_FORMS: dict[Expected, Callable[[str], bool]] = {
    Expected.HOST: _is_host,
    Expected.ORIGIN: _is_origin,
    Expected.NETWORK: _is_network,
    Expected.PLACE: _is_place,
    Expected.KEY: _is_key,
}


# ---- files that are named ----------------------------------------------------------------------------------------


def _secrets(values: dict[str, dict[str, Any]], sources: Sources) -> None:
    """Read the place from its file. Check that the key and certificate exist and that secret files are private."""
    store, web, metrics = values["store"], values["web"], values["metrics"]
    if named := store.get("place_file"):
        setting, source = settings_of("store")["place_file"], sources["store", "place_file"]
        if "place" in store:
            raise _refused(setting, Expected.ONE_PLACE, named, source)
        _check_private(setting, named, source)
        content = Path(named).read_bytes()[:10_000].decode(errors="replace").strip()
        store["place"] = _read(settings_of("store")["place"], content, Path(named).name)
    if named := web.get("tls_key"):
        _check_private(settings_of("web")["tls_key"], named, sources["web", "tls_key"])
    if named := metrics.get("token_file"):
        _check_private(settings_of("metrics")["token_file"], named, sources["metrics", "token_file"])
    if (named := web.get("tls_certificate")) and not _readable(Path(named)):
        setting, source = settings_of("web")["tls_certificate"], sources["web", "tls_certificate"]
        raise _refused(setting, Expected.READABLE_FILE, named, source)


def _keep_secret(path: Path, name: str, value: str) -> None:
    """A settings file that contains a password or key must be private."""
    if (name == "key" or without_password(value) != value) and not _private(path):
        raise Refused(
            Reason.SETTING_WRONG, file=path.name, place="store", field=name, expected=Expected.PRIVATE_FILE,
            found=MASK,
        )  # fmt: skip


def _check_private(setting: Setting, named: str, source: str) -> None:
    if not _readable(Path(named)):
        raise _refused(setting, Expected.READABLE_FILE, named, source)
    if not _private(Path(named)):
        raise _refused(setting, Expected.PRIVATE_FILE, named, source)


def _private(path: Path) -> bool:
    return path.stat().st_mode & 0o077 == 0


def _readable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.R_OK)
