"""What `pip install puntobanco` leaves out, and how to install it.

The package alone has the rules, the table, settlement and the command. `pyproject.toml` declares the extras.
"""

EXTRAS = {
    "odds": ("matplotlib", "numba", "numpy", "pyarrow"),
    "dask": ("distributed",),
    "client": ("httpx", "websockets"),
    "house": (
        "argon2", "asyncpg", "cryptography", "prometheus_client", "starlette", "structlog", "uvicorn", "uvloop",
        "zxcvbn",
    ),
}  # fmt: skip
"""The modules that each extra installs, besides those of the extras it includes."""


def explained(missing: ModuleNotFoundError) -> ModuleNotFoundError:
    """The same error with the command that installs the missing module, if an extra has it."""
    module = (missing.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return ModuleNotFoundError(
                f"{module} is not installed. Run: pip install 'puntobanco[{extra}]'", name=module
            )
    return missing
