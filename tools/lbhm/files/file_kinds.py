"""What a JSON file of ours is, and who takes it: for the sentence where another kind was expected (docs/files.md)."""

from __future__ import annotations

from typing import Any

_PEOPLE = "is for people and scripts"
# By the name of the schema, without its version.
_KINDS = {
    "lbhm.machine": ("a machine file", "--machine FILE takes"),
    "lbhm.host": ("what lbhm machine measure found", "the setting LBHM_TIERS takes"),
    "lbhm.patterns": ("a file of access patterns", "the setting LBHM_PATTERNS takes"),
    "lbhm.alpha": ("a table of stencils", "the setting LBHM_ALPHA takes"),
    "lbhm.report": ("a run report", "lbhm report and lbhm objects show"),
    "lbhm.compare": ("a comparison", "lbhm report shows"),
    "lbhm.capacities": ("a comparison", "lbhm report shows"),
    "lbhm.objects": ("what lbhm objects --json wrote", _PEOPLE),
    "lbhm.regions": ("what lbhm regions --json wrote", _PEOPLE),
    "lbhm.region-data": ("what lbhm regions --measure wrote", _PEOPLE),
    "lbhm.training-data": ("data of lbhm train", "lbhm train --work finds in its folder"),
    "lbhm.training": ("what lbhm train --json wrote", _PEOPLE),
    "lbhm.model": ("a model", "the setting LBHM_MODEL takes"),
    "lbhm.uses": ("what the setting LBHM_USES wrote", _PEOPLE),
    "lbhm.profile": ("a profile", "lbhm optimize, lbhm objects and lbhm run --profile take"),
    "lbhm.page-counts": ("what the setting LBHM_PAGE_COUNTS wrote", _PEOPLE),
    "lbhm.placement": ("a placement", "lbhm run --placement takes"),
    "lbhm.doctor": ("what lbhm doctor --json wrote", _PEOPLE),
}


def schema_of(content: Any) -> str:
    """Empty if it has none."""
    return str(content.get("schema") or "") if isinstance(content, dict) else ""


def but_is(content: Any, wanted: str) -> str:
    """', but a placement, which lbhm run --placement takes': goes behind what it is not. wanted: the schema of that."""
    schema = schema_of(content)
    name = schema.partition("/")[0]
    if name == wanted.partition("/")[0]:
        return f", but of another version of LB-HM ({schema}, not {wanted})"
    if name in _KINDS:
        kind, use = _KINDS[name]
        return f", but {kind}, which {use}"
    return f" (its schema is '{schema}', not '{wanted}')" if schema else f" (it has no schema, as {wanted} would be)"
