// The makers of every format's decoder and encoder, for list.cc only; and the words of their failures.
#pragma once

#include "common/formats/format_decoder.h"
#include "common/formats/format_encoder.h"

namespace thalweg::format {

Result<std::unique_ptr<FormatDecoder>> makeCsvDecoder(const DecoderSpec& spec);
Result<std::unique_ptr<FormatDecoder>> makeJsonDecoder(const DecoderSpec& spec);
Result<std::unique_ptr<FormatDecoder>> makeRawDecoder(const DecoderSpec& spec);
Result<std::unique_ptr<FormatDecoder>> makeChangelogJsonDecoder(const DecoderSpec& spec);

Result<std::unique_ptr<FormatEncoder>> makeCsvEncoder(const EncoderSpec& spec);
Result<std::unique_ptr<FormatEncoder>> makeJsonEncoder(const EncoderSpec& spec);
Result<std::unique_ptr<FormatEncoder>> makeRawEncoder(const EncoderSpec& spec);
Result<std::unique_ptr<FormatEncoder>> makeChangelogJsonEncoder(const EncoderSpec& spec);

/// `column 'id': expected INT, found 'x2'`; long text is cut.
Status badField(const Column& column, std::string_view found);
/// `text` in quotes, cut to a readable length.
std::string quoted(std::string_view text);

}  // namespace thalweg::format
