// Reading JSON paths (json_path.h says which).
#include <cctype>
#include <charconv>

#include "common/functions/json/json_path.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  /// Everything behind `$`.
  Result<JsonPath::Steps> path() {
    ASSIGN_OR_RETURN(JsonPath::Steps steps, relative());
    if (at_ < text_.size()) return faulty("a step is expected");
    return steps;
  }

 private:
  Status faulty(std::string_view why) const {
    return Status::invalid("'" + std::string(text_) + "' is no JSON path: " + std::string(why) + " at character " +
                           std::to_string(at_ + 1));
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  /// Steps up to something else; within filters paths end at blanks, operators and parentheses.
  Result<JsonPath::Steps> relative() {
    JsonPath::Steps steps;
    while (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
      ASSIGN_OR_RETURN(JsonPath::Step step, step_());
      steps.push_back(std::move(step));
    }
    return steps;
  }

  Result<JsonPath::Step> step_() {
    JsonPath::Step step;
    if (take("..")) {
      step.recursive = true;
      if (at_ < text_.size() && text_[at_] == '[') {
        RETURN_IF_ERROR(bracket(step));
        return step;
      }
    } else if (!take(".")) {
      RETURN_IF_ERROR(bracket(step));
      return step;
    }
    if (take("*")) return step;
    const size_t begin = at_;
    const std::string_view ends = depth_ > 0 ? ".[ =!<>&|)" : ".[";
    while (at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == begin) return faulty("a name is expected");
    step.kind = JsonPath::Step::MEMBER;
    step.name = text_.substr(begin, at_ - begin);
    if (step.name.find_first_of(" (") != std::string::npos) return faulty("a name with blanks or parentheses needs brackets and quotes");
    return step;
  }

  Status bracket(JsonPath::Step& step) {
    take("[");
    blanks();
    if (take("*")) {
    } else if (take("?")) {
      RETURN_IF_ERROR(condition(step));
    } else if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      step.kind = JsonPath::Step::MEMBER;
      ASSIGN_OR_RETURN(step.name, quoted());
    } else {
      RETURN_IF_ERROR(numbers(step));
    }
    blanks();
    return take("]") ? Status() : faulty("] is expected");
  }

  Result<std::string> quoted() {
    const char quote = text_[at_++];
    std::string name;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      name.push_back(text_[at_]);
    }
    if (at_ == text_.size()) return faulty("a quote is not closed");
    ++at_;
    return name;
  }

  std::optional<int64_t> number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  /// `1`, `1, 2`, `1:3`, `:3`, `1:`
  Status numbers(JsonPath::Step& step) {
    const std::optional<int64_t> first = number();
    blanks();
    if (take(":")) {
      step.kind = JsonPath::Step::SLICE;
      step.from = first;
      step.to = number();
      return first || step.to ? Status() : faulty("a number is expected");
    }
    if (!first) return faulty("a number, a name in quotes, * or ? is expected");
    step.kind = JsonPath::Step::INDEXES;
    step.indexes.push_back(*first);
    while (take(",")) {
      blanks();
      const std::optional<int64_t> next = number();
      if (!next) return faulty("a number is expected");
      step.indexes.push_back(*next);
      blanks();
    }
    return {};
  }

  // ---- filters

  Status condition(JsonPath::Step& step) {
    step.kind = JsonPath::Step::FILTER;
    if (!take("(")) return faulty("( is expected");
    if (++depth_ > 8) return faulty("filters are nested too deeply");
    auto filter = std::make_shared<JsonFilter>();
    do {
      filter->alternatives.emplace_back();
      do {
        ASSIGN_OR_RETURN(JsonFilter::Term term, this->term());
        filter->alternatives.back().push_back(std::move(term));
        blanks();
      } while (take("&&"));
    } while (take("||"));
    --depth_;
    step.filter = std::move(filter);
    return take(")") ? Status() : faulty(") is expected");
  }

  Result<JsonFilter::Term> term() {
    JsonFilter::Term term;
    blanks();
    term.negated = take("!");
    ASSIGN_OR_RETURN(term.left, operand());
    blanks();
    struct Sign {
      std::string_view text;
      JsonFilter::Comparison comparison;
    };
    using Comparison = JsonFilter::Comparison;
    static constexpr Sign kSigns[] = {{"==", Comparison::EQUAL},      {"!=", Comparison::UNEQUAL},
                                      {"<=", Comparison::LESS_EQUAL}, {">=", Comparison::GREATER_EQUAL},
                                      {"<", Comparison::LESS},        {">", Comparison::GREATER}};
    for (const Sign& sign : kSigns) {
      if (!take(sign.text)) continue;
      term.comparison = sign.comparison;
      blanks();
      ASSIGN_OR_RETURN(term.right, operand());
      break;
    }
    return term;
  }

  Result<JsonFilter::Operand> operand() {
    JsonFilter::Operand operand;
    if (take("@") || take("$")) {
      operand.kind = text_[at_ - 1] == '@' ? JsonFilter::Operand::CANDIDATE : JsonFilter::Operand::ROOT;
      ASSIGN_OR_RETURN(operand.steps, relative());
      return operand;
    }
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      operand.literal = JsonKind::STRING;
      ASSIGN_OR_RETURN(operand.text, quoted());
      return operand;
    }
    if (take("true")) {
      operand.literal = JsonKind::TRUE;
      return operand;
    }
    if (take("false")) {
      operand.literal = JsonKind::FALSE;
      return operand;
    }
    if (take("null")) return operand;
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.' || text_[at_] == '-')) ++at_;
    const std::optional<double> number = parseDouble(text_.substr(begin, at_ - begin));
    if (!number) return faulty("a value is expected");
    operand.literal = JsonKind::NUMBER;
    operand.number = *number;
    return operand;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

bool startsWithWord(std::string_view text, std::string_view word) {
  if (text.size() <= word.size() || text[word.size()] != ' ') return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != word[i]) return false;
  }
  return true;
}

}  // namespace

Result<JsonPath> JsonPath::compile(std::string_view text) {
  JsonPath path;
  std::string_view rest = trimJava(text);
  for (const auto& [word, mode] : {std::pair{std::string_view("lax"), Mode::LAX}, {std::string_view("strict"), Mode::STRICT}}) {
    if (!startsWithWord(rest, word)) continue;
    path.mode_ = mode;
    rest = trimJava(rest.substr(word.size()));
    break;
  }
  // The $ may be left out in front of a name.
  const std::string steps = rest.starts_with('$') ? std::string(rest.substr(1)) : "." + std::string(rest);
  ASSIGN_OR_RETURN(path.steps_, Parser(steps).path());
  for (const Step& step : path.steps_) {
    const bool one = step.kind == Step::MEMBER || (step.kind == Step::INDEXES && step.indexes.size() == 1);
    if (step.recursive || !one) path.definite_ = false;
  }
  return path;
}

}  // namespace thalweg
