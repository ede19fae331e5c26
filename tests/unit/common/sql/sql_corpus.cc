// Parses every statement of the .test cases below a folder, writes and parses it again, and prints what fails:
// all must parse but those under `--- expect error parse`, which must not.
//   sql_corpus FOLDER
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "common/sql/error_text.h"
#include "common/sql/parser.h"
#include "tests/unit/common/sql/round_trip.h"

namespace {

struct Section {
  std::string head;
  std::string body;
};

std::vector<Section> readSections(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Section> sections(1);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- ")) {
      sections.push_back({line.substr(4), {}});
    } else {
      sections.back().body += line + "\n";
    }
  }
  return sections;
}

class Corpus {
 public:
  void add(const std::filesystem::path& path) {
    file_ = path.string();
    const std::vector<Section> sections = readSections(path);
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const std::string& head = sections[i].head;
      const bool refused = i + 1 < sections.size() && sections[i + 1].head.starts_with("expect error parse");
      if (head == "sql") {
        for (const auto& statement : thalweg::sql::splitScript(sections[i].body)) mustParse(statement.text);
      } else if (head.starts_with("query")) {
        refused ? mustNotParse(sections[i].body) : mustParse(sections[i].body);
      }
    }
  }

  /// Prints the counts; true if nothing was wrong.
  bool report() const {
    std::cout << parsed_ << " parsed, " << refused_ << " rightly refused, " << faults_ << " wrong\n";
    return faults_ == 0;
  }

 private:
  void mustParse(const std::string& text) {
    const std::string fault = thalweg::sql::roundTripFault(text);
    if (fault.empty()) {
      ++parsed_;
    } else {
      complain(text, fault);
    }
  }
  void mustNotParse(const std::string& text) {
    if (thalweg::sql::parseStatement(text)) {
      complain(text, "should be refused");
    } else {
      ++refused_;
    }
  }
  void complain(const std::string& text, const std::string& fault) {
    ++faults_;
    std::cout << file_ << "\n" << text << "\n" << fault << "\n\n";
  }

  std::string file_;
  int parsed_ = 0;
  int refused_ = 0;
  int faults_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: sql_corpus FOLDER\n";
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (entry.path().extension() == ".test") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  Corpus corpus;
  for (const auto& path : paths) corpus.add(path);
  return corpus.report() ? 0 : 1;
}
