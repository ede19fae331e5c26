// What the sensor programs of Flink's documentation read.
#pragma once

#include <sstream>
#include <string>

#include "client/api/thalweg/field_composites.h"

struct SensorReading {
  std::string id;
  int64_t timestamp = 0;
  double temperature = 0;
};
BOOST_DESCRIBE_STRUCT(SensorReading, (), (id, timestamp, temperature))

inline SensorReading parseReading(const std::string& data) {
  SensorReading reading;
  std::string seconds;
  std::string temperature;
  std::istringstream arr(data);
  std::getline(arr, reading.id, ',');
  std::getline(arr, seconds, ',');
  std::getline(arr, temperature, ',');
  reading.timestamp = std::stoll(seconds);
  reading.temperature = std::stod(temperature);
  return reading;
}
