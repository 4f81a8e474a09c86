"""Does JSON fit a schema? In a fraction of the time that jsonschema takes: a run report may have a million values.

A schema becomes nested functions, one a keyword. What does not fit is for jsonschema, which says where and why
(report.py); tests/tools/schema_check_test.py holds both against each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
Check = Callable[[Any], bool]  # of a value as json.loads makes it
_TYPES: dict[str, tuple[type, ...]] = {
    **{"object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),)},
    **{"integer": (int,), "number": (int, float)},
}
_NUMBERS = _TYPES["number"]  # type(True) is none
_SAYS_NOTHING = {"$schema", "$id", "$defs", "title", "description", "format"}


class Compiler:
    """Of one schema: what its $refs lead to is compiled once."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._compiled: dict[str, Check] = {}

    def check(self, schema: Schema) -> Check:
        """Raises KeyError for a keyword that is not in the table below."""
        found = [_KEYWORDS[word](self, schema) for word in schema if word not in _SAYS_NOTHING]
        if len(found) == 1:
            return found[0]

        def all_fit(value: Any) -> bool:
            for check in found:  # noqa: SIM110 (all() takes twice as long)
                if not check(value):
                    return False
            return True

        return all_fit

    def reference(self, schema: Schema) -> Check:
        """To #/$defs/NAME, which may refer to itself."""
        name = schema["$ref"].removeprefix("#/$defs/")
        if name not in self._compiled:
            self._compiled[name] = lambda value: self._compiled[name](value)
            self._compiled[name] = self.check(self._root["$defs"][name])
        return self._compiled[name]

    def properties(self, schema: Schema) -> Check:
        checks = [(name, self.check(of)) for name, of in schema["properties"].items()]

        def fit(value: Any) -> bool:
            if type(value) is dict:
                for name, check in checks:
                    if name in value and not check(value[name]):
                        return False
            return True

        return fit

    def other_properties(self, schema: Schema) -> Check:
        others = schema["additionalProperties"]
        check = self.check(others) if isinstance(others, dict) else lambda _: others
        known = schema.get("properties", {})
        return lambda value: (
            type(value) is not dict or all(check(of) for name, of in value.items() if name not in known)
        )

    def items(self, schema: Schema) -> Check:
        check, before = self.check(schema["items"]), len(schema.get("prefixItems", ()))

        def fit(value: Any) -> bool:
            if type(value) is list:
                for item in value[before:] if before else value:
                    if not check(item):
                        return False
            return True

        return fit

    def first_items(self, schema: Schema) -> Check:
        checks = [self.check(of) for of in schema["prefixItems"]]
        return lambda value: type(value) is not list or all(c(item) for c, item in zip(checks, value, strict=False))

    def some(self, schema: Schema) -> Check:
        checks = [self.check(of) for of in schema["anyOf"]]
        return lambda value: any(check(value) for check in checks)

    def one(self, schema: Schema) -> Check:
        checks = [self.check(of) for of in schema["oneOf"]]
        return lambda value: sum(check(value) for check in checks) == 1


def _type(_: Compiler, schema: Schema) -> Check:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    types = frozenset(one for name in names for one in _TYPES[name])
    if int in types and float not in types:  # 1.0 is an integer
        return lambda value: type(value) in types or (type(value) is float and value.is_integer())
    return lambda value: type(value) in types


def _same(value: Any, other: Any) -> bool:
    """True is not 1."""
    return value == other and (type(value) is bool) == (type(other) is bool)


def _is_one_of(values: list[Any]) -> Check:
    return lambda value: any(_same(value, other) for other in values)


def _of(types: tuple[type, ...], check: Check) -> Check:
    """A keyword says nothing of values of other types."""
    return lambda value: type(value) not in types or check(value)


def _required(_: Compiler, schema: Schema) -> Check:
    names = set(schema["required"])
    return _of((dict,), lambda value: names <= value.keys())


def _required_with(_: Compiler, schema: Schema) -> Check:
    pairs = [(name, set(others)) for name, others in schema["dependentRequired"].items()]
    return _of((dict,), lambda value: all(name not in value or others <= value.keys() for name, others in pairs))


def _pattern(_: Compiler, schema: Schema) -> Check:
    search = re.compile(schema["pattern"]).search
    return _of((str,), lambda value: search(value) is not None)


def _all_different(items: list[Any]) -> bool:
    try:
        return len(set(items)) == len(items)
    except TypeError:  # lists or objects are in it: jsonschema knows
        return False


# As the standard has it: NaN, which compares as false, is not below a minimum.
_KEYWORDS: dict[str, Callable[[Compiler, Schema], Check]] = {
    "$ref": Compiler.reference,
    "properties": Compiler.properties,
    "additionalProperties": Compiler.other_properties,
    "items": Compiler.items,
    "prefixItems": Compiler.first_items,
    "anyOf": Compiler.some,
    "oneOf": Compiler.one,
    "type": _type,
    "const": lambda _, schema: _is_one_of([schema["const"]]),
    "enum": lambda _, schema: _is_one_of(schema["enum"]),
    "required": _required,
    "dependentRequired": _required_with,
    "pattern": _pattern,
    "minLength": lambda _, schema: _of((str,), lambda value: len(value) >= schema["minLength"]),
    "minimum": lambda _, schema: _of(_NUMBERS, lambda value: not value < schema["minimum"]),
    "exclusiveMinimum": lambda _, schema: _of(_NUMBERS, lambda value: not value <= schema["exclusiveMinimum"]),
    "maximum": lambda _, schema: _of(_NUMBERS, lambda value: not value > schema["maximum"]),
    "minItems": lambda _, schema: _of((list,), lambda value: len(value) >= schema["minItems"]),
    "maxItems": lambda _, schema: _of((list,), lambda value: len(value) <= schema["maxItems"]),
    "uniqueItems": lambda _, schema: _of((list,), lambda value: not schema["uniqueItems"] or _all_different(value)),
}
