// LineOutput: a stream whose text reaches its file in whole lines, so that rows which jobs of this process print
// meanwhile come between lines and never within one.
//
// A terminal gets each line when it is complete; anything else gets them when flushed, or when much waits. flush() also
// writes a line that is not complete. Threads: one writer; other writers of the file by C's own lock.
// Errors: bad() once the file did not take something.
#pragma once

#include <cstdio>
#include <ostream>
#include <streambuf>
#include <string>

namespace thalweg::shell {

class LineOutput final : public std::ostream {
 public:
  LineOutput(std::FILE* file, bool terminal) : std::ostream(nullptr), buffer_(file, terminal) { rdbuf(&buffer_); }

 private:
  class Lines final : public std::streambuf {
   public:
    Lines(std::FILE* file, bool terminal) : file_(file), terminal_(terminal) {}

   protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    bool write(size_t bytes);
    bool writeLines();

    std::FILE* const file_;
    const bool terminal_;
    std::string waiting_;
  };
  Lines buffer_;
};

}  // namespace thalweg::shell
