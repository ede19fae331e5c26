#include "tests/support/kernel_harness.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace thalweg;
using namespace thalweg::testing;

namespace {

const DataType kText = DataType::string();

struct Argument {
  DataType type;
  Value value;
};
Argument text(std::string value) { return {kText, s(std::move(value))}; }
Argument integer(int64_t value) { return {DataType::integer(), i(value)}; }
Argument number(double value) { return {DataType::float64(), d(value)}; }

Value formatted(const std::string& format, const std::vector<Argument>& arguments) {
  std::vector<DataType> types = {kText};
  KernelHarness::Row row = {s(format)};
  for (const Argument& argument : arguments) {
    types.push_back(argument.type);
    row.push_back(argument.value);
  }
  return KernelHarness("PRINTF", types)(row);
}

Value map(std::vector<std::pair<Value, Value>> entries) { return Value::map(std::move(entries)); }

}  // namespace

TEST_CASE("PRINTF formats text, integers and floating point as Java does") {
  CHECK(formatted("%s|%5s|%-5s|", {text("kafka-topic"), text(""), integer(3)}) == s("kafka-topic|     |3    |"));
  CHECK(formatted("%d%%|%05d", {integer(-1), integer(-1)}) == s("-1%|-0001"));
  CHECK(formatted("%5.1f|%+d|%,d|%(d|% d|%08.2f", {number(3.14159), integer(5), integer(1234567), integer(-5), integer(7), number(3.5)}) ==
        s("  3.1|+5|1,234,567|(5)| 7|00003.50"));
  CHECK(formatted("%o %x %X %#x %#o", {integer(8), integer(255), integer(255), integer(255), integer(8)}) == s("10 ff FF 0xff 010"));
  CHECK(formatted("%x", {integer(-1)}) == s("ffffffff"));
  CHECK(formatted("%x", {{DataType::tinyint(), i(-1)}}) == s("ff"));
  CHECK(formatted("%e %E %g %G %a", {number(12345.678), number(12345.678), number(12345.678), number(0.00001), number(1)}) ==
        s("1.234568e+04 1.234568E+04 12345.7 1.00000E-05 0x1.0p0"));
  CHECK(formatted("%.2f %e", {number(1234.567), number(-0.5)}) == s("1234.57 -5.000000e-01"));
  CHECK(formatted("%.0f %.1f %.3f %f", {number(0.5), number(0.25), number(0.0004), number(1e10)}) ==
        s("1 0.3 0.000 10000000000.000000"));
  CHECK(formatted("%f %5.1f", {number(std::numeric_limits<double>::quiet_NaN()), number(std::numeric_limits<double>::infinity())}) ==
        s("NaN Infinity"));
  CHECK(formatted("%.3s|%10.3s|%S", {text("abcdef"), text("abcdef"), text("straße")}) == s("abc|       abc|STRASSE"));
  CHECK(formatted("%2$s %1$s %<s", {text("a"), text("b")}) == s("b a a"));
  CHECK(formatted("%c%b%5%|%-5%|%n", {integer(65), integer(1)}) == s("Atrue    %|%    |\n"));
}

TEST_CASE("PRINTF writes NULL as text and gives NULL for a pattern that does not fit") {
  const Argument nothing{DataType::integer(), null()};
  CHECK(formatted("%s %5d %b %c", {nothing, nothing, nothing, nothing}) == s("null  null false null"));
  for (const char* format : {"%d", "%c", "%f", "%y", "%", "a%", "%05s", "%+s", "%0$s", "%s %s", "%<s"}) {
    INFO(format);
    CHECK(formatted(format, {text("x")}) == null());
  }
  CHECK(formatted("%-d", {integer(5)}) == null());
  CHECK(formatted("%f", {integer(1)}) == null());
  CHECK(formatted("%d", {number(1)}) == null());
  CHECK(KernelHarness("PRINTF", {kText})({null()}) == null());
  CHECK(formatted("%s", {{DataType::decimal(3, 1), Value::decimal(15)}}) == s("1.5"));
  CHECK(formatted("%s", {{DataType::date(), i(19723)}}) == s("2024-01-01"));
}

TEST_CASE("SPLIT keeps empty parts and takes characters apart for an empty separator") {
  KernelHarness split("SPLIT", {kText, kText});
  const auto list = [](std::vector<std::string> parts) {
    std::vector<Value> values;
    for (std::string& part : parts) values.push_back(s(std::move(part)));
    return Value::list(std::move(values));
  };
  CHECK(split.runAll({{s("a,b,,d"), s(",")}, {s("a||b||c"), s("||")}, {s(""), s(",")}, {null(), s(",")}, {s("a,b"), null()},
                      {s(",lead, a long part here,"), s(",")}, {s("größe😀x"), s("")}, {s(","), s(",")}}) ==
        std::vector{list({"a", "b", "", "d"}), list({"a", "b", "c"}), list({}), null(), null(),
                    list({"", "lead", " a long part here", ""}), list({"g", "r", "ö", "ß", "e", "?", "?", "x"}), list({"", ""})});
}

