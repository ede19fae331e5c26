// MD5, SHA1, SHA224 … SHA512 and SHA2 by OpenSSL, as lower-case hexadecimal text; HASH_CODE as Java has it.
#include <openssl/evp.h>

#include <bit>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

using Digest = const EVP_MD* (*)();

Status digestInto(Digest digest, std::string_view bytes, std::string& out) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash, &size, digest(), nullptr) != 1) {
    return Status::internal("OpenSSL cannot compute this digest");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  for (unsigned int i = 0; i < size; ++i) {
    out.push_back(kDigits[hash[i] >> 4]);
    out.push_back(kDigits[hash[i] & 15]);
  }
  return {};
}

std::optional<Digest> sha2Of(int64_t bits) {
  switch (bits) {
    case 224: return EVP_sha224;
    case 256: return EVP_sha256;
    case 384: return EVP_sha384;
    case 512: return EVP_sha512;
    default: return std::nullopt;
  }
}

Status unknownBits(int64_t bits) {
  return Status::runtime("SHA2 knows 224, 256, 384 and 512 bits, found " + std::to_string(bits));
}

int32_t wrap(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

/// String.hashCode over UTF-16 units.
int32_t hashOfText(std::string_view text) {
  uint32_t hash = 0;
  for (size_t at = 0; at < text.size();) {
    const char32_t code = nextCodePoint(text, at);
    if (code < 0x10000) {
      hash = hash * 31 + code;
    } else {
      hash = hash * 31 + 0xd800 + ((code - 0x10000) >> 10);
      hash = hash * 31 + 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
  }
  return wrap(hash);
}

int32_t hashOfBits(uint64_t bits) { return wrap(bits ^ (bits >> 32)); }

/// BigDecimal.hashCode: of the digits' 32-bit pieces, then of the scale.
int32_t hashOfDecimal(int128 unscaled, int scale) {
  const bool negative = unscaled < 0;
  auto digits = static_cast<unsigned __int128>(negative ? -unscaled : unscaled);
  uint32_t pieces[4];
  for (uint32_t& piece : pieces) {
    piece = static_cast<uint32_t>(digits);
    digits >>= 32;
  }
  uint32_t hash = 0;
  for (int i = 3; i >= 0; --i) hash = hash * 31 + pieces[i];
  if (negative) hash = 0 - hash;
  return wrap(uint64_t{hash} * 31 + static_cast<uint64_t>(scale));
}

int32_t hashOfTimestamp(TimestampValue value) {
  return wrap(static_cast<uint64_t>(static_cast<uint32_t>(hashOfBits(static_cast<uint64_t>(value.millis)))) * 31 + static_cast<uint64_t>(value.nanos));
}

Result<std::unique_ptr<ScalarKernel>> makeHashCode(const FunctionCall& call) {
  const DataType& type = call.arguments[0].type;
  if (type.kind() == TypeKind::DECIMAL) {
    return functionKernel<int32_t(AnyDecimal)>(call.result_type, [scale = type.scale()](int128 value) { return hashOfDecimal(value, scale); });
  }
  if (type.kind() == TypeKind::TIMESTAMP) return functionKernel<int32_t(AnyTimestamp)>(call.result_type, hashOfTimestamp);
  switch (type.physicalType()) {
    case PhysicalType::STRING: return functionKernel<int32_t(std::string_view)>(call.result_type, hashOfText);
    case PhysicalType::BOOL:
      return functionKernel<int32_t(bool)>(call.result_type, [](bool value) { return value ? 1231 : 1237; });
    case PhysicalType::INT64:
      return functionKernel<int32_t(int64_t)>(call.result_type,
                                              [](int64_t value) { return hashOfBits(static_cast<uint64_t>(value)); });
    case PhysicalType::FLOAT32:
      return functionKernel<int32_t(float)>(call.result_type, [](float value) { return std::bit_cast<int32_t>(value); });
    case PhysicalType::FLOAT64:
      return functionKernel<int32_t(double)>(call.result_type,
                                             [](double value) { return hashOfBits(std::bit_cast<uint64_t>(value)); });
    case PhysicalType::INT32:
      return functionKernel<int32_t(int32_t)>(call.result_type, [](int32_t value) { return value; });
    default:
      return functionKernel<int32_t(AnyInteger)>(call.result_type, [](int64_t value) { return wrap(static_cast<uint64_t>(value)); });
  }
}

}  // namespace

void addHashFunctions(ScalarList& list) {
  const auto add = [&](std::string name, int digits, Digest digest, std::string example) {
    list.push_back({.name = name,
                    .category = "hash",
                    .signature = name + "(text | bytes)",
                    .description = "The " + name + " digest as " + std::to_string(digits) + " hexadecimal digits.",
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 1,
                    .resolve = signature({param::textOrBinary("value")}, returns(DataType::character(digits))),
                    .make = kernelMaker<std::string(std::string_view)>(
                        [digest](std::string_view bytes, std::string& out) { return digestInto(digest, bytes, out); }),
                    .strict = true});
  };
  add("MD5", 32, EVP_md5, "MD5('') = 'd41d8cd98f00b204e9800998ecf8427e'");
  add("SHA1", 40, EVP_sha1, "SHA1('') = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'");
  add("SHA224", 56, EVP_sha224, "SHA224('') = 'd14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f'");
  add("SHA256", 64, EVP_sha256, "LEFT(SHA256(''), 8) = 'e3b0c442'");
  add("SHA384", 96, EVP_sha384, "LEFT(SHA384(''), 8) = '38b060a7'");
  add("SHA512", 128, EVP_sha512, "LEFT(SHA512(''), 8) = 'cf83e135'");
  list.push_back({.name = "SHA2",
                  .category = "hash",
                  .signature = "SHA2(text | bytes, bits)",
                  .description = "The digest of the SHA-2 family with 224, 256, 384 or 512 bits.",
                  .example = "SHA2('', 256) = SHA256('')",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::textOrBinary("value"), param::integer("bits")}, returns(DataType::varchar(128))),
                  .make = kernelMaker<std::string(std::string_view, AnyInteger)>(
                      [](std::string_view bytes, int64_t bits, std::string& out) -> Status {
                        const std::optional<Digest> digest = sha2Of(bits);
                        return digest ? digestInto(*digest, bytes, out) : unknownBits(bits);
                      }),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "HASH_CODE",
                  .category = "hash",
                  .signature = "HASH_CODE(value)",
                  .description = "Java's hashCode() of a text, number or boolean.",
                  .example = "HASH_CODE('abc') = 96354",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({{.name = "value",
                                         .expected = "a text, a number, a BOOLEAN, a DATE, a TIME or a TIMESTAMP",
                                         .accepts =
                                             [](const DataType& type) {
                                               return type.isString() || type.isNumeric() || type.kind() == TypeKind::BOOLEAN ||
                                                      type.kind() == TypeKind::DATE || type.kind() == TypeKind::TIME || type.kind() == TypeKind::TIMESTAMP;
                                             },
                                         .cast = [](const DataType& type) { return type; },
                                         .plain = DataType::integer()}},
                                       returns(DataType::integer())),
                  .make = makeHashCode,
                  .strict = true,
                  .listed = false});
}

}  // namespace thalweg
