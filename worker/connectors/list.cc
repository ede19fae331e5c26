// Every connector that can be run, read from top to bottom. A new one is a line here, an entry in
// common/plan/catalog/connector_list.cc and a folder beside this file.
#include "worker/connectors/blackhole/blackhole_sink.h"
#include "worker/connectors/connector_registry.h"
#include "worker/connectors/datagen/datagen_source.h"
#include "worker/connectors/filesystem/file_enumerator.h"
#include "worker/connectors/filesystem/file_reader.h"
#include "worker/connectors/filesystem/file_sink.h"
#include "worker/connectors/nexmark/nexmark_source.h"
#include "worker/connectors/print/print_sink.h"

namespace thalweg::worker {

std::span<const Connector> connectorTable() {
  static constexpr Connector kTable[] = {
      {"filesystem", makeFileReader, makeFileEnumerator, makeFileSink},
      {"datagen", makeDatagenReader, makeDatagenEnumerator, nullptr},
      {"nexmark", makeNexmarkReader, makeNexmarkEnumerator, nullptr},
      {"print", nullptr, nullptr, makePrintSink},
      {"blackhole", nullptr, nullptr, makeBlackholeSink},
  };
  return kTable;
}

}  // namespace thalweg::worker
