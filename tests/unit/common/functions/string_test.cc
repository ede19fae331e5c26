#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

const DataType kText = DataType::string();
const DataType kInt = DataType::integer();

using Rows = std::vector<KernelHarness::Row>;

}  // namespace

TEST_CASE("UPPER, LOWER and INITCAP know more than ASCII") {
  KernelHarness upper("UPPER", {kText});
  CHECK(upper.runAll({{s("Hello World, longer than twelve")}, {s("")}, {null()}, {s("straße ÉCOLE")}, {s("日本語テキスト")}, {s("a😀b")}}) ==
        std::vector{s("HELLO WORLD, LONGER THAN TWELVE"), s(""), null(), s("STRASSE ÉCOLE"), s("日本語テキスト"), s("A😀B")});
  KernelHarness lower("LOWER", {kText});
  CHECK(lower.runAll({{s("Hello World")}, {s("İ I Σ ΑΣ ΑΣΑ ΟΔΟΣ.")}, {s("ÀÉ𐐀ẞ")}}) ==
        std::vector{s("hello world"), s("i̇ i σ ας ασα οδος."), s("àé𐐨ß")});
  CHECK(lower.runAll({{s("@AZ[`az{")}, {s("CHANNEL-1234")}, {s("Q\x7f~!")}}) == std::vector{s("@az[`az{"), s("channel-1234"), s("q\x7f~!")});
  CHECK(upper.runAll({{s("@AZ[`az{")}, {s("channel-1234")}}) == std::vector{s("@AZ[`AZ{"), s("CHANNEL-1234")});
  KernelHarness initcap("INITCAP", {kText});
  CHECK(initcap.runAll({{s("o'neil mac-donald 3rd")}, {s("  pad\t")}, {s("straße ÉCOLE a😀b")}}) ==
        std::vector{s("O'Neil Mac-Donald 3rd"), s("  Pad\t"), s("StraßE ÉCole A😀B")});
  CHECK(KernelHarness("UPPER", {DataType::character(3, false)}).resultType() == DataType::character(3, false));
  CHECK(KernelHarness::refusal("UPPER", {kInt}) != "");
}

TEST_CASE("SUBSTRING counts code points, from either end") {
  KernelHarness from("SUBSTRING", {kText, kInt});
  CHECK(from.resultType() == kText);
  const std::string word = "conformance";
  CHECK(from.runAll({{s(word), i(1)}, {s(word), i(0)}, {s(word), i(-4)}, {s(word), i(8)}, {s(word), i(12)}, {s(""), i(1)},
                     {null(), i(1)}, {s("größe😀x"), i(3)}, {s("größe😀x"), i(-2)}, {s(word), null()}, {s(word), i(-20)}}) ==
        std::vector{s(word), s(word), s("ance"), s("ance"), s(""), s(""), null(), s("öße😀x"), s("😀x"), null(), s("")});
  KernelHarness part("SUBSTR", {kText, kInt, kInt});
  CHECK(part.runAll({{s(word), i(1), i(3)}, {s(word), i(0), i(3)}, {s(word), i(-4), i(2)}, {s(word), i(8), i(100)},
                     {s(word), i(12), i(1)}, {s(word), i(3), i(0)}, {s("größe😀x"), i(3), i(3)}, {s("größe😀x"), i(-2), i(2)},
                     {s(word), i(2), null()}, {s(word), i(-20), i(15)}, {s(word), i(2), i(-1)}}) ==
        std::vector{s("con"), s("con"), s("an"), s("ance"), s(""), s(""), s("öße"), s("😀x"), null(), s(""), null()});
  CHECK(KernelHarness("SUBSTRING", {DataType::character(3, false), DataType::integer(false)}).resultType() == DataType::varchar(3));
}

