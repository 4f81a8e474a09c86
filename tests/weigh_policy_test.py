"""Does scripts/weigh-policy count code and constants, and only of files that nobody else uses?"""

import importlib.util
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "weigh-policy"
sys.dont_write_bytecode = True
LOADER = SourceFileLoader("weigh_policy", str(SCRIPT))
weigh = importlib.util.module_from_spec(importlib.util.spec_from_loader("weigh_policy", LOADER))
LOADER.exec_module(weigh)


def test_a_file_is_a_policys_own_if_nobody_else_includes_it():
    sources = {
        "a.cpp": '#include "own.h"\n#include "shared.h"\n#include <vector>\n',
        "b.cpp": '#include "shared.h"\n#include "both.h"\n',
        "own.h": '#include "deeper.h"\n#include "shared.h"\n',
        "own.cpp": '#include "own.h"\n#include "both.h"\n',
        "deeper.h": "",
        "shared.h": "",
        "both.h": "",
    }
    assert weigh.used_by_these(["a.cpp"], sources) == {"a.cpp", "own.h", "own.cpp", "deeper.h"}
    assert weigh.used_by_these(["a.cpp", "b.cpp"], sources) == sources.keys()


def test_comments_blanks_and_strings_are_neither_code_nor_constants():
    text = '#include "h2m/7.h"\n\n// 3 of them\nint a = 40;  /* 5\n6 */\nauto b = "8 // 9";\nint c2 = 1 + 0x + 2.0;\n'
    code = weigh.code_of(text)
    assert len(code) == 4
    assert weigh.constants_of(code) == ["40"]
    code = weigh.code_of("f(1'000'000, 1e9, 0.5, 1.5e-3, x[3], a.b2, '4');")
    assert weigh.constants_of(code) == ["0.5", "1.5e-3", "3"]


def test_it_weighs_the_policies_of_the_tree():
    out = subprocess.run([SCRIPT, "lbhm"], capture_output=True, text=True, check=True).stdout
    assert "runtime/placement/value/page_market.cpp" in out
    assert "daemon.h" not in out, "others use it, too"
    assert out.splitlines()[-1].endswith("constants")


def test_an_unknown_policy_is_named():
    done = subprocess.run([SCRIPT, "no-such"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no-such" in done.stderr
