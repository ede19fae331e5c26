// The bytes are specified in docs/protocol/checkpoints.md: head, body, checksum of both.
#include "common/checkpoint/checkpoint_manifest.h"

#include <cstring>

#include "common/base/byte_stream.h"
#include "common/base/hash.h"

namespace thalweg {

namespace {

constexpr std::string_view kMagic = "TWCM";
constexpr uint8_t kVersion = 2;
constexpr uint8_t kVersionWithoutRuns = 1;
constexpr size_t kHeadBytes = 4 + 1 + 8;
constexpr size_t kHashBytes = 8;

std::string littleEndian(uint64_t value) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

uint64_t fromLittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  return value;
}

void writeStored(const StoredBytes& stored, ByteWriter& writer) {
  writer.number(stored.file);
  if (stored.file == StoredBytes::kInline) return writer.text(stored.inlined);
  writer.varint(stored.offset);
  writer.varint(stored.size_bytes);
  writer.bytes(littleEndian(stored.hash));
}

StoredBytes readStored(ByteReader& reader) {
  StoredBytes stored;
  stored.file = reader.number();
  if (stored.file == StoredBytes::kInline) {
    stored.inlined = reader.text();
    stored.size_bytes = stored.inlined.size();
    return stored;
  }
  stored.offset = reader.varint();
  stored.size_bytes = reader.varint();
  if (const std::string_view hash = reader.bytes(kHashBytes); hash.size() == kHashBytes) stored.hash = fromLittleEndian(hash);
  return stored;
}

void writeTask(const CheckpointManifest::Task& task, ByteWriter& writer) {
  writer.text(task.uid);
  writer.text(task.name);
  writeStored(task.enumerator, writer);
  writer.varint(task.parts.size());
  for (const auto& part : task.parts) {
    writer.byte(part.finished ? 1 : 0);
    writer.number(part.sent_watermark);
    writer.varint(part.splits.size());
    for (const std::string& split : part.splits) writer.text(split);
  }
}

CheckpointManifest::Task readTask(ByteReader& reader) {
  CheckpointManifest::Task task;
  task.uid = reader.text();
  task.name = reader.text();
  task.enumerator = readStored(reader);
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    CheckpointManifest::TaskPart part;
    part.finished = reader.byte() != 0;
    part.sent_watermark = reader.number();
    for (uint64_t splits = reader.varint(); splits > 0 && reader.ok(); --splits) part.splits.emplace_back(reader.text());
    task.parts.push_back(std::move(part));
  }
  return task;
}

void writeOperator(const CheckpointManifest::Operator& op, ByteWriter& writer) {
  writer.text(op.uid);
  writer.text(op.name);
  writer.byte(op.computed_inputs ? 1 : 0);
  if (op.computed_inputs) writer.text(*op.computed_inputs);
  writer.varint(op.parts.size());
  for (const auto& part : op.parts) {
    writeStored(part.keyed, writer);
    writer.varint(part.runs.size());
    for (const int64_t file : part.runs) writer.number(file);
    writeStored(part.own, writer);
    writer.number(part.watermark);
  }
}

CheckpointManifest::Operator readOperator(ByteReader& reader, uint8_t version) {
  CheckpointManifest::Operator op;
  op.uid = reader.text();
  op.name = reader.text();
  if (version > kVersionWithoutRuns && reader.byte() != 0) op.computed_inputs = reader.text();
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    CheckpointManifest::OperatorPart part;
    part.keyed = readStored(reader);
    if (version > kVersionWithoutRuns) {
      for (uint64_t runs = reader.varint(); runs > 0 && reader.ok(); --runs) part.runs.push_back(reader.number());
    }
    part.own = readStored(reader);
    part.watermark = reader.number();
    op.parts.push_back(std::move(part));
  }
  return op;
}

Status damaged(std::string_view what) { return Status::invalid("the manifest is damaged: " + std::string(what)); }