TEST_CASE("a part of a long text shares its bytes and stays right in every encoding") {
  const std::string text = "https://www.nexmark.com/a_first/b_second/item.htm?query=1&channel_id=1001";
  KernelHarness split("SPLIT_INDEX", {kText, kText, kInt});
  CHECK(split.runAll({{s(text), s("/"), i(3)}, {s(text), s("/"), i(5)}, {s(text), s("/"), i(9)}, {s(text), s("?"), i(1)}}) ==
        std::vector{s("a_first"), s("item.htm?query=1&channel_id=1001"), null(), s("query=1&channel_id=1001")});
  KernelHarness left("LEFT", {kText, kInt});
  KernelHarness right("RIGHT", {kText, kInt});
  CHECK(left.runAll({{s(text), i(23)}, {s("größe"), i(3)}, {s("abc"), i(-1)}, {s("abc"), i(0)}}) ==
        std::vector{s("https://www.nexmark.com"), s("grö"), s(""), s("")});
  CHECK(right.runAll({{s(text), i(15)}, {s("größe😀x"), i(3)}, {s("abc"), i(9)}, {s("abc"), i(-1)}}) ==
        std::vector{s("channel_id=1001"), s("e😀x"), s("abc"), s("")});
}

TEST_CASE("SPLIT_INDEX keeps empty parts and takes a character code") {
  KernelHarness split("SPLIT_INDEX", {kText, kText, kInt});
  CHECK(split.runAll({{s("a,b,,d"), s(","), i(0)}, {s("a,b,,d"), s(","), i(2)}, {s("a,b,,d"), s(","), i(4)},
                      {s("a,b,,d"), s(","), i(-1)}, {s("a||b||c"), s("||"), i(1)}, {s(""), s(","), i(0)},
                      {s("a--b---c"), s("--"), i(2)}, {s(",lead,trail,"), s(","), i(3)}, {s("a b"), null(), i(0)}}) ==
        std::vector{s("a"), s(""), null(), null(), s("b"), null(), s("-c"), s(""), null()});
  KernelHarness code("SPLIT_INDEX", {kText, kInt, kInt});
  CHECK(code.runAll({{s("a,b,,d"), i(44), i(1)}, {s("a,b"), i(300), i(0)}, {s("a,b"), i(0), i(0)}}) ==
        std::vector{s("b"), null(), null()});
}

TEST_CASE("TRIM and its kin remove spaces, or the given characters") {
  const auto trim = [](std::string side) {
    return KernelHarness("TRIM", {DataType::symbol(), kText, kText}, {{0, s(std::move(side))}});
  };
  CHECK(trim("BOTH").runAll({{s(" "), s("  both  ")}, {s("xy"), s("xxyxx-core-yyx")}, {s(""), s(" keep ")}, {s("é"), s("ééxé")},
                             {null(), s("n")}, {s("a"), s("aaaa")}}) ==
        std::vector{s("both"), s("-core-"), s(" keep "), s("x"), null(), s("")});
  CHECK(trim("LEADING")({s("é"), s("ééxé")}) == s("xé"));
  CHECK(trim("TRAILING")({s("é"), s("ééxé")}) == s("ééx"));
  CHECK(trim("LEADING").resultType() == kText);
  CHECK(KernelHarness("LTRIM", {kText})({s("\ttab \n")}) == s("\ttab \n"));
  CHECK(KernelHarness("LTRIM", {kText, kText})({s("xxabc"), s("x")}) == s("abc"));
  CHECK(KernelHarness("RTRIM", {kText})({s("  pad  ")}) == s("  pad"));
  CHECK(KernelHarness("BTRIM", {kText, kText})({s("\ttab \n"), s(" \t\n")}) == s("tab"));
}

