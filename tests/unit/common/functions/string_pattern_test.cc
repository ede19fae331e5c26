#include "tests/support/kernel_harness.h"


#include "common/base/random.h"
#include "common/functions/text/java_regex.h"

#include <catch2/catch.hpp>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

const DataType kText = DataType::string();

/// LIKE with a literal pattern and with the same one from a column must agree.
Value like(const std::string& text, const std::string& pattern, const std::string& escape = "") {
  if (escape.empty()) {
    const Value literal = KernelHarness("LIKE", {kText, kText}, {{1, s(pattern)}})({s(text)});
    CHECK(KernelHarness("LIKE", {kText, kText})({s(text), s(pattern)}) == literal);
    return literal;
  }
  const Value literal = KernelHarness("LIKE", {kText, kText, kText}, {{1, s(pattern)}, {2, s(escape)}})({s(text)});
  CHECK(KernelHarness("LIKE", {kText, kText, kText})({s(text), s(pattern), s(escape)}) == literal);
  return literal;
}

Value similar(const std::string& text, const std::string& pattern) {
  return KernelHarness("SIMILAR TO", {kText, kText}, {{1, s(pattern)}})({s(text)});
}

Value regexp(const std::string& text, const std::string& pattern) {
  return KernelHarness("REGEXP", {kText, kText}, {{1, s(pattern)}})({s(text)});
}

}  // namespace

TEST_CASE("LIKE matches whole texts with wildcards for characters of any kind") {
  const Value yes = b(true);
  const Value no = b(false);
  CHECK(like("/cart/item_1", "/cart/%") == yes);
  CHECK(like("/cart/item_1", "%item%") == yes);
  CHECK(like("/cart/item91", "%9_") == yes);
  CHECK(like("/Cart", "/cart") == no);
  CHECK(like("", "") == yes);
  CHECK(like("", "%") == yes);
  CHECK(like("", "_") == no);
  CHECK(like("line1\nline2", "line1%") == yes);
  CHECK(like("über_größe", "_ber%gr__e") == yes);
  CHECK(like("😀!", "_!") == yes);
  CHECK(like("a.b*c", "a_b*_") == yes);
  CHECK(like("a.b*c", "[a-z]%") == no);
  CHECK(like("ab", "%%b%%") == yes);
  CHECK(like("aab", "%ab") == yes);
  CHECK(like("abcabd", "%ab%d") == yes);
  CHECK(like("abcabd", "a%b_") == yes);
  CHECK(like("ab", "ab%ab") == no);
  CHECK(like("mississippi", "m%iss%ip%i") == yes);
  CHECK(like("mississippi", "m%iss%pp%pi") == no);
  CHECK(KernelHarness("LIKE", {kText, kText}, {{1, s("a%")}})({null()}) == null());
}

TEST_CASE("LIKE has no escape character unless one is named, and that may not stand before others") {
  CHECK(like("100% cotton", "100\\% cotton") == b(false));
  CHECK(like("a\\b", "a\\b") == b(true));
  CHECK(like("100% cotton", "100!% %", "!") == b(true));
  CHECK(like("/cart/item_1", "%item!_1", "!") == b(true));
  CHECK(like("/cart/itemx1", "%item!_1", "!") == b(false));
  CHECK(like("a!b", "a!!b", "!") == b(true));
  const auto refused = [](const std::string& pattern, const std::string& escape) {
    return KernelHarness::refusal("LIKE", {kText, kText, kText}, {{1, s(pattern)}, {2, s(escape)}}) != "";
  };
  CHECK(refused("!cart", "!"));
  CHECK(refused("cart!", "!"));
  CHECK(refused("cart!", "!!"));
  CHECK(KernelHarness("LIKE", {kText, kText, kText}).failure({s("cart"), s("!cart"), s("!")}) != "");
  CHECK(KernelHarness::refusal("LIKE", {DataType::integer(), kText}) != "");
}

TEST_CASE("SIMILAR TO knows the operators of the SQL standard") {
  CHECK(similar("AB-100", "(AB|CD)-[0-9]+") == b(true));
  CHECK(similar("ab-100", "(AB|CD)-[0-9]+") == b(false));
  CHECK(similar("ABAB-7", "(AB)+-_") == b(true));
  CHECK(similar("AB-100", "%00") == b(true));
  CHECK(similar("AB-100", "[A-Z]*-[0-9]{3}") == b(true));
  CHECK(similar("ab-100", "[^A-Z]%") == b(true));
  CHECK(similar("X%Y", "X_Y") == b(true));
  CHECK(similar("", "[0-9]*") == b(true));
  CHECK(similar("100", "AB|ab-100|[[:DIGIT:]]+") == b(true));
  CHECK(similar("abc", "a.c") == b(false));
  CHECK(similar("x", "^x$") == b(false));
  CHECK(similar("a\nb", "a%") == b(true));
  CHECK(KernelHarness::refusal("SIMILAR TO", {kText, kText}, {{1, s("[a")}}) != "");
  CHECK(KernelHarness("SIMILAR TO", {kText, kText}, {{1, s("a(b")}}).failure({s("x")}) != "");
}

