// Links between streams and table plans: what a stream's edge carries into a plan, and what comes out of one.
//
// TableInputLink is a record's columns, then, if asked for, its timestamp as TIMESTAMP_LTZ(3), or as TIMESTAMP(3) in UTC.
// A table's time is its row-time column: timestamps stay behind, and watermarks but the last unless the table takes them. TableOutputLink makes
// records of a plan's columns and takes their timestamps from the row-time column. Both wrap the plain link of the
// record's type, so that they need not know it. Threads: as stream_link.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/stream_link.h"
#include "common/plan/changelog_mode.h"

namespace thalweg::api {

/// What a table takes of its stream's event time.
struct StreamTimes {
  std::optional<DataType> rowtime = {};   ///< type of the column of timestamps
  bool watermarks = false;
};

class TableInputLink final : public StreamLink {
 public:
  /// `records` is a plain link, `columns` of them are the record's; `stream` names it in messages.
  TableInputLink(StreamLinkPtr records, size_t columns, StreamTimes times, ChangelogMode mode, std::string stream);
  const std::vector<DataType>& columnTypes() const override { return types_; }
  thalweg::Schema schema() const override;
  std::vector<int> keyColumns() const override;
  StreamLinkPtr inTurn() const override;
  std::unique_ptr<Exit> makeExit() const override;
  std::unique_ptr<Entry> makeEntry() const override { return records_->makeEntry(); }

 private:
  StreamLinkPtr records_;
  size_t columns_;
  StreamTimes times_;
  ChangelogMode mode_;
  std::string stream_;
  std::vector<DataType> types_;
};

/// How a plan's rows become records.
struct TableOutput {
  std::vector<DataType> types = {};   ///< of the plan's columns
  int rowtime = -1;                   ///< column of the timestamp; -1: none
  bool drop_rowtime = false;          ///< that column is no part of the record
  bool upsert = false;                ///< -U rows are left out
};

class TableOutputLink final : public StreamLink {
 public:
  TableOutputLink(StreamLinkPtr records, TableOutput output) : records_(std::move(records)), output_(std::move(output)) {}
  const std::vector<DataType>& columnTypes() const override { return output_.types; }
  thalweg::Schema schema() const override { return records_->schema(); }
  StreamLinkPtr inTurn() const override { return std::make_shared<TableOutputLink>(*this); }
  std::unique_ptr<Exit> makeExit() const override { return records_->makeExit(); }
  std::unique_ptr<Entry> makeEntry() const override;

 private:
  StreamLinkPtr records_;
  TableOutput output_;
};

}  // namespace thalweg::api