TEST_CASE("STR_TO_MAP splits by regular expressions as Java's String.split") {
  KernelHarness plain("STR_TO_MAP", {kText});
  CHECK(plain.runAll({{s("k1=v1,k2=,k3,k1=last")}, {null()}, {s("")}, {s("a=1,,b=2")}, {s("a==b")}, {s("a=1,,")}}) ==
        std::vector{map({{s("k1"), s("last")}, {s("k2"), s("")}, {s("k3"), null()}}), null(), map({}),
                    map({{s("a"), s("1")}, {s(""), null()}, {s("b"), s("2")}}), map({{s("a"), s("=b")}}), map({{s("a"), s("1")}})});
  KernelHarness both("STR_TO_MAP", {kText, kText, kText});
  CHECK(both.runAll({{s("a:1;b:2;a:3"), s(";"), s(":")}, {s("b:x:y;a"), s(";"), s(":")}, {s("c=9,a:0"), s("[;,]"), s("[:=]")},
                     {s("a:1;b:2"), s(";"), s("")}, {s("a=1"), s(""), s("=")}, {s("a|1,b|2"), s(","), s("|")}}) ==
        std::vector{map({{s("a"), s("3")}, {s("b"), s("2")}}), map({{s("b"), s("x:y")}, {s("a"), null()}}),
                    map({{s("c"), s("9")}, {s("a"), s("0")}}), map({{s("a"), s(":1")}, {s("b"), s(":2")}}),
                    map({{s("a"), null()}, {s(""), s("")}, {s("1"), null()}}), map({{s("a"), s("|1")}, {s("b"), s("|2")}})});
  CHECK(both.failure({s("a"), s("("), s("=")}) != "");
}

TEST_CASE("PARSE_URL takes URLs apart as Java does") {
  KernelHarness part("PARSE_URL", {kText, kText});
  const std::string url = "https://ann:pw@shop.example.com:8443/p/q%20r?x=1&y=two&x=3&e=#frag";
  CHECK(part.runAll({{s(url), s("PROTOCOL")}, {s(url), s("HOST")}, {s(url), s("PATH")}, {s(url), s("QUERY")}, {s(url), s("REF")},
                     {s(url), s("AUTHORITY")}, {s(url), s("USERINFO")}, {s(url), s("FILE")}, {s(url), s("host")}, {s(url), s("PORT")}}) ==
        std::vector{s("https"), s("shop.example.com"), s("/p/q%20r"), s("x=1&y=two&x=3&e="), s("frag"), s("ann:pw@shop.example.com:8443"),
                    s("ann:pw"), s("/p/q%20r?x=1&y=two&x=3&e="), null(), null()});
  CHECK(part.runAll({{s("http://plain.example.org"), s("PATH")}, {s("not a url"), s("HOST")}, {s(""), s("HOST")},
                     {s("http://h/?q=a=b&only"), s("QUERY")}, {s("mailto:a@b.c"), s("PATH")}, {s("HTTP://H/P"), s("PROTOCOL")},
                     {s("http://h:x/p"), s("HOST")}, {s("foo://h/p"), s("HOST")}, {s("http://[::1]:80/p"), s("HOST")},
                     {s("  http://h/p "), s("PATH")}, {s("http://h/a/./b/../c"), s("PATH")}, {s("http://h/p"), s("QUERY")}}) ==
        std::vector{s(""), null(), null(), s("q=a=b&only"), s("a@b.c"), s("http"), null(), null(), s("[::1]"), s("/p"), s("/a/c"), null()});
  KernelHarness key("PARSE_URL", {kText, kText, kText});
  CHECK(key.runAll({{s(url), s("QUERY"), s("x")}, {s(url), s("QUERY"), s("e")}, {s("http://h/?q=a=b&only"), s("QUERY"), s("q")},
                    {s(url), s("QUERY"), s("none")}, {s(url), s("PATH"), s("x")}, {s("http://h/p?ab=1&b=2"), s("QUERY"), s("b")}}) ==
        std::vector{s("1"), s(""), s("a=b"), null(), null(), s("2")});
}

