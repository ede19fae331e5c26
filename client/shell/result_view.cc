#include "client/shell/result_view.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "client/shell/live_table.h"
#include "common/types/value_text.h"

namespace thalweg::shell {
namespace {

constexpr int64_t kRepaintMs = 100;
constexpr int64_t kRateMs = 1000;
constexpr size_t kFrameLines = 6;      // rules, heading, two status lines

std::string rowsInSet(size_t rows) {
  if (rows == 0) return "Empty set";
  return std::to_string(rows) + (rows == 1 ? " row in set" : " rows in set");
}

std::string timeCost(int64_t took_ms) {
  if (took_ms < 0) return {};
  char text[64];
  (void)std::snprintf(text, sizeof(text), " (%.2f seconds)", static_cast<double>(took_ms) / 1000);
  return text;
}

/// Changes as they come.
class ChangelogView : public ResultView {
 public:
  ChangelogView(const Schema& schema, const ViewSettings& settings, std::ostream& out)
      : schema_(schema), settings_(settings), out_(out), tableau_(schema, true, settings.column_width_max) {}

  void add(const Batch& batch) override {
    begin();
    for (size_t row = 0; row < batch.rows(); ++row) {
      auto cells = cellsOf(batch, row, schema_, settings_.zone);
      cells.insert(cells.begin(), std::string(rowKindText(batch.rowKind(row))));
      out_ << tableau_.row(cells) << '\n';
    }
    rows_ += batch.rows();
    out_.flush();
  }

  void tick(const client::JobProgress&, int64_t) override {}

  void finish(const client::JobProgress& progress, bool ended_well, int64_t) override {
    begin();
    out_ << tableau_.rule() << '\n';
    if (ended_well) out_ << "Received a total of " << rows_ << (rows_ == 1 ? " row" : " rows") << '\n';
    else out_ << "Query terminated, received a total of " << rows_ << (rows_ == 1 ? " row" : " rows") << '\n';
    noteSkipped(progress, out_);
  }

 private:
  void begin() {
    if (begun_) return;
    begun_ = true;
    out_ << tableau_.rule() << '\n' << tableau_.heading() << '\n' << tableau_.rule() << '\n';
  }

  Schema schema_;
  ViewSettings settings_;
  std::ostream& out_;
  Tableau tableau_;
  size_t rows_ = 0;
  bool begun_ = false;
};

/// The current result. On a terminal the frame is drawn over the last one.
class TableView : public ResultView {
 public:
  TableView(const Schema& schema, const ViewSettings& settings, std::ostream& out)
      : schema_(schema), settings_(settings), out_(out), table_(settings.table_rows_max) {
    std::vector<DataType> types;
    for (const Column& column : schema.columns()) types.push_back(column.type);
    if (!settings.order.empty()) order_.emplace(settings.order, types);
  }

  void add(const Batch& batch) override {
    const auto order = order_ ? order_->encode(batch) : std::span<const std::string_view>();
    for (size_t row = 0; row < batch.rows(); ++row) {
      table_.apply(batch.rowKind(row), cellsOf(batch, row, schema_, settings_.zone), order_ ? std::string(order[row]) : std::string());
    }
  }

  void tick(const client::JobProgress& progress, int64_t now_ms) override {
    if (!settings_.terminal || now_ms - painted_ms_ < kRepaintMs) return;
    noteRate(progress, now_ms);
    painted_ms_ = now_ms;
    measure();
    paint(settings_.terminal_rows > kFrameLines + 1 ? settings_.terminal_rows - kFrameLines : 1, status(progress));
  }

  void finish(const client::JobProgress& progress, bool ended_well, int64_t took_ms) override {
    if (settings_.terminal) {
      measure();
      paint(table_.size(), status(progress));
    } else {
      const auto rows = table_.rows(table_.size());
      Tableau tableau(schema_, false, settings_.column_width_max);
      tableau.fitTo(rows);
      draw(tableau, rows);
    }
    if (!ended_well) out_ << "Query terminated. ";
    out_ << rowsInSet(table_.size()) << timeCost(took_ms) << '\n';
    if (table_.dropped() > 0) out_ << table_.dropped() << " older rows are not shown (sql-client.execution.max-table-result.rows)\n";
    noteSkipped(progress, out_);
  }

 private:
  size_t draw(const Tableau& tableau, const std::vector<std::vector<std::string>>& rows) {
    writeLine(tableau.rule());
    writeLine(tableau.heading());
    writeLine(tableau.rule());
    for (const auto& row : rows) writeLine(tableau.row(row));
    writeLine(tableau.rule());
    return rows.size() + 4;
  }

  void writeLine(std::string_view line) { out_ << (settings_.terminal ? client::cutTo(line, settings_.terminal_columns) : std::string(line)) << '\n'; }

  void paint(size_t rows_shown, const std::string& status_line) {
    const auto rows = table_.rows(rows_shown);
    Tableau tableau(schema_, false, settings_.column_width_max);
    tableau.fitTo(rows);
    if (lines_ > 0) out_ << "\033[" << lines_ << "A\r\033[J";
    lines_ = draw(tableau, rows);
    writeLine(status_line);
    ++lines_;
    out_.flush();
  }

  void measure() {
    if (settings_.measure) settings_.measure(settings_);
  }

  /// Over a second or more: sources read in bursts.
  void noteRate(const client::JobProgress& progress, int64_t now_ms) {
    if (rate_ms_ > 0 && now_ms - rate_ms_ < kRateMs) return;
    if (rate_ms_ > 0) rows_per_second_ = (progress.rows_read - rows_read_) * 1000 / static_cast<uint64_t>(now_ms - rate_ms_);
    rows_read_ = progress.rows_read;
    rate_ms_ = now_ms;
  }

  std::string status(const client::JobProgress& progress) const {
    std::string text = std::to_string(progress.rows_read) + (progress.rows_read == 1 ? " row read, " : " rows read, ") + std::to_string(rows_per_second_) + " rows/s, watermark ";
    if (progress.watermark == kMinWatermark) text += "none yet";
    else if (progress.watermark == kMaxWatermark) text += "at the end of input";
    else text += castForm(Value::timestamp({progress.watermark, 0, 0}), DataType::timestamp(3), settings_.zone);
    return text;
  }

  Schema schema_;
  ViewSettings settings_;
  std::ostream& out_;
  LiveTable table_;
  std::optional<SortKeyEncoder> order_;
  size_t lines_ = 0;
  int64_t painted_ms_ = 0;
  int64_t rate_ms_ = 0;        // when rows_read_ was taken
  uint64_t rows_read_ = 0;
  uint64_t rows_per_second_ = 0;
};

}  // namespace

void noteSkipped(const client::JobProgress& progress, std::ostream& out, const std::string& whose) {
  const auto note = [&](uint64_t count, const char* one, const char* many) {
    if (count > 0) out << whose << count << ' ' << (count == 1 ? one : many) << '\n';
  };
  note(progress.bad_records_skipped, "malformed record was skipped", "malformed records were skipped");
  note(progress.late_rows_dropped, "late row was dropped", "late rows were dropped");
}

std::unique_ptr<ResultView> ResultView::make(const Schema& schema, const ViewSettings& settings, std::ostream& out) {
  const bool changes = settings.mode == "CHANGELOG" || (settings.mode == "TABLEAU" && !settings.batch);
  if (changes) return std::make_unique<ChangelogView>(schema, settings, out);
  ViewSettings plain = settings;
  if (settings.mode == "TABLEAU") plain.terminal = false;
  return std::make_unique<TableView>(schema, plain, out);
}

}  // namespace thalweg::shell
