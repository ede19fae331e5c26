"""Programs that cannot be right do not compile, and the compiler says why in words.

    refused_programs.py COMPILER SOURCE_FOLDER
"""
import subprocess
import sys
import tempfile

BEGIN = """
#include <thalweg/stream_table_environment.h>
#include <thalweg/thalweg.h>
using namespace thalweg::api;
namespace table = thalweg::table;
auto numbers() { return StreamExecutionEnvironment::getExecutionEnvironment().fromElements(1, 2); }
"""
# What is said, and the program that is told so.
REFUSED = [
    ("BOOST_DESCRIBE_STRUCT", "struct Plain { int n = 0; }; void f() { numbers().map([](int n) { return Plain{n}; }); }"),
    ("the destructor of a user function must not throw",
     "struct Throws { ~Throws() noexcept(false) {} int operator()(int n) { return n; } }; void f() { numbers().map(Throws()); }"),
    ("a Row cannot be a key", "void f() { numbers().keyBy([](int) { return Row::of(1); }); }"),
    ("using Evals = table::Signatures",
     "struct Two : table::ScalarFunction { int eval(int n) { return n; } double eval(double n) { return n; } };"
     "void f() { TableEnvironment::create().createTemporarySystemFunction(\"two\", Two()); }"),
    ("VarArgs is the last argument",
     "struct Early : table::ScalarFunction { int eval(table::VarArgs<int>, table::VarArgs<int>) { return 0; } };"
     "void f() { TableEnvironment::create().createTemporarySystemFunction(\"early\", Early()); }"),
    ("describe it with BOOST_DESCRIBE_STRUCT",
     "struct Acc { int n = 0; }; struct Sum : table::AggregateFunction<int, Acc> { Acc createAccumulator() { return {}; } void accumulate(Acc&, int) {} int getValue(const Acc&) "
     "{ return 0; } }; void f() { TableEnvironment::create().createTemporarySystemFunction(\"sum\", Sum()); }"),
]


def refusal(compiler, root, program):
    """What the compiler says; nothing if it is content."""
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as source:
        source.write(BEGIN + program)
        source.flush()
        ran = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{root}", f"-I{root}/client/api", source.name], text=True, capture_output=True)
    return ran.stderr if ran.returncode else ""


def main(compiler, root):
    problems = []
    if said := refusal(compiler, root, "void f() { numbers().map([](int n) { return n; }).print(); }"):
        problems.append(f"a program that is right is refused:\n{said}")
    for words, program in REFUSED:
        said = refusal(compiler, root, program)
        if words not in said:
            problems.append(f"expected '{words}' of: {program}\nfound:\n{said[:2000]}")
    print("\n".join(problems) or f"{len(REFUSED)} programs are refused in words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
