// The JSON events of the demo programs, and the record they become.
#pragma once

#include <optional>
#include <string>

#include "client/api/thalweg/field_composites.h"

struct Event {
  std::optional<std::string> name;
  std::optional<std::string> title;
  std::optional<std::string> title_name;
  int32_t title_number = 0;
  std::optional<std::string> user_info;
  std::optional<std::string> address;
  std::optional<std::string> time_info;
  int64_t timestamp = 0;

  std::string toString() const {
    return "Event{name='" + *name + "', title=" + *title + ", title_name='" + *title_name + "', title_number=" + std::to_string(title_number) +
           ", user_info=" + *user_info + ", address='" + *address + "', time_info=" + *time_info + ", timestamp='" + std::to_string(timestamp) + "'}";
  }
};
BOOST_DESCRIBE_STRUCT(Event, (), (name, title, title_name, title_number, user_info, address, time_info, timestamp))

Event parseEvent(const std::string& s);

/// The demos' generator of JSON texts.
class EventGenerator {
 public:
  explicit EventGenerator(std::string name) : name_(std::move(name)) {}
  bool hasNext() { return true; }
  std::string next() {
    return R"({"name":")" + name_ +
           R"(","title":{"title_number":3,"title_name":"表情包"},"user_info":[{"address":"北京市","city":"beijing"},)"
           R"({"address":"上海市","city":"shanghai"}],"time_info":{"timestamp":1657332118000}})";
  }

 private:
  std::string name_;
};
