"""Is a model that was trained on this host used here, and refused where the memories are others?"""

import json

from host import ROOT

# A plan is made beside a phase: on a busy computer a short one is over before it, so there are eight.
PLANNED = ["kernel-planned", "8", "4"]
SMALL = ROOT / "tests" / "model" / "seeds" / "small.json"


def test_a_model_is_for_the_host_that_it_was_trained_on(two_nodes, tmp_path):
    fingerprint = two_nodes.run(PLANNED, policy="slow-only").report["machine_fingerprint"]
    model = tmp_path / "host.json"
    model.write_text(
        json.dumps(json.loads(SMALL.read_text()) | {"machine": "host", "machine_fingerprint": fingerprint})
    )
    env = {"LBHM_MODEL": str(model), "LBHM_SAMPLER": "faults"}
    here = two_nodes.run(PLANNED, policy="lbhm", env=env)
    assert here.report["correlation"].startswith("host/"), here.said
    two_nodes.write("sys/devices/system/node/node1/access1/initiators/read_bandwidth", "30000")
    other = two_nodes.run(PLANNED, policy="lbhm", env=env)
    assert other.report["correlation"] == "analytic", other.said
    assert any("trained on a machine host with other numbers" in line for line in other.said), other.said
