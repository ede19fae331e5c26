// Trade: the records of the DataStream benchmarks.
#pragma once

#include <cstdint>

#include "client/api/thalweg/environment.h"

namespace thalweg::bench {

struct Trade {
  int64_t account = 0;
  int64_t cents = 0;
  double rate = 0;
};
BOOST_DESCRIBE_STRUCT(Trade, (), (account, cents, rate))

}  // namespace thalweg::bench
