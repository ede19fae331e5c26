#include "worker/task/job_builder.h"

#include <algorithm>
#include <map>
#include <set>

#include "common/runtime_api/computed_inputs.h"

namespace thalweg::worker {

namespace {

constexpr size_t kChannelBytesMin = size_t{128} << 10;
/// Channels of a job in one process: about 1 KiB each before the first row.
constexpr size_t kChannelsMax = size_t{1} << 18;

class JobBuilder {
 public:
  JobBuilder(const std::shared_ptr<RunningJob>& job, const BuildOptions& options)
      : job_(job), graph_(job->graph()), options_(options) {}

  Status build() {
    if (options_.restored) RETURN_IF_ERROR(checkRestored());
    RETURN_IF_ERROR(checkChannels());
    makeChannels();
    for (int task = 0; task < static_cast<int>(graph_.tasks.size()); ++task) RETURN_IF_ERROR(buildTask(task));
    return {};
  }

 private:
  const TaskSpec& spec(int task) const { return graph_.tasks[static_cast<size_t>(task)]; }

  /// How many channels an edge has into one subtask, from sender 0 on unless it is a forward edge.
  int channelsPerReceiver(const TaskInput& input) const {
    return input.partition == PartitionKind::FORWARD ? 1 : spec(input.upstream).parallelism;
  }

  bool isHere(int task, int index) const { return options_.share == nullptr || options_.share->isHere({task, index}); }

  /// Between two tasks of parallelism p are p * p channels: a slip in a setting must not take the machine's memory.
  Status checkChannels() const {
    size_t channels = 0;
    int parallelism = 1;
    for (int task = 0; task < static_cast<int>(graph_.tasks.size()); ++task) {
      parallelism = std::max(parallelism, spec(task).parallelism);
      size_t receivers = 0;
      for (int index = 0; index < spec(task).parallelism; ++index) receivers += isHere(task, index) ? 1 : 0;
      for (const TaskInput& input : spec(task).inputs) channels += receivers * static_cast<size_t>(channelsPerReceiver(input));
    }
    if (channels <= kChannelsMax) return {};
    return Status::exhausted("the job would need " + std::to_string(channels) + " channels between its subtasks, but a process holds at most " +
                             std::to_string(kChannelsMax) + "; lower its parallelism, now " + std::to_string(parallelism));
  }

  void makeChannels() {
    for (int number = 0; number < static_cast<int>(graph_.tasks.size()); ++number) {
      const TaskSpec& task = spec(number);
      std::vector<ChannelSpec> channels;
      for (const TaskInput& input : task.inputs) {
        for (int i = 0; i < channelsPerReceiver(input); ++i) channels.push_back({input.operator_input, input.unbounded_buffer});
      }
      ChannelLimits limits = options_.channel_limits;
      const size_t share = options_.subtask_bytes_max / std::max<size_t>(1, channels.size());
      limits.bytes_max = std::min(limits.bytes_max, std::max(share, kChannelBytesMin));
      channels_.emplace_back();
      for (int i = 0; i < task.parallelism; ++i) channels_.back().push_back(task.source ? nullptr : makeChannelsOf({number, i}, channels, limits));
    }
  }

  std::shared_ptr<ChannelEnd> makeChannelsOf(SubtaskId receiver, const std::vector<ChannelSpec>& channels, ChannelLimits limits) {
    if (!isHere(receiver.task, receiver.index)) {
      std::vector<ChannelBounds> bounds;
      for (const ChannelSpec& channel : channels) {
        bounds.push_back(channel.unbounded ? ChannelBounds{SIZE_MAX, SIZE_MAX} : ChannelBounds{limits.batches_max, limits.bytes_max});
      }
      return options_.share->channelsTo(receiver, std::move(bounds));
    }
    auto set = std::make_shared<ChannelSet>(channels, spec(receiver.task).inputCount(), limits, job_->surroundings().spill);
    if (options_.share != nullptr) options_.share->addReceiver(receiver, set, originsOf(receiver));
    sets_[receiver] = set;
    return set;
  }

  std::vector<ChannelOrigin> originsOf(SubtaskId receiver) const {
    std::vector<ChannelOrigin> origins;
    for (const TaskInput& input : spec(receiver.task).inputs) {
      const bool forward = input.partition == PartitionKind::FORWARD;
      for (int i = 0; i < channelsPerReceiver(input); ++i) origins.push_back({{input.upstream, forward ? receiver.index : i}, &input.types});
    }
    return origins;
  }

