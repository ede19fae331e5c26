// Fields of the flat JSON lines that benchmarks print, by name.
#pragma once

#include <cstdlib>
#include <string>

namespace thalweg::bench {

/// The field's text, "-" if there is none.
inline std::string field(const std::string& line, const std::string& name) {
  const size_t at = line.find("\"" + name + "\": ");
  if (at == std::string::npos) return "-";
  const size_t begin = at + name.size() + 4;
  return line.substr(begin, line.find_first_of(",}", begin) - begin);
}

inline double number(const std::string& line, const std::string& name) { return std::atof(field(line, name).c_str()); }

}  // namespace thalweg::bench
