"""Are regions called by the function that they stand in, and left alone when nobody knows it?"""

import subprocess

import pytest

from lbhm.program.symbols import readable, region_names, short_name, with_readable_names

SOURCE = """
namespace field { __attribute__((noinline)) int solve(int x) { return x * 3 + 1; } }
int main(int argc, char**) { return field::solve(argc) == 0; }
"""


@pytest.fixture
def program(tmp_path):
    source = tmp_path / "app.cpp"
    source.write_text(SOURCE)
    path = tmp_path / "app"
    subprocess.run(["g++", "-O1", "-o", path, source], check=True)
    return path


def offset_of(program, symbol):
    listing = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0], 16) for line in listing.splitlines() if line.endswith(f" {symbol}"))


def test_an_address_inside_a_function_has_its_name(program):
    names = region_names([program])
    start = offset_of(program, "_ZN5field5solveEi")
    assert names(f"app+{start:#x}") == "field::solve"
    assert names(f"app+{start + 1:#x}") == "field::solve"
    assert names(f"app+{offset_of(program, 'main'):#x}") == "main"


def test_what_no_symbol_tells_keeps_its_place(program):
    names = region_names([program])
    assert names("app+0x1") == "app+0x1"
    assert names("libother.so+0x10") == "libother.so+0x10"
    assert names("unknown") == "unknown"


def test_a_stripped_or_unreadable_file_is_no_error(program, tmp_path):
    subprocess.run(["strip", program], check=True)
    assert region_names([program])("app+0x1130") == "app+0x1130"
    assert region_names([tmp_path / "missing"])("missing+0x10") == "missing+0x10"


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_QQmain..omp_par", "main program"),
        ("_QPsolve..omp_par.2", "solve"),
        ("_QMfieldPsolve", "field::solve"),
        ("_QMfieldFouterPinner", "field::outer::inner"),
        ("_QFPinner..omp_par", "inner"),
        ("_QMfieldEvalues", "field::values"),
        ("_QMfieldFsolveEcount", "field::solve::count"),
        ("_QMfieldSpartPsolve", "field::part::solve"),
        ("_QMfieldFsolveFinnerB1Esum", "field::solve::inner::sum"),
        ("_QMfieldECtable", "field::table"),
        ("_QMfieldNsettings", "field::settings"),
        ("_QMfieldE.dt.cell", "field::cell (type)"),
        ("_QMfieldEvalues.desc", "field::values.desc"),
        ("_QQclX2F746D702F612E66393000", "constant"),
        ("_QQro.3xi4.0", "constant"),
        ("ext_", "ext"),
        ("my_ext_..omp_par.1", "my_ext"),
        ("_Qother", "_Qother"),
    ],
)
def test_names_that_flang_makes(symbol, name):
    assert readable(symbol) == name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZN5field5solveEi.omp_outlined", "field::solve"),
        ("_ZN5field5solveEi.omp_outlined_debug__.3", "field::solve"),
        ("_ZN5field5solveEi.cold", "field::solve"),
        ("_ZN12_GLOBAL__N_15tableE", "table"),
        ("smooth.omp_outlined.2", "smooth"),
        ("main._omp_fn.0", "main"),
        (".omp_task_entry.", ".omp_task_entry."),
        ("plain", "plain"),
        ("__libc_start_", "__libc_start_"),
    ],
)
def test_names_that_cpp_compilers_make(symbol, name):
    assert readable(symbol) == name


@pytest.mark.parametrize(
    ("demangled", "name"),
    [
        ("void mesh::(anonymous namespace)::each<main::$_0>(int, main::$_0) (.omp_outlined)", "mesh::each<main::$_0>"),
        ("main::$_0::operator()(int) const", "main::$_0::operator()"),
        ("main::'lambda'(int)::operator()(int) const", "main::'lambda'::operator()"),
        ("std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()"),
        ("f(int) const::table", "f::table"),
        ("a::B::operator<(a::B const&) const", "a::B::operator<"),
        ("std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>"),
        ("operator new[](unsigned long)", "operator new[]"),
        ("f::operator bool() const", "f::operator bool"),
        ("decltype(auto) f<int>(int)", "f<int>"),
        ("my_operator_x(int)", "my_operator_x"),
    ],
)
def test_types_and_parameters_are_left_out(demangled, name):
    assert short_name(demangled) == name


def test_symbols_inside_of_other_text():
    assert with_readable_names("&_QMfieldEvalues[]") == "&field::values[]"
    assert with_readable_names("bytes(_ZL5table) + n") == "bytes(table) + n"
