#include "common/functions/json/json_path.h"
#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

const DataType kText = DataType::string();
const DataType kSymbol = DataType::symbol();

struct Clauses {
  std::string on_empty = "";
  std::string on_error = "";
  Value default_on_empty = {};
  Value default_on_error = {};
  DataType returning = DataType::string();
};

Value jsonValue(const std::string& json, const std::string& path, const Clauses& clauses = {}) {
  const DataType type = clauses.returning;
  return KernelHarness("JSON_VALUE", {kText, kText, kSymbol, type, kSymbol, type, type},
                       {{2, s(clauses.on_empty)}, {4, s(clauses.on_error)}})({s(json), s(path), clauses.default_on_empty,
                                                                             clauses.default_on_error, null()});
}
std::string valueFailure(const std::string& json, const std::string& path, const Clauses& clauses) {
  const DataType type = clauses.returning;
  return KernelHarness("JSON_VALUE", {kText, kText, kSymbol, type, kSymbol, type, type},
                       {{2, s(clauses.on_empty)}, {4, s(clauses.on_error)}})
      .failure({s(json), s(path), clauses.default_on_empty, clauses.default_on_error, null()});
}

Value jsonQuery(const std::string& json, const std::string& path, const std::string& wrapper = "WITHOUT", const std::string& on_empty = "",
                const std::string& on_error = "", const DataType& returning = DataType::string()) {
  return KernelHarness("JSON_QUERY", {kText, kText, kSymbol, kSymbol, kSymbol, returning},
                       {{2, s(wrapper)}, {3, s(on_empty)}, {4, s(on_error)}})({s(json), s(path), null()});
}

Value jsonExists(const std::string& json, const std::string& path, const std::string& on_error = "") {
  return KernelHarness("JSON_EXISTS", {kText, kText, kSymbol}, {{2, s(on_error)}})({s(json), s(path)});
}

Value isJson(const std::string& shape, const Value& text) { return KernelHarness("IS JSON " + shape, {kText})({text}); }

}  // namespace

TEST_CASE("JSON_VALUE gives scalars as text, numbers as BigDecimal prints them") {
  const std::string json = R"({"n":42,"s":"txt","b":true,"d":1.50,"z":null,"o":{"k":"v"},"r":[5,6],"e":1e3,"u":"\u00e9\n"})";
  CHECK(jsonValue(json, "$.n") == s("42"));
  CHECK(jsonValue(json, "$.s") == s("txt"));
  CHECK(jsonValue(json, "$.b") == s("true"));
  CHECK(jsonValue(json, "$.d") == s("1.50"));
  CHECK(jsonValue(json, "$.e") == s("1E+3"));
  CHECK(jsonValue(json, "$.u") == s("é\n"));
  CHECK(jsonValue(json, "$.z") == null());
  CHECK(jsonValue(json, "$.o") == null());
  CHECK(jsonValue(json, "$.o.k") == s("v"));
  CHECK(jsonValue(json, "$.r[1]") == s("6"));
  CHECK(jsonValue("17", "$") == s("17"));
  for (const auto& [number, shown] : std::vector<std::pair<std::string, std::string>>{{"1.0", "1.0"},
                                                                                       {"1e-10", "1E-10"},
                                                                                       {"12345678901234567890", "12345678901234567890"},
                                                                                       {"-0.0", "0.0"},
                                                                                       {"100E-2", "1.00"},
                                                                                       {"1E400", "1E+400"},
                                                                                       {"-0", "0"},
                                                                                       {"0.0000001", "1E-7"},
                                                                                       {"-12.5e1", "-125"}}) {
    CHECK(jsonValue(number, "$") == s(shown));
  }
}

