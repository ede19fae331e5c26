#include "examples/seeds/event.h"

#include <simdjson.h>

Event parseEvent(const std::string& s) {
  simdjson::dom::parser parser;
  const simdjson::dom::element jsonObject = parser.parse(s);
  const simdjson::dom::element title = jsonObject["title"];
  const simdjson::dom::element user_info = jsonObject["user_info"];
  const simdjson::dom::element time_info = jsonObject["time_info"];
  Event event;
  event.name = std::string(jsonObject["name"].get_string().value());
  event.title = simdjson::minify(title);
  event.title_name = std::string(title["title_name"].get_string().value());
  event.title_number = static_cast<int32_t>(title["title_number"].get_int64().value());
  event.user_info = simdjson::minify(user_info);
  event.address = std::string(user_info.at(0)["address"].get_string().value());
  event.time_info = simdjson::minify(time_info);
  event.timestamp = time_info["timestamp"].get_int64().value();
  return event;
}
