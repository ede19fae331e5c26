// Folders for tests that work on real files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace thalweg::testing {

/// An empty folder that whoever gets it removes.
inline std::string makeTemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "thalweg-unit-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return pattern;
}

/// An empty folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string at(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  const std::string path_ = makeTemporaryFolder();
};

}  // namespace thalweg::testing
