"""Prints how many test cases of a JUnit file passed and failed. Skipped ones are neither."""

import sys
import xml.etree.ElementTree as ElementTree


def counts(path: str) -> tuple[int, int]:
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return 0, 0
    bad = sum(1 for case in cases if case.find("failure") is not None or case.find("error") is not None)
    skipped = sum(1 for case in cases if case.find("skipped") is not None)
    return len(cases) - bad - skipped, bad


if __name__ == "__main__":
    print(*counts(sys.argv[1]))
