// How tightly operators bind, for parsing and for writing without needless parentheses.
//
// The numbers are those of Flink's parser: twice a level, one more on the side that does not associate.
// `a op b op c` nests to the left where left < right. Threads: no state.
#pragma once

#include <string_view>

namespace thalweg::sql {

struct BindingPower {
  int left = 0;
  int right = 0;
};

inline constexpr BindingPower kMultisetUnionPower{28, 29};  // also MULTISET EXCEPT
inline constexpr BindingPower kMultisetIntersectPower{36, 37};
inline constexpr int kOverPower = 40;  // of a call with OVER, when it is written
inline constexpr BindingPower kOrPower{44, 45};
inline constexpr BindingPower kAndPower{48, 49};
inline constexpr int kNotPower = 53;                     // of its operand
inline constexpr int kIsPower = 56;                      // of the operand before IS ..
inline constexpr BindingPower kComparisonPower{60, 61};  // = <> < <= > >=, IS DISTINCT FROM, MEMBER OF, OVERLAPS ..
inline constexpr BindingPower kInPower{64, 65};          // IN, = ANY, = ALL
inline constexpr BindingPower kLikePower{65, 64};        // LIKE, SIMILAR TO, BETWEEN
inline constexpr BindingPower kAddPower{80, 81};
inline constexpr BindingPower kMultiplyPower{120, 121};  // * / % ||
inline constexpr int kSignPower = 161;                   // of the operand of - and +
inline constexpr int kAtomPower = 200;                   // names, literals, calls, a[i], a.b

/// Of an infix operator, spelled as in OperatorCall::op; {0, 0} for any other word.
BindingPower infixPower(std::string_view op);

}  // namespace thalweg::sql
