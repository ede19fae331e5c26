// The schema that both spellings of the kafka table of FLIP-129 declare.
#pragma once

#include "client/api/thalweg/descriptors.h"

inline thalweg::descriptors::Schema logSchema() {
  using thalweg::api::DataTypes;
  return thalweg::descriptors::Schema()
      .column("user_id", DataTypes::BIGINT())
      .column("user_name", DataTypes::STRING())
      .column("score", DataTypes::DECIMAL(10, 2))
      .column("log_ts", DataTypes::STRING())
      .column("part_field_0", DataTypes::STRING())
      .column("part_field_1", DataTypes::INT())
      .proctime("proc")
      .computedColumn("my_ts", "TO_TIMESTAMP(log_ts)")   // a computed column
      .watermarkFor("my_ts")
      .boundedOutOfOrderTimestamps(thalweg::api::Duration::ofSeconds(5))
      .primaryKey("user_id");
}