TEST_CASE("JSON_VALUE reacts to what is missing, wrong or no JSON as its mode says") {
  const Clauses both{.on_empty = "DEFAULT", .on_error = "DEFAULT", .default_on_empty = s("e"), .default_on_error = s("x")};
  CHECK(jsonValue("{\"a\":1}", "lax $.q", both) == s("e"));
  CHECK(jsonValue("{\"a\":1}", "strict $.q", both) == s("x"));
  CHECK(jsonValue("{\"a\":1}", "$.q", both) == s("x"));
  CHECK(jsonValue("{\"a\":{}}", "lax $.a", both) == s("e"));
  CHECK(jsonValue("{\"a\":{}}", "strict $.a", both) == s("x"));
  CHECK(jsonValue("{\"a\":null}", "LAX $.a", both) == s("e"));
  CHECK(jsonValue("{\"a\":null}", "$.a", both) == s("x"));
  CHECK(jsonValue("{a", "lax $.a", both) == s("e"));
  CHECK(jsonValue("{a", "$.a", both) == s("x"));
  CHECK(jsonValue("{\"a\":1}", "bogus path", both) == s("x"));
  CHECK(jsonValue("{\"a\":[1,2]}", "lax $.a[5]", both) == s("e"));
  CHECK(jsonValue("{\"a\":[1,2]}", "$.a[*]", both) == s("x"));
  CHECK(valueFailure("{\"a\":1}", "lax $.q", {.on_empty = "ERROR"}) != "");
  CHECK(valueFailure("{\"a\":1}", "strict $.q", {.on_error = "ERROR"}) != "");
  CHECK(KernelHarness("JSON_VALUE", {kText, kText, kSymbol, kText, kSymbol, kText, kText}, {{2, s("")}, {4, s("")}})(
            {null(), s("$.a"), null(), null(), null()}) == null());
}

TEST_CASE("JSON_VALUE gives values of the RETURNING type and fails over others, whatever ON ERROR says") {
  CHECK(jsonValue("{\"n\":42}", "$.n", {.returning = DataType::integer()}) == i(42));
  CHECK(jsonValue("{\"b\":true}", "$.b", {.returning = DataType::boolean()}) == b(true));
  CHECK(jsonValue("{\"d\":1.50}", "$.d", {.returning = DataType::float64()}) == d(1.5));
  CHECK(valueFailure("{\"n\":\"x\"}", "$.n", {.returning = DataType::integer()}) != "");
  CHECK(valueFailure("{\"n\":1.5}", "$.n", {.returning = DataType::integer()}) != "");
  CHECK(valueFailure("{\"n\":1}", "$.n", {.returning = DataType::float64()}) != "");
  CHECK(valueFailure("{\"n\":\"x\"}", "$.n",
                     {.on_error = "DEFAULT", .default_on_error = i(-2), .returning = DataType::integer()}) != "");
  CHECK(KernelHarness::refusal("JSON_VALUE",
                               {kText, kText, kSymbol, DataType::date(), kSymbol, DataType::date(), DataType::date()},
                               {{2, s("")}, {4, s("")}}) != "");
}

TEST_CASE("JSON paths take members, elements, wildcards, descents, slices and filters") {
  const auto paths = [](const std::string& json, const std::string& path) { return jsonQuery(json, path, "UNCONDITIONAL"); };
  CHECK(jsonValue(R"({"a b":3})", "$[\"a b\"]") == s("3"));
  CHECK(jsonValue(R"({"a b":3})", "$.a b") == null());
  CHECK(jsonValue(R"({"a-b":3})", "$.a-b") == s("3"));
  CHECK(jsonValue(R"({"ä":3})", "$['ä']") == s("3"));
  CHECK(jsonValue(R"({"a":1,"a":2})", "$.a") == s("2"));
  CHECK(jsonValue("[1,2,3]", "$[-1]") == s("3"));
  CHECK(jsonValue("{\"a\":1}", "a") == s("1"));
  CHECK(jsonValue("{\"a\":1}", "  lax   $.a  ") == s("1"));
  CHECK(paths(R"({"i":[{"p":1},{"p":2},{"x":3}]})", "$.i[*].p") == s("[[1,2]]"));
  CHECK(jsonQuery(R"([{"a":1},{"b":{"a":2}}])", "$..a") == s("[1,2]"));
  CHECK(jsonQuery("[1,2,3,4]", "$[1:3]") == s("[2,3]"));
  CHECK(jsonQuery("[1,2,3,4]", "$[0,2]") == s("[1,3]"));
  CHECK(jsonQuery("[1,2,3,4]", "$[-2:]") == s("[3,4]"));
  CHECK(jsonQuery(R"({"a":{"b":3},"c":{"b":4}})", "$.*.b") == s("[3,4]"));
  CHECK(jsonQuery(R"([{"a":1,"n":"x"},{"a":2},{"a":3,"n":"y"}])", "$[?(@.a > 1 && @.n == 'y')].a") == s("[3]"));
  CHECK(jsonQuery(R"([{"a":1},{"b":2}])", "$[?(@.b || @.a == 1)]") == s(R"([{"a":1},{"b":2}])"));
  CHECK(jsonQuery(R"([{"a":1},{"b":2}])", "$[?(!@.b)]") == s(R"([{"a":1}])"));
  for (const char* text : {"", "$.", "$[", "$[x]", "$['a]", "$.a[?(@.b]", "$.f()"}) {
    INFO(text);
    CHECK_FALSE(JsonPath::compile(text).isOk());
  }
}