Status checkStored(const StoredBytes& stored, const CheckpointManifest& manifest) {
  if (stored.file == StoredBytes::kInline) return {};
  if (stored.file < 0 || stored.file >= static_cast<int64_t>(manifest.files.size())) return damaged("it names a file that it does not list");
  const uint64_t size = manifest.files[static_cast<size_t>(stored.file)].size_bytes;
  if (stored.offset > size || stored.size_bytes > size - stored.offset) return damaged("it names bytes behind the end of a file");
  return {};
}

Status checkPlaces(const CheckpointManifest& manifest) {
  for (const auto& op : manifest.operators) {
    for (const auto& part : op.parts) {
      RETURN_IF_ERROR(checkStored(part.keyed, manifest));
      RETURN_IF_ERROR(checkStored(part.own, manifest));
      for (const int64_t file : part.runs) {
        if (file < 0 || file >= static_cast<int64_t>(manifest.files.size())) return damaged("it names a file that it does not list");
      }
    }
  }
  for (const auto& task : manifest.tasks) RETURN_IF_ERROR(checkStored(task.enumerator, manifest));
  return {};
}

}  // namespace

uint64_t CheckpointManifest::sizeBytes() const {
  uint64_t total = 0;
  for (const File& file : files) total += file.size_bytes;
  for (const Operator& op : operators) {
    for (const OperatorPart& part : op.parts) total += part.keyed.inlined.size() + part.own.inlined.size();
  }
  return total;
}

std::string encodeManifest(const CheckpointManifest& manifest) {
  std::string body;
  ByteWriter writer(body);
  writer.number(manifest.checkpoint_id);
  writer.number(manifest.time_ms);
  writer.byte(manifest.is_savepoint ? 1 : 0);
  writer.text(manifest.job_id);
  writer.text(manifest.job_name);
  writer.text(manifest.started_from);
  writer.text(manifest.engine);
  writer.number(manifest.max_parallelism);
  writer.varint(manifest.files.size());
  for (const auto& file : manifest.files) {
    writer.text(file.path);
    writer.varint(file.size_bytes);
  }
  writer.varint(manifest.operators.size());
  for (const auto& op : manifest.operators) writeOperator(op, writer);
  writer.varint(manifest.tasks.size());
  for (const auto& task : manifest.tasks) writeTask(task, writer);

  std::string bytes(kMagic);
  bytes.push_back(static_cast<char>(kVersion));
  bytes += littleEndian(body.size());
  bytes += body;
  bytes += littleEndian(hashBytes(bytes));
  return bytes;
}

Result<CheckpointManifest> decodeManifest(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return damaged("it does not begin with " + std::string(kMagic));
  if (bytes.size() < kHeadBytes + kHashBytes) return damaged("it ends early");
  const std::string_view covered = bytes.substr(0, bytes.size() - kHashBytes);
  const bool hash_matches = fromLittleEndian(bytes.substr(covered.size())) == hashBytes(covered);
  const auto version = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (version != kVersion && version != kVersionWithoutRuns) {
    if (!hash_matches) return damaged("its checksum does not match");
    return Status::invalid("the manifest has format version " + std::to_string(version) + ", and this release reads versions up to " +
                           std::to_string(kVersion));
  }
  if (fromLittleEndian(bytes.substr(kMagic.size() + 1)) != covered.size() - kHeadBytes) return damaged("its length does not match");
  if (!hash_matches) return damaged("its checksum does not match");

  ByteReader reader(covered.substr(kHeadBytes));
  CheckpointManifest manifest;
  manifest.checkpoint_id = reader.number();
  manifest.time_ms = reader.number();
  manifest.is_savepoint = reader.byte() != 0;
  manifest.job_id = reader.text();
  manifest.job_name = reader.text();
  manifest.started_from = reader.text();
  manifest.engine = reader.text();
  manifest.max_parallelism = reader.number();
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    std::string path(reader.text());
    manifest.files.push_back({std::move(path), reader.varint()});
  }
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) manifest.operators.push_back(readOperator(reader, version));
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) manifest.tasks.push_back(readTask(reader));
  if (!reader.ok()) return damaged("a list ends early");
  if (!reader.atEnd()) return damaged("bytes follow its last task");
  RETURN_IF_ERROR(checkPlaces(manifest));
  return manifest;
}

}  // namespace thalweg
