// Windows of Table::window(): Tumble, Slide and Session group rows, Over looks around each row.
//
//   .window(Tumble::over(lit(10).minutes()).on($("rowtime")).as("w"))
//   .window(Slide::over(lit(10).minutes()).every(lit(5).minutes()).on($("rowtime")).as("w"))
//   .window(Session::withGap(lit(10).minutes()).on($("rowtime")).as("w"))
//   .window(Over::partitionBy($("user")).orderBy($("rowtime")).preceding(lit(1).hours()).as("w"))
//
//   .window(Tumble::over(rowInterval(5)).on($("proctime")).as("w"))      every five rows of a group; rows that do not fill one give nothing
//
// Windows that count rows are for processing time in streaming mode only. Threads: values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/expressions.h"

namespace thalweg::api {

struct GroupWindow {
  enum class Kind : uint8_t { TUMBLE, SLIDE, SESSION };
  Kind kind;
  Expression size;                          ///< SESSION: the gap
  std::optional<Expression> slide = {};
  std::optional<Expression> time = {};
  std::string alias = {};

  GroupWindow on(const Expression& time_column) const {
    GroupWindow copy = *this;
    copy.time = time_column;
    return copy;
  }
  GroupWindow as(std::string name) const {
    GroupWindow copy = *this;
    copy.alias = std::move(name);
    return copy;
  }
  GroupWindow every(const Expression& step) const {
    GroupWindow copy = *this;
    copy.slide = step;
    return copy;
  }
};

struct Tumble {
  static GroupWindow over(const Expression& size) { return {.kind = GroupWindow::Kind::TUMBLE, .size = size}; }
};
struct Slide {
  static GroupWindow over(const Expression& size) { return {.kind = GroupWindow::Kind::SLIDE, .size = size}; }
};
struct Session {
  static GroupWindow withGap(const Expression& gap) { return {.kind = GroupWindow::Kind::SESSION, .size = gap}; }
};

struct OverWindow {
  std::vector<Expression> partition = {};
  std::vector<Expression> order = {};
  std::optional<Expression> from = {};      ///< nothing: UNBOUNDED_RANGE
  std::optional<Expression> to = {};        ///< nothing: the current row, or its peers
  std::string alias = {};

  OverWindow orderBy(const Expression& time_column) const {
    OverWindow copy = *this;
    copy.order.push_back(time_column);
    return copy;
  }
  OverWindow preceding(const Expression& bound) const {
    OverWindow copy = *this;
    copy.from = bound;
    return copy;
  }
  OverWindow following(const Expression& bound) const {
    OverWindow copy = *this;
    copy.to = bound;
    return copy;
  }
  OverWindow as(std::string name) const {
    OverWindow copy = *this;
    copy.alias = std::move(name);
    return copy;
  }
};

struct Over {
  template <typename... Keys>
  static OverWindow partitionBy(const Keys&... keys) {
    OverWindow window;
    window.partition = {Expression(keys)...};
    return window;
  }
  static OverWindow orderBy(const Expression& time_column) { return OverWindow().orderBy(time_column); }
};

}  // namespace thalweg::api
