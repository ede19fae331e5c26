// CapturedOutput: what a program prints on standard output while it lives.
#pragma once

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace thalweg::api {

class CapturedOutput {
 public:
  CapturedOutput() : old_(std::cout.rdbuf(text_.rdbuf())) {}
  ~CapturedOutput() { std::cout.rdbuf(old_); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream in(text_.str());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  /// For streams whose order is not defined.
  std::vector<std::string> sortedLines() const {
    std::vector<std::string> lines = this->lines();
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  std::ostringstream text_;
  std::streambuf* old_;
};

}  // namespace thalweg::api
