"""The lbhm command: runs OpenMP programs under LB-HM, compares policies and says what works here."""


def __getattr__(name: str) -> str:
    """__version__, for who asks: a compiler (compiler_wrapper.py) does not."""
    if name != "__version__":
        raise AttributeError(f"module 'lbhm' has no attribute '{name}'")
    from lbhm.base.build_tree import version

    return version()
