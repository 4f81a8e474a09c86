"""The lbhm command: runs OpenMP programs under LB-HM, compares policies and says what works here."""

__version__ = "0.1.0"
