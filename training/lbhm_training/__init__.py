"""Trains the correlation function f of Eq. 2 (the paper, section 5.1) from measured code regions."""