  /// One writer for each edge that leaves `task`, for its subtask `index`.
  std::vector<std::unique_ptr<EdgeWriter>> makeWriters(int task, int index) {
    std::vector<std::unique_ptr<EdgeWriter>> writers;
    for (size_t receiver = 0; receiver < graph_.tasks.size(); ++receiver) {
      int first_channel = 0;
      for (const TaskInput& input : graph_.tasks[receiver].inputs) {
        const int channel = first_channel + (input.partition == PartitionKind::FORWARD ? 0 : index);
        first_channel += channelsPerReceiver(input);
        if (input.upstream != task) continue;
        std::vector<ChannelSender> targets;
        if (input.partition == PartitionKind::FORWARD) targets.push_back({channels_[receiver][static_cast<size_t>(index)], channel});
        else for (const auto& set : channels_[receiver]) targets.push_back({set, channel});
        writers.push_back(makeEdgeWriter(input, index, graph_.max_parallelism, job_->surroundings().batch_rows_max, std::move(targets)));
        writers.back()->setOutput(input.upstream_output);
      }
    }
    return writers;
  }

  Status buildTask(int task) {
    std::shared_ptr<SplitSupply> splits;
    if (spec(task).source) {
      ASSIGN_OR_RETURN(splits, makeSplits(task));
    }
    for (int index = 0; index < spec(task).parallelism; ++index) {
      if (isHere(task, index)) RETURN_IF_ERROR(buildSubtask(task, index, splits));
    }
    return {};
  }

  Result<std::shared_ptr<SplitSupply>> makeSplits(int task) {
    if (!isHere(task, 0)) return options_.share->splitsFrom({task, 0});
    ASSIGN_OR_RETURN(std::unique_ptr<SplitEnumerator> enumerator, spec(task).source->make_enumerator());
    auto dispenser = std::make_shared<SplitDispenser>(std::move(enumerator));
    if (const JobSnapshot::Task* stored = storedTask(task)) RETURN_IF_ERROR(dispenser->restore(stored->enumerator));
    job_->addDispenser(task, dispenser);
    if (options_.share != nullptr) options_.share->addDispenser(task, dispenser);
    return std::shared_ptr<SplitSupply>(std::move(dispenser));
  }

  Status buildSubtask(int task, int index, const std::shared_ptr<SplitSupply>& splits) {
    auto subtask = std::make_shared<Subtask>(SubtaskId{task, index}, spec(task).name, job_->surroundings(), job_);
    Subtask::Parts parts;
    if (!spec(task).source) parts.channels = sets_.at({task, index});
    parts.inputs = spec(task).inputCount();
    parts.writers = makeWriters(task, index);
    for (const OperatorNode& node : spec(task).operators) {
      if (node.outlet) parts.outlets.push_back(node.outlet);
    }
    parts.memory = options_.memory;
    parts.hold_after_rows = options_.hold_after_rows;
    if (const JobSnapshot::Task* stored = storedTask(task)) {
      const bool same = stored->finished.size() == static_cast<size_t>(spec(task).parallelism);
      const auto at = static_cast<size_t>(index);
      parts.restored_finished = same ? stored->finished[at] : std::all_of(stored->finished.begin(), stored->finished.end(), [](bool finished) { return finished; });
      parts.restored_splits = splitsOf(*stored, index, spec(task).parallelism);
      parts.sent_watermark = same ? stored->sent_watermarks[at] : lowest(stored->sent_watermarks);
    }
    subtask->connect(std::move(parts));

    std::vector<std::pair<std::unique_ptr<Operator>, std::unique_ptr<TaskContext>>> operators;
    for (const OperatorNode& node : spec(task).operators) {
      ASSIGN_OR_RETURN(std::unique_ptr<Operator> made, node.make());
      auto context = makeContext(node.uid, node.name, task, index, *subtask);
      RETURN_IF_ERROR(restore(node.uid, task, index, *made, *context));
      operators.emplace_back(std::move(made), std::move(context));
    }
    subtask->setOperators(std::move(operators));
    if (const std::optional<SourceNode>& source = spec(task).source) {
      ASSIGN_OR_RETURN(std::unique_ptr<SourceReader> reader, source->make_reader());
      subtask->setSource(std::move(reader), makeContext(source->uid, source->name, task, index, *subtask), splits, source->idle_timeout_ms);
    }
    job_->addSubtask(std::move(subtask));
    return {};
  }

  std::unique_ptr<TaskContext> makeContext(const std::string& uid, const std::string& name, int task, int index, Actor& actor) {
    return std::make_unique<TaskContext>(job_->surroundings(), OperatorPlace{uid, name, index, spec(task).parallelism}, actor);
  }

  const JobSnapshot::Task* storedTask(int task) const {
    if (options_.restored == nullptr) return nullptr;
    const auto found = options_.restored->tasks.find(headUid(spec(task)));
    return found == options_.restored->tasks.end() ? nullptr : &found->second;
  }

