#include "common/config/yaml_options.h"

#include <yaml-cpp/yaml.h>

namespace thalweg {

Result<std::map<std::string, std::string>> parseYamlOptions(const std::string& file, const std::string& text) {
  const auto problem = [&](const YAML::Mark& mark, const std::string& what) {
    return Status::plan(file + ":" + std::to_string(mark.line + 1) + ": " + what);
  };
  std::map<std::string, std::string> options;
  try {                                             // the wall for what yaml-cpp throws
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap() && !root.IsNull()) return problem(root.Mark(), "expected lines `option: value`");
    for (const auto& option : root) {
      if (!option.second.IsScalar()) return problem(option.first.Mark(), "expected one value");
      options[option.first.as<std::string>()] = option.second.as<std::string>();
    }
  } catch (const YAML::Exception& error) {
    return problem(error.mark, error.msg);
  }
  return options;
}

std::string quotedYaml(const std::string& value) {
  YAML::Emitter text;
  text << YAML::DoubleQuoted << value;
  return text.c_str();
}

}  // namespace thalweg