TEST_CASE("REGEXP looks anywhere; an expression that is bad or empty matches nothing") {
  CHECK(regexp("ERROR 404: /a/b took 120ms", "[0-9]+") == b(true));
  CHECK(regexp("info: ok", "ok$") == b(true));
  CHECK(regexp("aaa", "") == b(false));
  CHECK(regexp("aaa", "(") == b(false));
  CHECK(regexp("a\rb", "a.b") == b(false));
  CHECK(regexp("a\rb", "(?s)a.b") == b(true));
  CHECK(regexp("A", "(?i)a") == b(true));
  CHECK(regexp("é", "\\w") == b(false));
  CHECK(regexp("a{", "a{") == b(false));
  CHECK(regexp("]", "]") == b(true));
  CHECK(regexp("a", "[[a]") == b(false));
  CHECK(regexp("b", "[a[b]]") == b(true));
  CHECK(regexp("x\v", "x\\s") == b(true));
  CHECK(regexp("ab", "\\p{Lower}+") == b(true));
  CHECK(regexp("Ab", "\\p{javaUpperCase}") == b(true));
  CHECK(regexp("a+b", "\\Qa+b\\E") == b(true));
  CHECK(regexp("é", "\\u00e9") == b(true));
  CHECK(regexp("a", "\\0141") == b(true));
  CHECK(regexp("a-", "[\\w-]+$") == b(true));
}

TEST_CASE("expressions that RE2 cannot run are refused by name") {
  const auto refusal = [](const std::string& pattern) {
    return KernelHarness::refusal("REGEXP", {kText, kText}, {{1, s(pattern)}});
  };
  CHECK(refusal("a(?=b)").find("look-ahead") != std::string::npos);
  CHECK(refusal("(?<!a)b").find("look-behind") != std::string::npos);
  CHECK(refusal("(ab)\\1").find("backreferences") != std::string::npos);
  CHECK(refusal("a++b").find("possessive") != std::string::npos);
  CHECK(refusal("[a-c&&[^b]]").find("intersections") != std::string::npos);
  CHECK(refusal("[a-c]+?x{2,3}").empty());
  CHECK(KernelHarness("REGEXP", {kText, kText}).failure({s("a"), s("a(?=b)")}).find("look-ahead") != std::string::npos);
}

TEST_CASE("the text that every match contains is found outside of groups and options") {
  const auto required = [](const std::string& pattern) {
    const auto translated = translateJavaRegex(pattern);
    REQUIRE(translated.isOk());
    return translated->required;
  };
  CHECK(required("(&|^)channel_id=([^&]*)") == "channel_id=");
  CHECK(required("abc?d") == "ab");
  CHECK(required("abc|d") == "");
  CHECK(required("(?i)abc") == "");
  CHECK(required("x*long\\.text[0-9]") == "long.text");
  CHECK(required("ab{0}c") == "a");
}

TEST_CASE("what may stand before that text is known where it is simple") {
  const auto before = [](const std::string& pattern) {
    const auto translated = translateJavaRegex(pattern);
    REQUIRE(translated.isOk());
    return translated->before_max;
  };
  CHECK(before("(&|^)channel_id=([^&]*)") == 1);
  CHECK(before("key=") == 0);
  CHECK(before("[?&]a?(b|cd|)key=") == 7);
  CHECK(before("(?:x|^).key=") == 5);
  CHECK(before("x*key=") == std::nullopt);
  CHECK(before("(ab)+key=") == std::nullopt);
  CHECK(before("\\bkey=") == std::nullopt);
  CHECK(before("[\\d\\]]key=") == 4);
}

