// SessionFunctions: functions that a program registered with its session, found by name before the built-in ones.
//
// While a session binds a statement it puts its functions in sight of the binding thread (InSight); FunctionRegistry
// looks there first, so that binder and planner need not know of them. Functions live for ever, like built-in ones,
// because plans point at them; removing one only takes its name away.
// A table function is a scalar function of the category kUserTableFunction that gives an ARRAY of ROWs, unnested by the
// binder. Threads: one session's.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/functions/aggregate_function.h"
#include "common/functions/scalar_function.h"

namespace thalweg {

inline constexpr std::string_view kUserTableFunction = "user table function";

class SessionFunctions {
 public:
  /// Over one of the same name. Names are found without regard to case.
  void add(ScalarFunction function);
  void add(AggregateFunction function);
  /// False if there is none of that name.
  bool remove(std::string_view name);

  const ScalarFunction* scalar(std::string_view name) const;
  const AggregateFunction* aggregate(std::string_view name) const;
  /// A function that an expression brings along: found under the name it gets here, in every session. Any thread.
  static std::string addInline(ScalarFunction function);
  static std::string addInline(AggregateFunction function);

  /// Upper case, sorted.
  std::vector<std::string> names() const;

  /// The functions of the session that binds on this thread; null outside of one.
  static const SessionFunctions* inSight();
  class InSight {
   public:
    explicit InSight(const SessionFunctions& functions);
    ~InSight();
    InSight(const InSight&) = delete;
    InSight& operator=(const InSight&) = delete;

   private:
    const SessionFunctions* before_;
  };

 private:
  std::map<std::string, const ScalarFunction*, std::less<>> scalars_;
  std::map<std::string, const AggregateFunction*, std::less<>> aggregates_;
};

}  // namespace thalweg
