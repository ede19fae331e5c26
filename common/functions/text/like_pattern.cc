#include "common/functions/text/like_pattern.h"

#include "common/functions/text/unicode.h"
#include "common/types/java_text.h"

namespace thalweg {

Result<LikePattern> LikePattern::compile(std::string_view pattern, std::optional<std::string_view> escape) {
  if (escape && escape->empty()) escape.reset();
  if (escape && codePointCount(*escape) != 1) {
    return Status::plan("the escape of LIKE must be one character, but is '" + std::string(*escape) + "'");
  }
  LikePattern compiled;
  compiled.segments_.push_back({Piece{}});
  const auto add = [&](std::string_view text) { compiled.segments_.back().back().text.append(text); };
  for (size_t at = 0; at < pattern.size();) {
    const std::string_view character = pattern.substr(at, characterBytes(pattern, at));
    at += character.size();
    if (escape && character == *escape) {
      const std::string_view next = at < pattern.size() ? pattern.substr(at, characterBytes(pattern, at)) : std::string_view();
      if (next != "%" && next != "_" && next != *escape) {
        return Status::plan("in the LIKE pattern '" + std::string(pattern) + "' the escape '" + std::string(*escape) +
                            "' may only stand before %, _ and itself");
      }
      add(next);
      at += next.size();
    } else if (character == "%") {
      compiled.segments_.push_back({Piece{}});
    } else if (character == "_") {
      compiled.segments_.back().back().any_character = true;
      compiled.segments_.back().push_back({});
    } else {
      add(character);
    }
  }
  compiled.choose();
  return compiled;
}

void LikePattern::choose() {
  for (const Segment& segment : segments_) {
    if (segment.size() > 1) return;  // has a `_`
  }
  const auto empty = [this](size_t i) { return segments_[i][0].text.empty(); };
  const size_t count = segments_.size();
  if (count == 1) {
    shape_ = Shape::EXACT;
    plain_ = segments_[0][0].text;
  } else if (count == 2 && empty(1)) {
    shape_ = Shape::PREFIX;
    plain_ = segments_[0][0].text;
  } else if (count == 2 && empty(0)) {
    shape_ = Shape::SUFFIX;
    plain_ = segments_[1][0].text;
  } else if (count == 3 && empty(0) && empty(2)) {
    shape_ = Shape::CONTAINS;
    plain_ = segments_[1][0].text;
  }
}

bool LikePattern::matches(std::string_view text) const {
  switch (shape_) {
    case Shape::EXACT: return text == plain_;
    case Shape::PREFIX: return text.starts_with(plain_);
    case Shape::SUFFIX: return text.ends_with(plain_);
    case Shape::CONTAINS: return text.find(plain_) != std::string_view::npos;
    case Shape::SEGMENTS: break;
  }
  const std::optional<size_t> head = matchSegment(segments_.front(), text, 0);
  if (!head) return false;
  if (segments_.size() == 1) return *head == text.size();
  size_t at = *head;
  for (size_t i = 1; i + 1 < segments_.size(); ++i) {
    if (!findSegment(segments_[i], text, at)) return false;
  }
  return matchAtEnd(segments_.back(), text, at);
}

/// The end of the segment if it stands at `at`.
std::optional<size_t> LikePattern::matchSegment(const Segment& segment, std::string_view text, size_t at) {
  for (const Piece& piece : segment) {
    if (text.compare(at, piece.text.size(), piece.text) != 0) return std::nullopt;
    at += piece.text.size();
    if (!piece.any_character) continue;
    if (at == text.size()) return std::nullopt;
    at += characterBytes(text, at);
  }
  return at;
}

/// Moves `at` behind the first place at or after it where the segment stands.
bool LikePattern::findSegment(const Segment& segment, std::string_view text, size_t& at) {
  const std::string& first = segment[0].text;
  for (size_t from = at; from <= text.size();) {
    if (!first.empty()) from = text.find(first, from);
    if (from == std::string_view::npos) return false;
    if (const std::optional<size_t> end = matchSegment(segment, text, from)) {
      at = *end;
      return true;
    }
    if (from == text.size()) return false;
    from += characterBytes(text, from);
  }
  return false;
}

/// Whether the segment ends the text and starts at `from` or later.
bool LikePattern::matchAtEnd(const Segment& segment, std::string_view text, size_t from) {
  size_t end = text.size();
  for (size_t i = segment.size(); i-- > 0;) {
    const Piece& piece = segment[i];
    if (piece.any_character) {
      if (end <= from) return false;
      end = previousCharacter(text, end);
    }
    if (!text.substr(0, end).ends_with(piece.text) || end - piece.text.size() < from) return false;
    end -= piece.text.size();
  }
  return end >= from;
}

}  // namespace thalweg
