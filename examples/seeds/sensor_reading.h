// What the sensor programs of Flink's documentation read.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

/// What env.readTextFile(path) reads in the originals.
inline std::vector<std::string> linesOf(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}