TEST_CASE("URL_ENCODE, URL_DECODE, INET_ATON and INET_NTOA") {
  KernelHarness encode("URL_ENCODE", {kText});
  CHECK(encode.runAll({{s("a&b=c/d?e~f-g_h.i*j")}, {s("größe €")}, {s("")}}) ==
        std::vector{s("a%26b%3Dc%2Fd%3Fe%7Ef-g_h.i*j"), s("gr%C3%B6%C3%9Fe+%E2%82%AC"), s("")});
  KernelHarness decode("URL_DECODE", {kText});
  CHECK(decode.runAll({{s("hello+world%21")}, {s("a%2")}, {s("%zz")}, {s("%F0%9F%98%80")}, {s("%E4")}}) ==
        std::vector{s("hello world!"), null(), null(), s("😀"), s("\xef\xbf\xbd")});
  KernelHarness number("INET_ATON", {kText});
  CHECK(number.runAll({{s("192.168.1.10")}, {s("255.255.255.255")}, {s("256.1.1.1")}, {s("10.1")}, {s("127")}, {s("1.2.3")}, {s("a.b.c.d")},
                       {s("")}, {s("1.2.3.4.5")}, {s(" 1.2.3.4")}, {s("010.0.0.1")}, {s("1.2.3.")}, {s("256")}}) ==
        std::vector{i(3232235786), i(4294967295), null(), i(167772161), i(127), i(16908291), null(), null(), null(), null(), i(167772161),
                    null(), null()});
  CHECK(KernelHarness("INET_NTOA", {DataType::bigint()}).runAll({{i(0)}, {i(4294967295)}, {i(4294967296)}, {i(-1)}}) ==
        std::vector{s("0.0.0.0"), s("255.255.255.255"), null(), null()});
}

TEST_CASE("Base64 and character sets, with Java's replacement characters") {
  CHECK(KernelHarness("TO_BASE64", {kText}).runAll({{s("hello world")}, {s("größe €")}, {s("")}}) ==
        std::vector{s("aGVsbG8gd29ybGQ="), s("Z3LDtsOfZSDigqw="), s("")});
  KernelHarness from("FROM_BASE64", {kText});
  CHECK(from.runAll({{s("Z3LDtsOfZQ==")}, {s("YQ")}, {s("YWI")}, {s("")}}) == std::vector{s("größe"), s("a"), s("ab"), s("")});
  CHECK(from.failure({s("!!!")}).find("Base64") != std::string::npos);
  KernelHarness encode("ENCODE", {kText, kText});
  CHECK(encode.runAll({{s("gö€"), s("UTF-16BE")}, {s("gö€"), s("utf-16le")}, {s("gö€"), s("US-ASCII")}, {s("gö€"), s("latin1")},
                       {s("😀"), s("UTF-16")}, {s(""), s("UTF-16")}}) ==
        std::vector{s(std::string("\0g\0\xf6\x20\xac", 6)), s(std::string("g\0\xf6\0\xac\x20", 6)), s("g??"), s("g\xf6?"),
                    s(std::string("\xfe\xff\xd8\x3d\xde\0", 6)), s("")});
  CHECK(encode.failure({s("a"), s("no-such")}).find("no-such") != std::string::npos);
  KernelHarness decode("DECODE", {DataType::bytes(), kText});
  const std::string bad = "\xef\xbf\xbd";
  CHECK(decode.runAll({{s("\xc3"), s("UTF-8")}, {s("\xff\x41"), s("UTF-8")}, {s("\xf0\x80\x80\x80"), s("UTF-8")}, {s("\xed\xa0\x80"), s("UTF-8")},
                       {s("\xe2\x82"), s("UTF-8")}, {s("\xc0\xaf\x41"), s("UTF-8")}, {s("\xff\xfe\x41" + std::string(1, '\0')), s("UTF-16")},
                       {s("\xd8" + std::string(1, '\0')), s("UTF-16BE")}, {s("\x80"), s("US-ASCII")}, {s("\xe9"), s("ISO-8859-1")}}) ==
        std::vector{s(bad), s(bad + "A"), s(bad + bad + bad + bad), s(bad), s(bad), s(bad + bad + "A"), s("A"), s(bad), s(bad), s("é")});
  CHECK(KernelHarness("IS_VALID_UTF8", {DataType::bytes()}).runAll({{s("größe")}, {s("\xed\xa0\x80")}}) == std::vector{b(true), b(false)});
}

TEST_CASE("digests are hexadecimal text of fixed length") {
  CHECK(KernelHarness("MD5", {kText}).runAll({{s("flink")}, {s("größe😀")}, {null()}}) ==
        std::vector{s("68c03a76152dc53fdd2c7c7ab07f2721"), s("542ae7fe15bbbb28825fd338572f6fef"), null()});
  CHECK(KernelHarness("SHA1", {kText})({s("flink")}) == s("2723c8ab7b0bea02519794459729a1ba8e773d9f"));
  CHECK(KernelHarness("SHA256", {kText})({s("")}) == s("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  CHECK(KernelHarness("SHA384", {kText.notNull()}).resultType() == DataType::character(96, false));
  KernelHarness sha2("SHA2", {kText, DataType::integer()});
  CHECK(sha2({s("flink"), i(224)}) == s("bbb4b4b612daa53e219a6159417323b3c81a7bd9bf23af58bbe97358"));
  CHECK(sha2({s("flink"), null()}) == null());
  CHECK(sha2.failure({s("flink"), i(1)}).find("found 1") != std::string::npos);
  CHECK(KernelHarness("HASH_CODE", {kText})({s("abc")}) == i(96354));
  CHECK(KernelHarness("HASH_CODE", {DataType::float64()})({d(1.5)}) == i(1073217536));
}
