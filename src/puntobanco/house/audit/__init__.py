"""Reading and proving what happened: round history, past states, exports, proof, reenacted incidents.

Everything here only reads. Screens get what they show from `puntobanco.web`.
"""
