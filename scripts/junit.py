"""Prints how many test cases of a JUnit file passed and failed; with --failed, the failed ones and what they said.

Skipped ones are neither.
"""

import sys
from xml.etree.ElementTree import ParseError

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestCase, TestSuite

LINES = 30  # of the output of a failed test


def cases(path: str) -> list[TestCase]:
    """pytest writes suites, ctest one suite."""
    try:
        found = JUnitXml.fromfile(path)
    except (OSError, ParseError, JUnitXmlError):
        return []
    return list(found) if isinstance(found, TestSuite) else [case for suite in found for case in suite]


def said(case: TestCase) -> list[str]:
    """The end of what a failed test printed: pytest has it in the failure, ctest beside it."""
    texts = [part.text or "" for part in case.result] + [case.system_out or ""]
    return "\n".join(texts).strip().splitlines()[-LINES:]


if __name__ == "__main__":
    *option, path = sys.argv[1:]
    found = cases(path)
    failed = [case for case in found if any(isinstance(part, Failure | Error) for part in case.result)]
    if option == ["--failed"]:
        for case in failed:
            print(case.classname, case.name, *(f"  {line}" for line in said(case)), sep="\n")
    else:
        skipped = sum(any(isinstance(part, Skipped) for part in case.result) for case in found)
        print(len(found) - len(failed) - skipped, len(failed))
