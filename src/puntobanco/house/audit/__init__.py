"""Reading and proving what happened: round history, past states, exports, proof, reenacted incidents.

Everything here only reads. What is shown on screens is assembled in `puntobanco.web`.
"""
