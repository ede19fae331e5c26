#include "tests/unit/common/formats/format_harness.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

using Rows = std::vector<std::string>;
const Schema kStaff({{"id", DataType::integer()}, {"name", DataType::string()}});

TEST_CASE("debezium operations become row kinds") {
  const std::string text = R"({"before":null,"after":{"id":1,"name":"ann"},"op":"r","source":{"db":"x"}}
{"op":"u","before":{"id":1,"name":"ann"},"after":{"id":1,"name":"anna"}}
{"before":{"id":1,"name":"anna"},"after":null,"op":"d"}

{"after":{"id":2},"op":"c"})";
  CHECK(decodeText("debezium-json", {}, kStaff, text).rows == Rows{"+I[1, ann]", "-U[1, ann]", "+U[1, anna]", "-D[1, anna]", "+I[2, null]"});
  const std::string wrapped = R"({"schema":{},"payload":{"after":{"id":1,"name":"w"},"op":"c"}})";
  CHECK(decodeText("debezium-json", {{"debezium-json.schema-include", "true"}}, kStaff, wrapped).rows == Rows{"+I[1, w]"});
}

TEST_CASE("a bad envelope gives no row at all") {
  const std::string text = R"({"before":{"id":1},"after":null,"op":"u"}
{"before":null,"after":{"id":9},"op":"x"}
{"before":null,"after":null,"op":"d"}
{"nothing":1}
no json
{"after":{"id":"many","name":"p"},"op":"c"})";
  const Decoded skipped = decodeText("debezium-json", {{"debezium-json.ignore-parse-errors", "true"}}, kStaff, text);
  CHECK(skipped.rows == Rows{"+I[null, p]"});
  CHECK(skipped.skipped == 5);
  CHECK(decodeText("debezium-json", {}, kStaff, text).error.find("expected the row in 'after'") != std::string::npos);
}

TEST_CASE("canal lays old values over new rows") {
  const std::string text = R"({"data":[{"id":"1","name":"ann"},{"id":"2","name":null}],"type":"INSERT","database":"hr","table":"staff"}
{"data":[{"id":"1","name":"anna"}],"old":[{"name":"ann"}],"type":"UPDATE","database":"hr","table":"staff"}
{"data":[{"id":"2","name":"bob"}],"old":[{"name":null}],"type":"UPDATE","database":"hr","table":"staff"}
{"data":null,"type":"CREATE","database":"hr","table":"staff"}
{"data":[{"id":"9","name":"x"}],"type":"INSERT","database":"shop","table":"orders"}
{"data":[{"id":"2","name":"bob"}],"type":"DELETE","database":"hr","table":"staff"})";
  CHECK(decodeText("canal-json", {{"canal-json.database.include", "h.*"}}, kStaff, text).rows ==
        Rows{"+I[1, ann]", "+I[2, null]", "-U[1, ann]", "+U[1, anna]", "-U[2, null]", "+U[2, bob]", "-D[2, bob]"});
}

TEST_CASE("maxwell and ogg are read") {
  CHECK(decodeText("maxwell-json", {}, kStaff, R"({"type":"insert","data":{"id":1,"name":"ann"}}
{"type":"update","data":{"id":1,"name":null},"old":{"name":"ann"}}
{"type":"delete","data":{"id":1,"name":null}})")
            .rows == Rows{"+I[1, ann]", "-U[1, ann]", "+U[1, null]", "-D[1, null]"});
  CHECK(decodeText("ogg-json", {}, kStaff, R"({"op_type":"I","after":{"id":1,"name":"ann"}}
{"op_type":"U","before":{"id":1,"name":"ann"},"after":{"id":1,"name":"bea"}}
{"op_type":"D","before":{"id":1,"name":"bea"}}
{"op_type":"T"})")
            .error.find("known operation in 'op_type'") != std::string::npos);
}

TEST_CASE("changelogs are written as deletes and inserts") {
  const std::vector<std::vector<Value>> rows = {{Value::integer(1), Value::string("a")}, {Value::integer(1), Value::string("b")}};
  const std::vector<RowKind> kinds = {RowKind::UPDATE_BEFORE, RowKind::UPDATE_AFTER};
  CHECK(encodeRows("debezium-json", {}, kStaff, rows, kinds) ==
        "{\"before\":{\"id\":1,\"name\":\"a\"},\"after\":null,\"op\":\"d\"}\n{\"before\":null,\"after\":{\"id\":1,\"name\":\"b\"},\"op\":\"c\"}\n");
  CHECK(encodeRows("canal-json", {}, kStaff, rows, kinds) ==
        "{\"data\":[{\"id\":1,\"name\":\"a\"}],\"type\":\"DELETE\"}\n{\"data\":[{\"id\":1,\"name\":\"b\"}],\"type\":\"INSERT\"}\n");
  CHECK(encodeRows("maxwell-json", {}, kStaff, rows, kinds) ==
        "{\"data\":{\"id\":1,\"name\":\"a\"},\"type\":\"delete\"}\n{\"data\":{\"id\":1,\"name\":\"b\"},\"type\":\"insert\"}\n");
  CHECK(encodeRows("ogg-json", {}, kStaff, rows, kinds) ==
        "{\"before\":{\"id\":1,\"name\":\"a\"},\"after\":null,\"op_type\":\"D\"}\n{\"before\":null,\"after\":{\"id\":1,\"name\":\"b\"},\"op_type\":\"I\"}\n");
}

}  // namespace
}  // namespace thalweg::testing
