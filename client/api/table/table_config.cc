#include "client/api/thalweg/table_config.h"

#include "client/api/table/table_state.h"
#include "client/api/thalweg/exception.h"
#include "common/types/time_zone.h"

namespace thalweg::api {

ZoneId ZoneId::of(std::string_view id) {
  std::string text(id);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text = "GMT" + text;
  valueOrThrow(TimeZone::of(text));
  return ZoneId(std::move(text));
}

ZoneId ZoneOffset::ofHours(int hours) {
  if (hours < -18 || hours > 18) throw ValidationException("an offset must be within -18 and 18 hours, not " + std::to_string(hours));
  const int amount = hours < 0 ? -hours : hours;
  return ZoneId::of(std::string(hours < 0 ? "-" : "+") + (amount < 10 ? "0" : "") + std::to_string(amount) + ":00");
}

TableConfig& TableConfig::set(std::string_view key, std::string_view value) {
  throwIfFailed(state_->engine.session().configuration().set(key, value));
  return *this;
}

std::string TableConfig::get(std::string_view key) const { return state_->engine.session().configuration().find(key).value_or(""); }

TableConfig& TableConfig::setLocalTimeZone(const ZoneId& zone) { return set("table.local-time-zone", zone.getId()); }

ZoneId TableConfig::getLocalTimeZone() const {
  const std::string zone = get("table.local-time-zone");
  return ZoneId::of(zone.empty() || zone == "default" ? "UTC" : zone);
}

TableConfig& TableConfig::setIdleStateRetention(Duration duration) {
  return set("table.exec.state.ttl", std::to_string(duration.toMillis()) + " ms");
}

Duration TableConfig::getIdleStateRetention() const {
  return Duration::ofMillis(state_->engine.session().configuration().getDurationMillis("table.exec.state.ttl"));
}

}  // namespace thalweg::api
