"""Prints how many test cases of a JUnit file passed and failed; with --failed, the failed ones and what they said.

Skipped ones are neither.
"""

import sys
import xml.etree.ElementTree as ElementTree

LINES = 30  # of the output of a failed test


def cases(path: str) -> list[ElementTree.Element]:
    try:
        return list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []


def failure(case: ElementTree.Element) -> ElementTree.Element | None:
    return next((part for part in case if part.tag in ("failure", "error")), None)


def said(case: ElementTree.Element) -> list[str]:
    """The end of what a failed test printed: pytest has it in the failure, ctest beside it."""
    texts = [part.text or "" for part in case if part.tag in ("failure", "error", "system-out")]
    return "\n".join(texts).strip().splitlines()[-LINES:]


if __name__ == "__main__":
    *option, path = sys.argv[1:]
    found = cases(path)
    failed = [case for case in found if failure(case) is not None]
    if option == ["--failed"]:
        for case in failed:
            print(case.get("classname"), case.get("name"), *(f"  {line}" for line in said(case)), sep="\n")
    else:
        skipped = sum(1 for case in found if case.find("skipped") is not None)
        print(len(found) - len(failed) - skipped, len(failed))