TEST_CASE("matches are the same whether the text that they contain is searched for first or not") {
  Random random(11);
  for (const std::string pattern : {"(&|^)k=([^&]*)", "[&?]k=(a|b)?", "(?:a|)(b?)k=(k=)?", "^k=", ".k=a$", "(é|&)k=a*", "a{0,2}k=b"}) {
    const auto searched = JavaRegex::compile(pattern);
    const auto plain = JavaRegex::compileRe2(pattern);
    REQUIRE(searched.isOk());
    REQUIRE(plain.isOk());
    for (int round = 0; round < 3000; ++round) {
      std::string text;
      for (auto left = random.nextBetween(0, 60); left > 0; --left) {
        const std::string_view parts[] = {"k=", "&", "a", "b", "k", "=", "é", "?"};
        text += parts[random.nextBelow(8)];
      }
      const size_t from = random.nextBelow(text.size() + 1);
      std::string_view expected[3] = {};
      std::string_view found[3] = {};
      const bool matches = plain->find(text, from, expected);
      REQUIRE(searched->find(text, from, found) == matches);
      for (int group = 0; matches && group < 3; ++group) {
        REQUIRE(found[group].data() == expected[group].data());
        REQUIRE(found[group].size() == expected[group].size());
      }
    }
  }
}

TEST_CASE("REGEXP_EXTRACT gives groups of the first match") {
  KernelHarness extract("REGEXP_EXTRACT", {kText, kText, DataType::integer()}, {{1, s("(\\w+):\\s*(\\S+)")}});
  CHECK(extract.runAll({{s("ERROR 404: /a/b took"), i(1)}, {s("ERROR 404: /a/b took"), i(2)}, {s("ERROR 404: /a/b took"), i(0)},
                        {s("info: ok"), i(1)}, {s(""), i(1)}, {null(), i(0)}, {s("info: ok"), i(3)}, {s("info: ok"), i(-1)}}) ==
        std::vector{s("404"), s("/a/b"), s("404: /a/b"), s("info"), null(), null(), null(), null()});
  KernelHarness named("REGEXP_EXTRACT", {kText, kText});
  CHECK(named.runAll({{s("abcabc"), s("(?<n>b)(c)")}, {s("abc"), s("(")}, {s("größe=12"), s("größe=(\\d)")}, {s("a"), null()}}) ==
        std::vector{s("bc"), null(), s("größe=1"), null()});
  KernelHarness absent("REGEXP_EXTRACT", {kText, kText, DataType::integer()});
  CHECK(absent({s("abc"), s("(x)?b"), i(1)}) == null());
}

TEST_CASE("REGEXP_REPLACE takes the replacement as it is and goes on as Java does after empty matches") {
  KernelHarness replace("REGEXP_REPLACE", {kText, kText, kText});
  CHECK(replace.runAll({{s("ERROR 404: took 120ms"), s("[0-9]+"), s("#")}, {s("info: ok"), s("(\\w+): (\\w+)"), s("$2-$1")},
                        {s("größe"), s("z*"), s("_")}, {s("baac"), s("a*"), s("X")}, {s("a"), s("("), s("x")}, {s("a"), s("a"), null()},
                        {s(""), s("z*"), s("_")}}) ==
        std::vector{s("ERROR #: took #ms"), s("$2-$1"), s("_g_r_ö_ß_e_"), s("XbXXcX"), null(), null(), s("_")});
}

TEST_CASE("the other REGEXP functions count, locate and collect matches") {
  KernelHarness count("REGEXP_COUNT", {kText, kText});
  CHECK(count.runAll({{s("one,two;three"), s("[,;]")}, {s("aaa"), s("")}, {s("aaa"), s("a*")}, {s("aaa"), s("(")}, {s(""), s("")}}) ==
        std::vector{i(2), i(4), i(2), null(), i(1)});
  KernelHarness position("REGEXP_INSTR", {kText, kText});
  CHECK(position.runAll({{s("größe=12"), s("\\d+")}, {s("😀a"), s("a")}, {s("abc"), s("zzz")}}) == std::vector{i(7), i(2), i(0)});
  KernelHarness part("REGEXP_SUBSTR", {kText, kText});
  CHECK(part.runAll({{s("one,two;three"), s("[a-z]{3}$")}, {s("abc"), s("\\d")}, {s("abc"), s("")}}) == std::vector{s("ree"), null(), s("")});
  KernelHarness all("REGEXP_EXTRACT_ALL", {kText, kText, DataType::integer()});
  const auto list = [](std::vector<Value> values) { return Value::list(std::move(values)); };
  CHECK(all.runAll({{s("ERROR took 120ms"), s("([a-z])(\\w)"), i(0)}, {s("aaa bbb"), s("([a-z])(\\w)"), i(2)}, {s(""), s("a"), i(0)},
                    {s("abab"), s("a(x)?"), i(1)}, {s("a"), s("(a)"), i(5)}, {s("a"), s("(a)"), i(-1)}, {null(), s("a"), i(0)}}) ==
        std::vector{list({s("to"), s("ok"), s("ms")}), list({s("a"), s("b")}), list({}), list({null(), null()}), null(), null(), null()});
  CHECK(KernelHarness("REGEXP_EXTRACT_ALL", {kText, kText})({s("ab"), s("b")}) == null());
}