TEST_CASE("JSON_QUERY gives arrays and objects, sorted and without blanks") {
  CHECK(jsonQuery(R"({"b":1, "a" : {"z": [1 , 2.50, null], "c": "\u00e9\/"}})", "$") == s(R"({"a":{"c":"é/","z":[1,2.50,null]},"b":1})"));
  CHECK(jsonQuery("{\"a\":[]}", "$.a") == s("[]"));
  CHECK(jsonQuery("{\"a\":5}", "$.a") == null());
  CHECK(jsonQuery("{\"a\":5}", "$.a", "UNCONDITIONAL") == s("[5]"));
  CHECK(jsonQuery("{\"a\":{}}", "$.a", "UNCONDITIONAL") == s("[{}]"));
  CHECK(jsonQuery("{\"a\":[1]}", "$.a", "UNCONDITIONAL") == s("[[1]]"));
  CHECK(jsonQuery("{\"a\":[1]}", "$.a", "CONDITIONAL") == s("[1]"));
  CHECK(jsonQuery("{\"a\":{}}", "$.a", "CONDITIONAL") == s("[{}]"));
  CHECK(jsonQuery("{\"a\":1}", "lax $.q", "WITHOUT", "EMPTY ARRAY") == s("[]"));
  CHECK(jsonQuery("{\"a\":1}", "strict $.q", "WITHOUT", "", "EMPTY OBJECT") == s("{}"));
  CHECK(jsonQuery("{\"a\":null}", "$.a", "UNCONDITIONAL", "EMPTY OBJECT", "EMPTY ARRAY") == s("[]"));
  CHECK(jsonQuery("{a", "lax $.a", "WITHOUT", "", "EMPTY OBJECT") == null());
  const DataType texts = DataType::array(kText);
  CHECK(jsonQuery(R"(["a",3,null,true,[1],{"x":1}])", "$", "WITHOUT", "", "", texts) ==
        Value::list({s("a"), s("3"), null(), s("true"), s("[1]"), s("{\"x\":1}")}));
  CHECK(jsonQuery("{}", "lax $.q", "WITHOUT", "EMPTY ARRAY", "", texts) == Value::list({}));
  CHECK(jsonQuery("{}", "$", "WITHOUT", "", "", texts) == null());
}

TEST_CASE("JSON_EXISTS and IS JSON") {
  CHECK(jsonExists("{\"a\":1}", "$.a") == b(true));
  CHECK(jsonExists("{\"a\":null}", "$.a") == b(false));
  CHECK(jsonExists("{\"a\":1}", "$.b") == b(false));
  CHECK(jsonExists("{\"a\":1}", "strict $.b", "TRUE") == b(true));
  CHECK(jsonExists("{\"a\":1}", "strict $.b", "UNKNOWN") == null());
  CHECK(jsonExists("{a", "lax $.a", "TRUE") == b(false));
  CHECK(jsonExists("[]", "$[*]") == b(true));
  for (const char* text : {"{}", " [ ] ", "\"text\"", "12.5", "null", "true", "1 2", "{\"a\":1}x"}) {
    INFO(text);
    CHECK(isJson("VALUE", s(text)) == b(true));
  }
  for (const char* text : {"", " ", "{a:1}", "[1,]", "nul", "01", "1.", ".5", "+1", "'a'", "\"a", "NaN", "1x", "{\"a\":1,}", "\"\t\""}) {
    INFO(text);
    CHECK(isJson("VALUE", s(text)) == b(false));
  }
  CHECK(isJson("VALUE", null()) == b(false));
  CHECK(KernelHarness("IS NOT JSON", {kText})({null()}) == b(true));
  CHECK(isJson("SCALAR", s("1")) == b(true));
  CHECK(isJson("OBJECT", s("[]")) == b(false));
  CHECK(isJson("ARRAY", s("[]")) == b(true));
  CHECK(isJson("VALUE", s(std::string(5000, '['))) == b(false));
}

