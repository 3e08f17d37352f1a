"""`python -m puntobanco` is the `puntobanco` command."""

from puntobanco.cli.main import main

if __name__ == "__main__":
    main()
