#include "common/formats/csv/csv_record.h"

namespace thalweg::format {
namespace {

bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

}  // namespace

CsvRecord::Outcome CsvRecord::read(std::string_view bytes, bool last) {
  bytes_ = bytes;
  last_ = last;
  at_ = 0;
  fields_.clear();
  scratches_used_ = 0;
  if (dialect_.comments) {
    bool incomplete = false;
    if (!skipComments(incomplete)) return incomplete ? Outcome::INCOMPLETE : Outcome::NONE;
  }
  if (at_ == bytes_.size()) return last_ ? Outcome::NONE : Outcome::INCOMPLETE;
  for (;;) {
    switch (readField()) {
      case Step::FIELD: break;
      case Step::LAST_FIELD: return Outcome::RECORD;
      case Step::INCOMPLETE: return Outcome::INCOMPLETE;
      case Step::BAD: return Outcome::BAD;
    }
  }
}

/// Whether a record begins at at_.
bool CsvRecord::skipComments(bool& incomplete) {
  for (;;) {
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || isLineEnd(bytes_[at_]))) ++at_;
    if (at_ < bytes_.size() && bytes_[at_] != '#') return true;
    while (at_ < bytes_.size() && !isLineEnd(bytes_[at_])) ++at_;
    if (at_ == bytes_.size()) {
      incomplete = !last_;
      return false;
    }
  }
}

CsvRecord::Step CsvRecord::readField() {
  if (dialect_.trim_spaces) {
    while (atBlank()) ++at_;
  }
  if (takes(dialect_.quote)) return readQuoted();
  return readPlain();
}

CsvRecord::Step CsvRecord::readPlain() {
  const size_t begin = at_;
  std::string* unescaped = nullptr;
  while (at_ < bytes_.size() && !isLineEnd(bytes_[at_]) && !takes(dialect_.delimiter)) {
    if (takes(dialect_.escape)) {
      if (unescaped == nullptr) unescaped = &(scratch() = bytes_.substr(begin, at_ - begin));
      if (!takeEscaped(*unescaped)) return last_ ? bad("an escape character at its end") : Step::INCOMPLETE;
      continue;
    }
    if (unescaped != nullptr) *unescaped += bytes_[at_];
    ++at_;
  }
  Field field;
  field.text = unescaped != nullptr ? std::string_view(*unescaped) : bytes_.substr(begin, at_ - begin);
  field.shared = unescaped == nullptr;
  while (dialect_.trim_spaces && !field.text.empty() && static_cast<unsigned char>(field.text.back()) <= ' ') {
    field.text.remove_suffix(1);
  }
  return finishField(field);
}

CsvRecord::Step CsvRecord::readQuoted() {
  at_ += dialect_.quote.size();
  const size_t begin = at_;
  std::string* unescaped = nullptr;
  const auto copySoFar = [&] {
    if (unescaped == nullptr) unescaped = &(scratch() = bytes_.substr(begin, at_ - begin));
  };
  for (;;) {
    if (at_ == bytes_.size()) {
      return last_ ? bad("a quoted field that is not closed: expected " + dialect_.quote + " before the end of the file") : Step::INCOMPLETE;
    }
    if (takes(dialect_.quote)) {
      const size_t after = at_ + dialect_.quote.size();
      if (after == bytes_.size() && !last_) return Step::INCOMPLETE;
      if (bytes_.substr(after, dialect_.quote.size()) != dialect_.quote) break;
      copySoFar();
      *unescaped += dialect_.quote;
      at_ = after + dialect_.quote.size();
    } else if (takes(dialect_.escape)) {
      copySoFar();
      if (!takeEscaped(*unescaped)) return last_ ? bad("a quoted field that ends with the escape character") : Step::INCOMPLETE;
    } else {
      if (unescaped != nullptr) *unescaped += bytes_[at_];
      ++at_;
    }
  }
  Field field;
  field.text = unescaped != nullptr ? std::string_view(*unescaped) : bytes_.substr(begin, at_ - begin);
  field.shared = unescaped == nullptr;
  field.quoted = true;
  at_ += dialect_.quote.size();
  while (atBlank()) ++at_;
  return finishField(field);
}

CsvRecord::Step CsvRecord::finishField(Field field) {
  fields_.push_back(field);
  if (at_ == bytes_.size()) return last_ ? Step::LAST_FIELD : Step::INCOMPLETE;
  if (takes(dialect_.delimiter)) {
    at_ += dialect_.delimiter.size();
    return Step::FIELD;
  }
  bool incomplete = false;
  if (takeLineEnd(incomplete)) return Step::LAST_FIELD;
  if (incomplete) return Step::INCOMPLETE;
  return bad("something behind a closing quote: expected the delimiter or the end of the line, found '" + std::string(1, bytes_[at_]) + "'");
}

bool CsvRecord::takeLineEnd(bool& incomplete) {
  if (bytes_[at_] == '\n') {
    ++at_;
    return true;
  }
  if (bytes_[at_] != '\r') return false;
  if (at_ + 1 == bytes_.size() && !last_) {
    incomplete = true;
    return false;
  }
  at_ += at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '\n' ? 2 : 1;
  return true;
}

bool CsvRecord::takeEscaped(std::string& text) {
  const size_t after = at_ + dialect_.escape.size();
  if (after >= bytes_.size()) {
    at_ = bytes_.size();
    return false;
  }
  switch (const char c = bytes_[after]) {
    case 'n': text += '\n'; break;
    case 'r': text += '\r'; break;
    case 't': text += '\t'; break;
    case '0': text += '\0'; break;
    default: text += c;
  }
  at_ = after + 1;
  return true;
}

std::string& CsvRecord::scratch() {
  if (scratches_used_ == scratches_.size()) scratches_.push_back(std::make_unique<std::string>());
  std::string& text = *scratches_[scratches_used_++];
  text.clear();
  return text;
}

/// Goes on behind the line, as Jackson does when told to skip it.
CsvRecord::Step CsvRecord::bad(std::string message) {
  error_ = std::move(message);
  while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
  if (at_ < bytes_.size()) ++at_;
  return Step::BAD;
}

}  // namespace thalweg::format