  /// With as many subtasks as before each gets its own splits back, else they are dealt out.
  static std::vector<std::string> splitsOf(const JobSnapshot::Task& stored, int index, int parallelism) {
    if (stored.splits.size() == static_cast<size_t>(parallelism)) return stored.splits[static_cast<size_t>(index)];
    std::vector<std::string> mine;
    size_t number = 0;
    for (const std::vector<std::string>& of_reader : stored.splits) {
      for (const std::string& split : of_reader) {
        if (number++ % static_cast<size_t>(parallelism) == static_cast<size_t>(index)) mine.push_back(split);
      }
    }
    return mine;
  }

  static EventTime lowest(const std::vector<EventTime>& watermarks) {
    return watermarks.empty() ? kMinWatermark : *std::min_element(watermarks.begin(), watermarks.end());
  }

  Status restore(const std::string& uid, int task, int index, Operator& op, TaskContext& context) const {
    if (options_.restored == nullptr) return {};
    const auto found = options_.restored->operators.find(uid);
    if (found == options_.restored->operators.end() || !changedInputs(uid, task).empty()) return {};
    const std::vector<OperatorSnapshot>& parts = found->second;
    if (parts.size() == static_cast<size_t>(spec(task).parallelism)) {
      const OperatorSnapshot& mine = parts[static_cast<size_t>(index)];
      context.setRestored(mine.own);
      context.setRestoredWatermark(mine.watermark);
      return context.keyedState().restore({&mine.keyed, 1});
    }
    std::vector<KeyedSnapshot> keyed;
    std::vector<std::string_view> own;
    std::vector<EventTime> watermarks;
    for (const OperatorSnapshot& part : parts) {
      keyed.push_back(part.keyed);
      own.push_back(part.own);
      watermarks.push_back(part.watermark);
    }
    context.setRestoredWatermark(lowest(watermarks));
    Result<std::string> mine = op.redistribute(own, index, spec(task).parallelism);
    if (!mine.isOk()) return mine.status().withContext("operator '" + context.operatorName() + "'");
    context.setRestored(*std::move(mine));
    return context.keyedState().restore(keyed);
  }

  /// Why keyed state cannot go on although its operator is there; empty if it can.
  std::string changedInputs(const std::string& uid, int task) const {
    const auto before = options_.restored->computed_inputs.find(uid);
    const auto parts = options_.restored->operators.find(uid);
    if (before == options_.restored->computed_inputs.end() || parts == options_.restored->operators.end()) return {};
    if (std::all_of(parts->second.begin(), parts->second.end(), [](const OperatorSnapshot& part) { return part.keyed.empty(); })) return {};
    for (const OperatorNode& node : spec(task).operators) {
      if (node.uid != uid || !node.computed_inputs || canGoOn(before->second, *node.computed_inputs)) continue;
      return "the snapshot holds state of operator '" + node.name + "' that was kept by " + computedText(before->second) +
             ", and the job now has " + computedText(*node.computed_inputs) + "; restore the statement as it was, or set "
             "'execution.state-recovery.ignore-unclaimed-state' (--allow-non-restored-state) to start this operator without its state";
    }
    return {};
  }

  Status checkRestored() const {
    if (options_.restored->max_parallelism != 0 && options_.restored->max_parallelism != graph_.max_parallelism) {
      return Status::invalid("the snapshot has " + std::to_string(options_.restored->max_parallelism) + " key groups, and the job has " +
                             std::to_string(graph_.max_parallelism) + "; set 'pipeline.max-parallelism' to the former");
    }
    if (options_.allow_unclaimed_state) return {};
    for (size_t task = 0; task < graph_.tasks.size(); ++task) {
      for (const OperatorNode& node : graph_.tasks[task].operators) {
        if (std::string why = changedInputs(node.uid, static_cast<int>(task)); !why.empty()) return Status::invalid(std::move(why));
      }
    }
    std::set<std::string> uids;
    for (const TaskSpec& task : graph_.tasks) {
      for (const OperatorNode& node : task.operators) uids.insert(node.uid);
    }
    for (const auto& [uid, parts] : options_.restored->operators) {
      const bool has_state = std::any_of(parts.begin(), parts.end(), [](const OperatorSnapshot& part) { return !part.own.empty() || !part.keyed.empty(); });
      if (has_state && !uids.contains(uid)) {
        return Status::invalid("the snapshot holds state of operator '" + uid + "', which the job does not have; set "
                               "'execution.state-recovery.ignore-unclaimed-state' (--allow-non-restored-state) to go on without it");
      }
    }
    return {};
  }

  std::shared_ptr<RunningJob> job_;
  const TaskGraph& graph_;
  const BuildOptions& options_;
  std::vector<std::vector<std::shared_ptr<ChannelEnd>>> channels_;   // by receiving task and subtask
  std::map<SubtaskId, std::shared_ptr<ChannelSet>> sets_;            // of the receivers here
};

}  // namespace

Status buildJob(const std::shared_ptr<RunningJob>& job, const BuildOptions& options) { return JobBuilder(job, options).build(); }

}  // namespace thalweg::worker
