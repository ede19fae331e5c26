"""Every public method and function of the C++ API's headers is called by some test or example of it."""
import re

import tree

HEADERS = "client/api/thalweg/"
CALLERS = ("tests/unit/client/api/", "tests/cluster/", "tests/program/", "examples/")
# Headers for the API's own use: users include none of them by name.
INNER = {"basic_stages", "co_stages", "collection_source", "field_composites", "field_folds", "field_traits", "flagged_records", "function_bodies", "function_columns",
         "inline_call", "key_scope", "keyed_stages", "keyed_timers", "record_type", "source_stage", "stage", "stream_graph", "stream_handle", "stream_link",
         "user_function", "watermark_alignment", "window_content", "window_stage"}
# What stages, adapters and templates call of each other: public because C++ has no other way.
INNER_NAMES = set("""
  advanceWatermark align assign assigned atScale batchMode callOf checkAttempts checkCount checkWindowSize checkpointComplete commitPending edges emitReady emitter endInput
  endKey evict fieldsOf finish flagged flaggedRecords flaggedStream fromCallOf fromValue fromValuesOf inList idleFor internal invoke isAlive mergedStates noteRead notify
  onTime outputLink ownNode partitionedByAll poll prepareSnapshot primaryKeyOf recordFields redistribute refuseGap refuseNoTimestamp refuseUntimedJoin registerNext
  requestWakeup restore roll routed rowFields rowOf arrayOf mapOf self setRow setText settingsNode snapshot snapshotSplits stage startJob states streamOf timestampDiffOf
  toDescriptor touch transform wakeup withColumnsOf withoutColumnsOf writeNumber insertStream changelogStream iterator popIfAny endWriter abandon has_value pop_front reset isOk joinable
  rethrow_exception isElsewhere
""".split())
KEYWORDS = {"if", "for", "while", "return", "switch", "requires", "sizeof", "decltype", "static_assert", "noexcept", "explicit", "defined", "visibility"}


def public_part(text):
    """The lines of a header without comments and private parts."""
    lines, visible = [], True
    for line in re.sub(r"//.*", "", text).split("\n"):
        if re.match(r"\s*(private|protected):", line):
            visible = False
        elif re.match(r"\s*public:|(class|struct|template|inline|\};)", line):
            visible = True
        if visible:
            lines.append(line)
    return "\n".join(lines)


def methods(text):
    """Names of functions declared at the level of a namespace or of a class."""
    names = set(re.findall(r"^(?:  |inline |\[\[)[^=\n]*?\b([a-z]\w*)\([^;\n]*\)[^;\n]*[{;]?$", public_part(text), re.MULTILINE))
    return {name for name in names if not name.endswith("_") and name not in KEYWORDS and not hasattr(str, name)}


def check(root):
    callers = "".join(tree.text(root, path) for path in tree.sources(root) if str(path).startswith(CALLERS))
    problems = []
    for path in tree.sources(root):
        if not str(path).startswith(HEADERS) or path.stem in INNER:
            continue
        for name in sorted(methods(tree.text(root, path)) - INNER_NAMES):
            if not re.search(rf"\b{name}\b", callers):
                problems.append(f"{path}: no test and no example calls {name}()")
    return problems


if __name__ == "__main__":
    tree.run(check)