TEST_CASE("REPLACE, TRANSLATE and OVERLAY") {
  KernelHarness replace("REPLACE", {kText, kText, kText});
  CHECK(replace.runAll({{s("abcdefghij"), s("cd"), s("XYZ")}, {s("größe"), s(""), s("-")}, {s(""), s(""), s("x")},
                        {s("aaa"), s("aa"), s("b")}, {s("abc"), s("b"), s("")}, {s("abc"), null(), s("")}}) ==
        std::vector{s("abXYZefghij"), s("-g-r-ö-ß-e-"), s("x"), s("ba"), s("ac"), null()});
  KernelHarness translate("TRANSLATE", {kText, kText, kText});
  CHECK(translate.runAll({{s("abcdefghij"), s("abj"), s("12")}, {s("abcdefghij"), s("aac"), s("123")}, {s("größe"), s("ö"), s("o")},
                          {s("a😀b"), s("😀"), s("x")}, {s("abc"), s(""), s("x")}}) ==
        std::vector{s("12cdefghi"), s("1b3defghij"), s("große"), s("axb"), s("abc")});
  KernelHarness overlay("OVERLAY", {kText, kText, kInt});
  CHECK(overlay.runAll({{s("abcdefghij"), s("XYZ"), i(3)}, {s("abcdefghij"), s("XYZ"), i(0)}, {s("abcdefghij"), s("XYZ"), i(11)},
                        {s("größe"), s("😀"), i(3)}, {s(""), s("XYZ"), i(1)}, {s("abc"), s(""), i(2)}}) ==
        std::vector{s("abXYZfghij"), s("abcdefghij"), s("abcdefghij"), s("gr😀e"), s(""), s("a")});
  KernelHarness sized("OVERLAY", {kText, kText, kInt, kInt});
  CHECK(sized.runAll({{s("abcdefghij"), s("XYZ"), i(3), i(2)}, {s("abc"), s("X"), i(3), i(5)}, {s("abc"), s("X"), i(2), i(0)},
                      {s("abcdefghij"), s("XYZ"), i(-2), i(7)}}) ==
        std::vector{s("abXYZefghij"), s("abX"), s("aX"), s("abcdefghij")});
}

