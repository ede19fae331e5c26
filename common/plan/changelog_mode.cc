#include "common/plan/changelog_mode.h"

namespace thalweg {

std::string ChangelogMode::toString() const {
  std::string text = "[I";
  if (update_before) text += ",UB";
  if (update_after) text += ",UA";
  if (deletes) text += ",D";
  return text + "]";
}

}  // namespace thalweg