TEST_CASE("JSON_OBJECT and JSON_ARRAY write values of every type, sorted by key") {
  KernelHarness object("JSON_OBJECT", {kSymbol, kText, DataType::integer(), kText, kText},
                       {{0, s("NULL")}, {1, s("n")}, {3, s("a")}});
  CHECK(object.resultType() == DataType::string(false));
  CHECK(object.runAll({{i(5), s("q\"\\/\n")}, {null(), null()}}) ==
        std::vector{s(R"({"a":"q\"\\/\n","n":5})"), s(R"({"a":null,"n":null})")});
  KernelHarness absent("JSON_OBJECT", {kSymbol, kText, DataType::integer()}, {{0, s("ABSENT")}, {1, s("n")}});
  CHECK(absent.runAll({{i(5)}, {null()}}) == std::vector{s("{\"n\":5}"), s("{}")});
  KernelHarness raw("JSON_OBJECT", {kSymbol, kText, kText, kText, kText}, {{0, s("NULL,2")}, {1, s("raw")}, {3, s("txt")}});
  CHECK(raw({s("{\"b\": 1, \"a\": []}"), s("[1]")}) == s(R"({"raw":{"a":[],"b":1},"txt":"[1]"})"));
  CHECK(raw.failure({s("{bad"), s("")}) != "");
  KernelHarness array("JSON_ARRAY", {kSymbol, DataType::decimal(6, 2), DataType::boolean(), DataType::array(DataType::integer())},
                      {{0, s("ABSENT")}});
  CHECK(array.runAll({{Value::decimal(150), b(true), Value::list({i(1), null()})}, {null(), null(), null()}}) ==
        std::vector{s("[1.50,true,[1,null]]"), s("[]")});
  CHECK(KernelHarness("JSON_ARRAY", {kSymbol}, {{0, s("NULL")}})({}) == s("[]"));
  CHECK(KernelHarness::refusal("JSON_OBJECT", {kSymbol, kText, kText}, {{0, s("NULL")}}) != "");
  CHECK(KernelHarness::refusal("JSON", {kText}) != "");
}

TEST_CASE("JSON_STRING writes any value, JSON_QUOTE and JSON_UNQUOTE texts") {
  const auto json = [](const DataType& type, const Value& value) { return KernelHarness("JSON_STRING", {type})({value}); };
  CHECK(json(DataType::float64(), d(0.00001)) == s("0.000010"));
  CHECK(json(DataType::float64(), d(1e20)) == s("1.0E+20"));
  CHECK(json(DataType::float32(), d(0.1F)) == s("0.10000000149011612"));
  CHECK(json(DataType::decimal(10, 7), Value::decimal(1)) == s("1E-7"));
  CHECK(json(DataType::bytes(), s(std::string("\0\xff", 2))) == s("\"AP8=\""));
  CHECK(json(DataType::timestamp(3), Value::timestamp({1704164645000, 0, 0})) == s("\"2024-01-02T03:04:05\""));
  CHECK(json(DataType::timestampLtz(3), Value::timestamp({1704164645000, 0, 0})) == s("\"2024-01-02T03:04:05Z\""));
  CHECK(json(DataType::map(kText, DataType::integer()), Value::map({{s("b"), i(1)}, {s("a"), null()}})) == s(R"({"a":null,"b":1})"));
  CHECK(json(DataType::row({{"z", DataType::integer()}, {"a", kText}}), Value::row({i(1), s("x")})) == s(R"({"a":"x","z":1})"));
  CHECK(json(kText, null()) == null());
  CHECK(json(kText, s(std::string("é/\"\\\x01\x7f"))) == s("\"é/\\\"\\\\\\u0001\x7f\""));
  CHECK(KernelHarness::refusal("JSON_STRING", {DataType::map(DataType::integer(), kText)}) != "");
  KernelHarness quote("JSON_QUOTE", {kText});
  CHECK(quote.runAll({{s("a \"q\" \\ /")}, {s("größe\n\t")}, {s("")}, {s("😀")}}) ==
        std::vector{s(R"("a \"q\" \\ \/")"), s(R"("gr\u00f6\u00dfe\n\t")"), s("\"\""), s(R"("\u1f600\ude00")")});
  KernelHarness unquote("JSON_UNQUOTE", {kText});
  CHECK(unquote.runAll({{s("\"abc\"")}, {s("abc")}, {s(R"("a\u00e9b")")}, {s("")}, {s("\"open")}, {s("[1, 2]")}, {s(R"("\ud83d\ude00")")},
                        {s(R"("a\q")")}}) ==
        std::vector{s("abc"), s("abc"), s("aéb"), s(""), s("\"open"), s("[1, 2]"), s("😀"), s(R"("a\q")")});
}