TEST_CASE("LPAD, RPAD, REPEAT and REVERSE") {
  KernelHarness left("LPAD", {kText, kInt, kText});
  KernelHarness right("RPAD", {kText, kInt, kText});
  CHECK(left.runAll({{s("abcdefghij"), i(12), s("XYZ")}, {s("abc"), i(4), s("")}, {s("abc"), i(2), s("")}, {s(""), i(4), s("*")},
                     {s("abc"), i(-1), s("*")}, {s("größe"), i(7), s("😀")}, {s("abc"), i(0), s("*")}}) ==
        std::vector{s("XYabcdefghij"), null(), null(), s("****"), null(), s("😀größe"), s("")});
  CHECK(right({s(""), i(12), s("XYZ")}) == s("XYZXYZXYZXYZ"));
  KernelHarness repeat("REPEAT", {kText, kInt});
  CHECK(repeat.runAll({{s("ab"), i(3)}, {s("ab"), i(0)}, {s("ab"), i(-1)}, {null(), i(2)}}) ==
        std::vector{s("ababab"), s(""), s(""), null()});
  CHECK(repeat.failure({s("0123456789"), i(2'000'000'000)}).find("1 GiB") != std::string::npos);
  CHECK(KernelHarness("REVERSE", {kText}).runAll({{s("straße ÉCOLE")}, {s("a😀b")}, {s("")}}) ==
        std::vector{s("ELOCÉ eßarts"), s("b😀a"), s("")});
}

TEST_CASE("joining: || and CONCAT give NULL for NULL, CONCAT_WS leaves it out") {
  KernelHarness concat("CONCAT", {kText, kText, kText});
  CHECK(concat.runAll({{s("a"), s(""), s("!")}, {s("a long first part, "), s("b"), s("c")}, {s("a"), null(), s("c")}}) ==
        std::vector{s("a!"), s("a long first part, bc"), null()});
  KernelHarness joined("||", {DataType::character(2, false), DataType::character(1, false)});
  CHECK(joined.resultType() == DataType::character(3, false));
  CHECK(KernelHarness("||", {DataType::varchar(5, false), DataType::varchar(7, false)}).resultType() == DataType::varchar(12, false));
  CHECK(KernelHarness("||", {kText, DataType::character(1, false)}).resultType() == kText);
  CHECK(KernelHarness::refusal("||", {kText, kInt}) != "");
  KernelHarness separated("CONCAT_WS", {kText, kText, kText});
  CHECK(separated.runAll({{s("/"), null(), s("Ada")}, {s("/"), s("B."), s("")}, {null(), s("a"), s("b")}, {s(","), null(), null()}}) ==
        std::vector{s("Ada"), s("B./"), null(), s("")});
  KernelHarness elt("ELT", {kInt, kText, kText});
  CHECK(elt.runAll({{i(1), s("first, and a long one"), s("b")}, {i(2), s("a"), s("b")}, {i(3), s("a"), s("b")}, {i(0), s("a"), s("b")},
                    {null(), s("a"), s("b")}, {i(2), s("a"), null()}}) ==
        std::vector{s("first, and a long one"), s("b"), null(), null(), null(), null()});
}

TEST_CASE("positions count from one and find an empty text at one") {
  KernelHarness position("POSITION", {kText, kText});
  CHECK(position.runAll({{s("an"), s("banana")}, {s("x"), s("banana")}, {s(""), s("banana")}, {s("a"), s("")}, {s(""), s("")},
                         {s("ße"), s("größe😀ße")}, {s("b"), s("Banana")}, {null(), s("a")}}) ==
        std::vector{i(2), i(0), i(1), i(0), i(1), i(4), i(0), null()});
  KernelHarness locate("LOCATE", {kText, kText, kInt});
  CHECK(locate.runAll({{s("an"), s("banana"), i(3)}, {s("an"), s("banana"), i(0)}, {s("an"), s("banana"), i(100)},
                       {s(""), s("abc"), i(10)}, {s("a"), s("banana"), i(-1)}}) ==
        std::vector{i(4), i(2), i(0), i(1), i(2)});
  CHECK(KernelHarness("INSTR", {kText, kText})({s("banana"), s("na")}) == i(3));
  KernelHarness nth("INSTR", {kText, kText, kInt, kInt});
  CHECK(nth.runAll({{s("banana"), s("a"), i(1), i(2)}, {s("banana"), s("a"), i(-1), i(1)}, {s("banana"), s("a"), i(3), i(1)}}) ==
        std::vector{i(4), i(6), i(4)});
}

TEST_CASE("lengths, codes and tests of texts") {
  CHECK(KernelHarness("CHAR_LENGTH", {kText}).runAll({{s("größe")}, {s("a😀b")}, {s("")}, {null()}}) ==
        std::vector{i(5), i(3), i(0), null()});
  CHECK(KernelHarness("ASCII", {kText}).runAll({{s("Hello")}, {s("")}, {s("é")}, {s("😀")}}) == std::vector{i(72), i(0), i(-61), i(-16)});
  CHECK(KernelHarness("CHR", {DataType::bigint()}).runAll({{i(65)}, {i(-10)}, {i(321)}, {i(300)}, {i(233)}, {i(0)}}) ==
        std::vector{s("A"), s(""), s("A"), s(","), s("é"), s(std::string(1, '\0'))});
  CHECK(KernelHarness("STARTSWITH", {kText, kText}).runAll({{s("kafka"), s("ka")}, {s(""), s("a")}, {s("a"), s("")}}) ==
        std::vector{b(true), b(false), b(true)});
  CHECK(KernelHarness("ENDSWITH", {DataType::bytes(), DataType::bytes()})({s("\x01\x02\xff"), s("\x02\xff")}) == b(true));
  KernelHarness decimal("IS_DECIMAL", {kText});
  CHECK(decimal.resultType() == DataType::boolean(false));
  CHECK(decimal.runAll({{s("-12.50")}, {s("1e3")}, {s("12 ")}, {s(".5")}, {s("abc")}, {s("")}, {null()}, {s("1f")}, {s(".")}}) ==
        std::vector{b(true), b(true), b(true), b(true), b(false), b(false), b(false), b(true), b(false)});
  CHECK(KernelHarness("IS_ALPHA", {kText}).runAll({{s("Größe")}, {s("a1")}, {s("")}, {s("日本")}}) ==
        std::vector{b(true), b(false), b(false), b(true)});
  CHECK(KernelHarness("IS_DIGIT", {kText}).runAll({{s("123")}, {s("1.2")}, {s("١")}}) == std::vector{b(true), b(false), b(true)});
}
