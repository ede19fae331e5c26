// The table below is data: Flink's keys by the reason why they have no effect, several a line, sorted.
#include "common/config/flink_keys.h"

#include <algorithm>
#include <vector>

namespace thalweg {

namespace {

struct IgnoredGroup {
  std::string_view reason;
  std::string_view keys;  ///< separated by white space
};

// clang-format off
constexpr IgnoredGroup kGroups[] = {
    {"tunes an optimisation of Flink's planner, and this planner decides for itself", R"(
       table.exec.deduplicate.insert-update-after-sensitive-enabled
       table.exec.deduplicate.mini-batch.compact-changes-enabled table.exec.delta-join.cache-enabled
       table.exec.delta-join.left.cache-size table.exec.delta-join.right.cache-size
       table.exec.disabled-operators table.exec.interval-join.min-cleanup-interval
       table.exec.local-hash-agg.adaptive.distinct-value-rate-threshold
       table.exec.local-hash-agg.adaptive.enabled table.exec.local-hash-agg.adaptive.sampling-threshold
       table.exec.operator-fusion-codegen.enabled table.exec.rank.topn-cache-size
       table.exec.simplify-operator-name-enabled table.exec.sink.keyed-shuffle table.exec.sink.rowtime-inserter
       table.exec.sink.upsert-materialize table.exec.sink.upsert-materialize-strategy.adaptive.threshold.high
       table.exec.sink.upsert-materialize-strategy.adaptive.threshold.low
       table.exec.sink.upsert-materialize-strategy.type table.exec.sort.async-merge-enabled
       table.exec.sort.max-num-file-handles table.exec.spill-compression.block-size
       table.exec.spill-compression.enabled table.exec.topn-cache-size table.exec.uid.format
       table.exec.uid.generation table.exec.unbounded-over.version table.exec.window-agg.buffer-size-limit
       table.optimizer.adaptive-broadcast-join.strategy table.optimizer.agg-phase-strategy
       table.optimizer.bushy-join-reorder-threshold table.optimizer.delta-join.strategy
       table.optimizer.distinct-agg.split.bucket-num table.optimizer.distinct-agg.split.enabled
       table.optimizer.dynamic-filtering.enabled table.optimizer.incremental-agg-enabled
       table.optimizer.join-reorder-enabled table.optimizer.join.broadcast-threshold
       table.optimizer.multi-join.enabled table.optimizer.multiple-input-enabled
       table.optimizer.non-deterministic-update.strategy table.optimizer.ptf.max-tables
       table.optimizer.reuse-optimize-block-with-digest-enabled table.optimizer.reuse-sink-enabled
       table.optimizer.reuse-source-enabled table.optimizer.reuse-sub-plan-enabled
       table.optimizer.runtime-filter.enabled table.optimizer.runtime-filter.max-build-data-size
       table.optimizer.runtime-filter.min-filter-ratio table.optimizer.runtime-filter.min-probe-data-size
       table.optimizer.skewed-join-optimization.skewed-factor
       table.optimizer.skewed-join-optimization.skewed-threshold
       table.optimizer.skewed-join-optimization.strategy table.optimizer.source.report-statistics-enabled
       table.optimizer.sql2rel.project-merge.enabled table.optimizer.union-all-as-breakpoint-enabled)"},
    {"changes no answer of this engine", R"(
       table.catalog-modification.listeners table.exec.async-lookup.buffer-capacity
       table.exec.async-lookup.key-ordered-enabled table.exec.async-lookup.output-mode
       table.exec.async-lookup.timeout table.exec.async-ml-predict.max-concurrent-operations
       table.exec.async-ml-predict.output-mode table.exec.async-ml-predict.timeout
       table.exec.async-scalar.max-attempts table.exec.async-scalar.max-concurrent-operations
       table.exec.async-scalar.retry-delay table.exec.async-scalar.retry-strategy
       table.exec.async-scalar.timeout table.exec.async-state.enabled
       table.exec.async-table.max-concurrent-operations table.exec.async-table.max-retries
       table.exec.async-table.retry-delay table.exec.async-table.retry-strategy table.exec.async-table.timeout
       table.exec.async-vector-search.max-concurrent-operations table.exec.async-vector-search.output-mode
       table.exec.async-vector-search.timeout table.exec.legacy-transformation-uids
       table.generated-code.max-length table.materialized-table.conversion-from-table.enabled
       table.plan.compile.catalog-objects table.plan.force-recompile table.plan.restore.catalog-objects
       table.planner table.resources.download-dir table.rtas-ctas.atomicity-enabled)"},
    {"concerns Flink's own client", R"(
       client.heartbeat.interval client.heartbeat.timeout client.retry-period client.timeout execution.attached
       execution.job-listeners execution.job-status-changed-listeners execution.program-config.enabled
       execution.program-config.wildcards execution.shutdown-on-application-finish
       execution.shutdown-on-attached-exit execution.target
       execution.terminate-application-on-any-job-terminated-exceptionally sql-client.display.color-schema
       sql-client.display.show-line-numbers sql-client.execution.mode sql-client.session.idle-timeout sql-client.verbose)"},
    {"belongs to materialized tables", R"(
       materialized-table.default-freshness.continuous materialized-table.default-freshness.full
       materialized-table.default-start-mode materialized-table.refresh-mode.freshness-threshold
       partition.fields.#.date-formatter)"},
    {"tunes how Flink runs tasks, and this runtime adapts by itself", R"(
       execution.batch-shuffle-mode execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task
       execution.batch.adaptive.auto-parallelism.default-source-parallelism
       execution.batch.adaptive.auto-parallelism.enabled
       execution.batch.adaptive.auto-parallelism.max-parallelism
       execution.batch.adaptive.auto-parallelism.min-parallelism execution.batch.job-recovery.enabled
       execution.batch.job-recovery.previous-worker.recovery.timeout
       execution.batch.job-recovery.snapshot.min-pause execution.batch.speculative.block-slow-node-duration
       execution.batch.speculative.enabled execution.batch.speculative.max-concurrent-executions
       execution.buffer-timeout.enabled execution.buffer-timeout.interval
       execution.checkpointing.snapshot-compression execution.sort-keyed-partition.memory
       execution.sort-partition.memory pipeline.auto-generate-uids pipeline.cep.sharedbuffer.cache.entry-slots
       pipeline.cep.sharedbuffer.cache.event-slots pipeline.cep.sharedbuffer.cache.statistics-interval
       pipeline.global-job-parameters pipeline.jobvertex-parallelism-overrides
       pipeline.operator-chaining.chain-operators-with-different-max-parallelism
       pipeline.operator-chaining.enabled pipeline.time-characteristic pipeline.vertex-description-mode
       pipeline.vertex-name-include-index-prefix pipeline.watermark-alignment.allow-unaligned-source-splits
       pipeline.watermark-alignment.buffer-size sink.committer.retries slow-task-detector.check-interval
       slow-task-detector.execution-time.baseline-lower-bound
       slow-task-detector.execution-time.baseline-multiplier slow-task-detector.execution-time.baseline-ratio
       taskmanager.runtime.hashjoin-bloom-filters taskmanager.runtime.large-record-handler
       taskmanager.runtime.max-fan taskmanager.runtime.sort-spilling-threshold)"},
    {"belongs to parts of checkpoints and recovery that this release does not have", R"(
       execution.checkpointing.aligned-checkpoint-timeout execution.checkpointing.checkpoints-after-tasks-finish
       execution.checkpointing.cleaner.parallel-mode execution.checkpointing.create-subdir
       execution.checkpointing.data-inline-threshold
       execution.checkpointing.during-recovery.enabled
       execution.checkpointing.file-merging.across-checkpoint-boundary
       execution.checkpointing.file-merging.enabled execution.checkpointing.file-merging.max-file-size
       execution.checkpointing.file-merging.max-space-amplification
       execution.checkpointing.file-merging.pool-blocking execution.checkpointing.incremental
       execution.checkpointing.interval-during-backlog
       execution.checkpointing.local-backup.dirs execution.checkpointing.local-backup.enabled
       execution.checkpointing.storage
       execution.checkpointing.unaligned.forced
       execution.checkpointing.unaligned.interruptible-timers.emit-intermediate-watermarks
       execution.checkpointing.unaligned.interruptible-timers.enabled
       execution.checkpointing.unaligned.max-subtasks-per-channel-state-file
       execution.checkpointing.unaligned.recover-output-on-downstream.enabled
       execution.checkpointing.write-buffer-size
       execution.state-recovery.from-local
       execution.state-recovery.without-channel-state.checkpoint-id
       pipeline.sources.pause-until-first-checkpoint)"},
    {"tunes one of Flink's state backends", R"(
       state.backend.forst.cache.dir state.backend.forst.cache.lru.access-before-promote
       state.backend.forst.cache.lru.promote-limit state.backend.forst.cache.reserve-size
       state.backend.forst.cache.size-based-limit state.backend.forst.executor.inline-coordinator
       state.backend.forst.executor.inline-write state.backend.forst.executor.read-io-parallelism
       state.backend.forst.executor.write-io-parallelism state.backend.forst.local-dir
       state.backend.forst.memory.fixed-per-slot state.backend.forst.memory.fixed-per-tm
       state.backend.forst.memory.high-prio-pool-ratio state.backend.forst.memory.managed
       state.backend.forst.memory.partitioned-index-filters state.backend.forst.memory.write-buffer-ratio
       state.backend.forst.options-factory state.backend.forst.primary-dir
       state.backend.forst.sync.enforce-local state.backend.forst.timer-service.cache-size
       state.backend.forst.timer-service.factory state.backend.local-recovery
       state.backend.rocksdb.block.blocksize state.backend.rocksdb.block.cache-size
       state.backend.rocksdb.block.metadata-blocksize state.backend.rocksdb.bloom-filter.bits-per-key
       state.backend.rocksdb.bloom-filter.block-based-mode state.backend.rocksdb.checkpoint.transfer.thread.num
       state.backend.rocksdb.compaction.filter.periodic-compaction-time
       state.backend.rocksdb.compaction.filter.query-time-after-num-entries
       state.backend.rocksdb.compaction.level.max-size-level-base
       state.backend.rocksdb.compaction.level.target-file-size-base
       state.backend.rocksdb.compaction.level.use-dynamic-size state.backend.rocksdb.compaction.style
       state.backend.rocksdb.compression.per.level state.backend.rocksdb.files.open
       state.backend.rocksdb.incremental-restore-async-compact-after-rescale
       state.backend.rocksdb.log.dir state.backend.rocksdb.log.file-num state.backend.rocksdb.log.level
       state.backend.rocksdb.log.max-file-size state.backend.rocksdb.memory.fixed-per-slot
       state.backend.rocksdb.memory.fixed-per-tm state.backend.rocksdb.memory.high-prio-pool-ratio
       state.backend.rocksdb.memory.managed state.backend.rocksdb.memory.partitioned-index-filters
       state.backend.rocksdb.memory.write-buffer-ratio state.backend.rocksdb.metrics.<name>
       state.backend.rocksdb.options-factory state.backend.rocksdb.predefined-options
       state.backend.rocksdb.rescaling.use-delete-files-in-range
       state.backend.rocksdb.restore-overlap-fraction-threshold state.backend.rocksdb.thread.num
       state.backend.rocksdb.timer-service.cache-size state.backend.rocksdb.timer-service.factory
       state.backend.rocksdb.use-bloom-filter state.backend.rocksdb.use-ingest-db-restore-mode
       state.backend.rocksdb.write-batch-size state.backend.rocksdb.writebuffer.count
       state.backend.rocksdb.writebuffer.number-to-merge state.backend.rocksdb.writebuffer.size
       state.changelog.dstl.dfs.base-path state.changelog.dstl.dfs.batch.persist-delay
       state.changelog.dstl.dfs.batch.persist-size-threshold state.changelog.dstl.dfs.compression.enabled
       state.changelog.dstl.dfs.discard.num-threads
       state.changelog.dstl.dfs.download.local-cache.idle-timeout-ms
       state.changelog.dstl.dfs.preemptive-persist-threshold state.changelog.dstl.dfs.upload.buffer-size
       state.changelog.dstl.dfs.upload.max-attempts state.changelog.dstl.dfs.upload.max-in-flight
       state.changelog.dstl.dfs.upload.next-attempt-delay state.changelog.dstl.dfs.upload.num-threads
       state.changelog.dstl.dfs.upload.retry-policy state.changelog.dstl.dfs.upload.timeout
       state.changelog.enabled state.changelog.max-failures-allowed state.changelog.periodic-materialize.enabled
       state.changelog.periodic-materialize.interval state.changelog.storage state.latency-track.history-size
       state.latency-track.keyed-state-enabled state.latency-track.sample-interval
       state.latency-track.state-name-as-variable state.size-track.history-size
       state.size-track.keyed-state-enabled state.size-track.sample-interval
       state.size-track.state-name-as-variable)"},
    {"concerns the JVM, its class loading or its serializers", R"(
       classloader.check-leaked-classloader classloader.fail-on-metaspace-oom-error
       classloader.parent-first-patterns.additional classloader.parent-first-patterns.default
       classloader.resolve-order env.hadoop.conf.dir env.hbase.conf.dir env.java.default-opts.all
       env.java.default-opts.jobmanager env.java.default-opts.taskmanager env.java.home env.java.opts.all
       env.java.opts.client env.java.opts.historyserver env.java.opts.jobmanager env.java.opts.sql-gateway
       env.java.opts.taskmanager env.log.dir env.log.level env.log.max env.pid.dir env.ssh.opts
       env.stdout-err.redirect-to-file env.yarn.conf.dir fs.allowed-fallback-filesystems fs.default-scheme
       fs.output.always-create-directory fs.overwrite-files io.tmp.dirs pipeline.cached-files
       pipeline.classpaths pipeline.closure-cleaner-level pipeline.force-avro pipeline.force-kryo
       pipeline.force-kryo-avro pipeline.generic-types pipeline.jars pipeline.object-reuse
       pipeline.serialization-config python.archives python.client.executable python.executable
       python.execution-mode python.files python.fn-execution.arrow.batch.size python.fn-execution.bundle.size
       python.fn-execution.bundle.time python.fn-execution.memory.managed python.logging.default.level
       python.logging.level.overrides python.map-state.iterate-response-batch-size
       python.map-state.read-cache-size python.map-state.write-cache-size python.metric.enabled
       python.operator-chaining.enabled python.profile.enabled python.pythonpath python.requirements
       python.state.cache-size python.systemenv.enabled)"},
    {"concerns the processes of a Flink cluster", R"(
       application-result-store.delete-on-commit application-result-store.storage-path
       blob.client.connect.timeout blob.client.socket.timeout blob.fetch.backlog blob.fetch.num-concurrent
       blob.fetch.retries blob.offload.minsize blob.server.port blob.service.cleanup.interval
       blob.service.ssl.enabled blob.storage.directory cleanup-strategy.type cluster.id
       cluster.intercept-user-system-exit cluster.io-pool.size cluster.processes.halt-on-fatal-error
       cluster.registration.error-delay cluster.registration.initial-timeout cluster.registration.max-timeout
       cluster.registration.refused-registration-delay cluster.services.shutdown-timeout
       cluster.thread-dump.stacktrace-max-depth cluster.uncaught-exception-handling
       completed-application-store.cache-size completed-application-store.expiration-time
       completed-application-store.max-capacity completed-application-store.type external-resource.<name>.amount
       external-resource.<name>.driver-factory.class external-resource.<name>.param.<param> external-resources
       heartbeat.interval heartbeat.rpc-failure-threshold heartbeat.timeout high-availability.cluster-id
       high-availability.jobmanager.port high-availability.kubernetes.leader-election.lease-duration
       high-availability.kubernetes.leader-election.renew-deadline
       high-availability.kubernetes.leader-election.retry-period high-availability.storageDir
       high-availability.type high-availability.zookeeper.client.acl
       high-availability.zookeeper.client.authorization high-availability.zookeeper.client.connection-timeout
       high-availability.zookeeper.client.ensemble-tracker high-availability.zookeeper.client.max-close-wait
       high-availability.zookeeper.client.max-retry-attempts high-availability.zookeeper.client.max-retry-wait
       high-availability.zookeeper.client.retry-wait high-availability.zookeeper.client.session-timeout
       high-availability.zookeeper.client.simulated-session-expiration-percent
       high-availability.zookeeper.client.tolerate-suspended-connections
       high-availability.zookeeper.path.applications high-availability.zookeeper.path.execution-plans
       high-availability.zookeeper.path.root high-availability.zookeeper.quorum
       historyserver.archive.clean-expired-applications historyserver.archive.clean-expired-jobs
       historyserver.archive.fs.dir historyserver.archive.fs.refresh-interval historyserver.archive.load.mode
       historyserver.archive.retained-applications historyserver.archive.retained-jobs
       historyserver.archive.retained-ttl historyserver.archive.storage.type
       historyserver.lazy.fetch.executor.common.pool-size historyserver.lazy.fetch.executor.individual.pool-size
       historyserver.log.jobmanager.url-pattern historyserver.log.taskmanager.url-pattern
       historyserver.web.address historyserver.web.port historyserver.web.refresh-interval
       historyserver.web.ssl.enabled historyserver.web.tmpdir job-result-store.storage-path
       jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling
       jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout
       jobmanager.adaptive-scheduler.prefer-minimal-taskmanagers
       jobmanager.adaptive-scheduler.rescale-trigger.active-checkpoint.enabled
       jobmanager.adaptive-scheduler.rescale-trigger.max-checkpoint-failures
       jobmanager.adaptive-scheduler.rescale-trigger.max-delay
       jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout
       jobmanager.adaptive-scheduler.submission.resource-wait-timeout jobmanager.archive.fs.dir
       jobmanager.bind-host jobmanager.execution.attempts-history-size jobmanager.execution.failover-strategy
       jobmanager.failure-enrichers jobmanager.future-pool.size jobmanager.io-pool.size
       jobmanager.memory.enable-jvm-direct-memory-limit jobmanager.memory.flink.size jobmanager.memory.heap.size
       jobmanager.memory.jvm-metaspace.size jobmanager.memory.jvm-overhead.fraction
       jobmanager.memory.jvm-overhead.max jobmanager.memory.jvm-overhead.min jobmanager.memory.off-heap.size
       jobmanager.memory.process.size jobmanager.partition.hybrid.partition-data-consume-constraint
       jobmanager.resource-id jobmanager.retrieve-taskmanager-hostname jobmanager.rpc.address
       jobmanager.rpc.bind-port jobmanager.rpc.port jobmanager.scheduler minicluster.number-of-taskmanagers
       pekko.ask.callstack pekko.ask.timeout pekko.client-socket-worker-pool.pool-size-factor
       pekko.client-socket-worker-pool.pool-size-max pekko.client-socket-worker-pool.pool-size-min
       pekko.fork-join-executor.parallelism-factor pekko.fork-join-executor.parallelism-max
       pekko.fork-join-executor.parallelism-min pekko.framesize pekko.jvm-exit-on-fatal-error
       pekko.log.lifecycle.events pekko.lookup.timeout pekko.remote-fork-join-executor.parallelism-factor
       pekko.remote-fork-join-executor.parallelism-max pekko.remote-fork-join-executor.parallelism-min
       pekko.retry-gate-closed-for pekko.server-socket-worker-pool.pool-size-factor
       pekko.server-socket-worker-pool.pool-size-max pekko.server-socket-worker-pool.pool-size-min
       pekko.ssl.enabled pekko.startup-timeout pekko.tcp.timeout pekko.throughput process.jobmanager.working-dir
       process.taskmanager.working-dir process.working-dir resourcemanager.job.timeout
       resourcemanager.previous-worker.recovery.timeout resourcemanager.rpc.port
       resourcemanager.standalone.start-up-time resourcemanager.start-worker.max-failure-rate
       resourcemanager.start-worker.retry-interval resourcemanager.taskmanager-registration.timeout
       resourcemanager.taskmanager-timeout rest.address rest.async.store-duration rest.await-leader-timeout
       rest.bind-address rest.bind-port rest.cache.checkpoint-statistics.size
       rest.cache.checkpoint-statistics.timeout rest.cache.execution-graph.timeout
       rest.client.max-content-length rest.connection-timeout rest.flamegraph.cleanup-interval
       rest.flamegraph.delay-between-samples rest.flamegraph.enabled rest.flamegraph.num-samples
       rest.flamegraph.refresh-interval rest.flamegraph.stack-depth rest.idleness-timeout rest.path rest.port
       rest.profiling.dir rest.profiling.duration-max rest.profiling.enabled rest.profiling.history-size
       rest.retry.delay rest.retry.max-attempts rest.server.max-content-length rest.server.numThreads
       rest.server.thread-priority rest.url-prefix scheduler-mode slot.idle.timeout slot.request.max-interval
       slot.request.timeout slotmanager.max-total-resource.cpu slotmanager.max-total-resource.memory
       slotmanager.min-total-resource.cpu slotmanager.min-total-resource.memory slotmanager.number-of-slots.max
       slotmanager.number-of-slots.min slotmanager.redundant-taskmanager-num task.cancellation.interval
       task.cancellation.timeout task.cancellation.timers.timeout taskmanager.bind-host
       taskmanager.collect-sink.port taskmanager.data.bind-port taskmanager.data.port
       taskmanager.data.ssl.enabled taskmanager.debug.memory.log taskmanager.debug.memory.log-interval
       taskmanager.host taskmanager.jvm-exit-on-oom taskmanager.load-balance.mode taskmanager.log.path
       taskmanager.memory.flink.size taskmanager.memory.framework.heap.size
       taskmanager.memory.framework.off-heap.batch-shuffle.size taskmanager.memory.framework.off-heap.size
       taskmanager.memory.jvm-metaspace.size taskmanager.memory.jvm-overhead.fraction
       taskmanager.memory.jvm-overhead.max taskmanager.memory.jvm-overhead.min
       taskmanager.memory.managed.consumer-weights taskmanager.memory.managed.fraction
       taskmanager.memory.managed.size taskmanager.memory.min-segment-size taskmanager.memory.network.fraction
       taskmanager.memory.network.max taskmanager.memory.network.min 
       taskmanager.memory.segment-size taskmanager.memory.starting-segment-size
       taskmanager.memory.task.heap.size taskmanager.memory.task.off-heap.size
       taskmanager.network.adaptive-partitioner.enabled
       taskmanager.network.adaptive-partitioner.max-traverse-size taskmanager.network.bind-policy
       taskmanager.network.compression.codec taskmanager.network.detailed-metrics
       taskmanager.network.hybrid-shuffle.external-remote-tier-factory.class
       taskmanager.network.hybrid-shuffle.remote.path taskmanager.network.memory.buffer-debloat.enabled
       taskmanager.network.memory.buffer-debloat.period taskmanager.network.memory.buffer-debloat.samples
       taskmanager.network.memory.buffer-debloat.target
       taskmanager.network.memory.buffer-debloat.threshold-percentages
       taskmanager.network.memory.read-buffer.required-per-gate.max
       taskmanager.network.netty.client.connectTimeoutSec taskmanager.network.netty.client.tcp.keepCount
       taskmanager.network.netty.client.tcp.keepIdleSec taskmanager.network.netty.client.tcp.keepIntervalSec
       taskmanager.network.partition-request-timeout taskmanager.network.request-backoff.initial
       taskmanager.network.request-backoff.max taskmanager.network.retries
       taskmanager.network.sort-shuffle.min-buffers taskmanager.network.tcp-connection.enable-reuse-across-jobs
       taskmanager.numberOfTaskSlots taskmanager.registration.timeout taskmanager.resource-id
       taskmanager.rpc.bind-port taskmanager.rpc.port taskmanager.runtime.fs-timeout taskmanager.slot.timeout
       taskmanager.system-out.log.cache-upper-size taskmanager.system-out.log.thread-name.enabled
       taskmanager.system-out.mode user.artifacts.artifact-list user.artifacts.base-dir
       user.artifacts.http-headers user.artifacts.raw-http-enabled web.access-control-allow-origin
       web.adaptive-scheduler.rescale-history.size web.cancel.enable web.checkpoints.history
       web.exception-history-size web.history web.log.path web.refresh-interval web.rescale.enable
       web.submit.enable web.timeout web.tmpdir web.upload.dir)"},
    {"concerns Flink's reporters of metrics, traces and events", R"(
       events.reporter.<name>.<parameter> events.reporter.<name>.factory.class
       events.reporter.<name>.filter.excludes events.reporter.<name>.filter.includes
       events.reporter.<name>.scope.delimiter events.reporter.<name>.scope.variables.additional
       events.reporter.<name>.scope.variables.excludes events.reporters metrics.fetcher.update-interval
       metrics.internal.query-service.port metrics.internal.query-service.thread-priority
       metrics.job.status.enable metrics.latency.granularity metrics.latency.history-size
       metrics.latency.interval metrics.reporter.<name>.<parameter> metrics.reporter.<name>.factory.class
       metrics.reporter.<name>.filter.excludes metrics.reporter.<name>.filter.includes
       metrics.reporter.<name>.interval metrics.reporter.<name>.scope.delimiter
       metrics.reporter.<name>.scope.variables.additional metrics.reporter.<name>.scope.variables.excludes
       metrics.reporter.OpenTelemetry.batch.size metrics.reporter.OpenTelemetry.export-completion-timeout-millis
       metrics.reporter.OpenTelemetry.exporter.compression metrics.reporter.OpenTelemetry.exporter.endpoint
       metrics.reporter.OpenTelemetry.exporter.protocol metrics.reporter.OpenTelemetry.exporter.timeout
       metrics.reporter.OpenTelemetry.service.name metrics.reporter.OpenTelemetry.service.version
       metrics.reporter.OpenTelemetry.transform.attribute-value-length-limits.<attribute-name>
       metrics.reporter.OpenTelemetry.transform.collision-tracking-max-slots
       metrics.reporter.influxdb.connectTimeout metrics.reporter.influxdb.consistency
       metrics.reporter.influxdb.db metrics.reporter.influxdb.host metrics.reporter.influxdb.password
       metrics.reporter.influxdb.port metrics.reporter.influxdb.retentionPolicy metrics.reporter.influxdb.scheme
       metrics.reporter.influxdb.username metrics.reporter.influxdb.writeTimeout
       metrics.reporter.prometheus.allowList metrics.reporter.prometheus.deleteOnShutdown
       metrics.reporter.prometheus.filterLabelValueCharacters metrics.reporter.prometheus.groupingKey
       metrics.reporter.prometheus.hostUrl metrics.reporter.prometheus.jobName
       metrics.reporter.prometheus.password metrics.reporter.prometheus.randomJobNameSuffix
       metrics.reporter.prometheus.username metrics.reporters metrics.scope.delimiter metrics.scope.jm
       metrics.scope.jm-job metrics.scope.jm-operator metrics.scope.operator metrics.scope.task metrics.scope.tm
       metrics.scope.tm-job metrics.system-resource metrics.system-resource-probing-interval
       traces.checkpoint.span-detail-level traces.reporter.<name>.<parameter>
       traces.reporter.<name>.factory.class traces.reporter.<name>.filter.excludes
       traces.reporter.<name>.filter.includes traces.reporter.<name>.scope.delimiter
       traces.reporter.<name>.scope.variables.additional traces.reporter.<name>.scope.variables.excludes
       traces.reporters)"},
    {"concerns a deployment framework or Flink's security set-up", R"(
       external-resource.<name>.kubernetes.config-key external-resource.<name>.yarn.config-key
       flink.hadoop.<key> flink.yarn.<key> kubernetes.artifacts.local-upload-enabled
       kubernetes.artifacts.local-upload-overwrite kubernetes.artifacts.local-upload-target
       kubernetes.client.io-pool.size kubernetes.client.user-agent kubernetes.cluster-id kubernetes.config.file
       kubernetes.container.image.pull-policy kubernetes.container.image.pull-secrets
       kubernetes.container.image.ref kubernetes.context kubernetes.decorator.hadoop-conf-mount.enabled
       kubernetes.decorator.kerberos-mount.enabled kubernetes.entry.path kubernetes.env.secretKeyRef
       kubernetes.flink.conf.dir kubernetes.flink.log.dir kubernetes.hadoop.conf.config-map.name
       kubernetes.hostnetwork.enabled kubernetes.internal-service.annotations kubernetes.internal-service.labels
       kubernetes.jobmanager.annotations kubernetes.jobmanager.cpu.amount kubernetes.jobmanager.cpu.limit-factor
       kubernetes.jobmanager.entrypoint.args kubernetes.jobmanager.labels
       kubernetes.jobmanager.memory.limit-factor kubernetes.jobmanager.node-selector
       kubernetes.jobmanager.owner.reference kubernetes.jobmanager.replicas
       kubernetes.jobmanager.service-account kubernetes.jobmanager.tolerations kubernetes.namespace
       kubernetes.persistent-volume-claim-read-only kubernetes.persistent-volume-claims
       kubernetes.pod-template-file.default kubernetes.pod-template-file.jobmanager
       kubernetes.pod-template-file.taskmanager kubernetes.rest-service.annotations
       kubernetes.rest-service.exposed.node-port-address-type kubernetes.rest-service.exposed.type
       kubernetes.rest-service.labels kubernetes.secrets kubernetes.service-account
       kubernetes.taskmanager.annotations kubernetes.taskmanager.cpu.amount
       kubernetes.taskmanager.cpu.limit-factor kubernetes.taskmanager.entrypoint.args
       kubernetes.taskmanager.labels kubernetes.taskmanager.memory.limit-factor
       kubernetes.taskmanager.node-selector kubernetes.taskmanager.service-account
       kubernetes.taskmanager.tolerations kubernetes.transactional-operation.initial-retry-delay
       kubernetes.transactional-operation.max-retries kubernetes.transactional-operation.max-retry-delay
       security.context.factory.classes security.delegation.token.provider.<name>.enabled
       security.delegation.tokens.enabled security.delegation.tokens.renewal.retry.initial.backoff
       security.delegation.tokens.renewal.retry.max.backoff security.delegation.tokens.renewal.time-ratio
       security.kerberos.access.hadoopFileSystems security.kerberos.krb5-conf.path
       security.kerberos.login.contexts security.kerberos.login.keytab security.kerberos.login.principal
       security.kerberos.login.use-ticket-cache security.kerberos.relogin.period security.module.factory.classes
       security.redaction.additional-keys security.ssl.algorithms security.ssl.internal.cert.fingerprint
       security.ssl.internal.close-notify-flush-timeout security.ssl.internal.enabled
       security.ssl.internal.handshake-timeout security.ssl.internal.key-password security.ssl.internal.keystore
       security.ssl.internal.keystore-password security.ssl.internal.keystore-type
       security.ssl.internal.session-cache-size security.ssl.internal.session-timeout
       security.ssl.internal.truststore security.ssl.internal.truststore-password
       security.ssl.internal.truststore-type security.ssl.protocol security.ssl.provider
       security.ssl.rest.authentication-enabled security.ssl.rest.cert.fingerprint security.ssl.rest.enabled
       security.ssl.rest.key-password security.ssl.rest.keystore security.ssl.rest.keystore-password
       security.ssl.rest.keystore-type security.ssl.rest.truststore security.ssl.rest.truststore-password
       security.ssl.rest.truststore-type security.ssl.rest.verify-hostname
       yarn.application-attempt-failures-validity-interval yarn.application-attempts
       yarn.application-master.port yarn.application.id yarn.application.name yarn.application.node-label
       yarn.application.priority yarn.application.queue yarn.application.type yarn.appmaster.vcores
       yarn.classpath.include-user-jar yarn.container-start-command-template yarn.containers.vcores
       yarn.file-replication yarn.flink-dist-jar yarn.heartbeat.container-request-interval
       yarn.heartbeat.interval yarn.modify.acls yarn.properties-file.location yarn.provided.lib.dirs
       yarn.provided.usrlib.dir yarn.rolled-logs.exclude-pattern yarn.rolled-logs.include-pattern
       yarn.security.appmaster.delegation.token.services yarn.security.kerberos.localized-keytab-path
       yarn.security.kerberos.ship-local-keytab yarn.ship-archives yarn.ship-files yarn.staging-directory
       yarn.tags yarn.taskmanager.node-label yarn.view.acls zookeeper.sasl.disable
       zookeeper.sasl.login-context-name zookeeper.sasl.service-name)"},
};
// clang-format on

struct KeyTable {
  std::vector<std::string_view> keys;  ///< as listed
  std::vector<IgnoredKey> exact;       ///< without placeholders, sorted by key
  std::vector<IgnoredKey> with_placeholder;
};

bool isPlaceholder(std::string_view segment) { return segment == "#" || segment.starts_with('<'); }

void addGroup(KeyTable& table, const IgnoredGroup& group) {
  for (std::string_view rest = group.keys; !rest.empty();) {
    const size_t begin = rest.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    const size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string_view key = rest.substr(0, end);
    table.keys.push_back(key);
    (key.find_first_of("<#") == std::string_view::npos ? table.exact : table.with_placeholder)
        .push_back({key, group.reason});
    rest.remove_prefix(end);
  }
}

const KeyTable& keyTable() {
  static const KeyTable table = [] {
    KeyTable built;
    for (const IgnoredGroup& group : kGroups) addGroup(built, group);
    std::sort(built.exact.begin(), built.exact.end(),
              [](const IgnoredKey& a, const IgnoredKey& b) { return a.key < b.key; });
    return built;
  }();
  return table;
}

/// Takes the text before the next dot off `rest`.
std::string_view takeSegment(std::string_view& rest) {
  const size_t end = std::min(rest.find('.'), rest.size());
  const std::string_view segment = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return segment;
}

/// A placeholder stands for one segment; the last one of a pattern for all that is left.
bool matches(std::string_view pattern, std::string_view key) {
  while (!pattern.empty() && !key.empty()) {
    const std::string_view wanted = takeSegment(pattern);
    if (isPlaceholder(wanted) && pattern.empty()) return true;
    const std::string_view segment = takeSegment(key);
    if (segment.empty() || (!isPlaceholder(wanted) && wanted != segment)) return false;
  }
  return pattern.empty() && key.empty();
}

}  // namespace

std::optional<IgnoredKey> findIgnoredFlinkKey(std::string_view key) {
  const KeyTable& table = keyTable();
  const auto found =
      std::lower_bound(table.exact.begin(), table.exact.end(), key,
                       [](const IgnoredKey& entry, std::string_view wanted) { return entry.key < wanted; });
  if (found != table.exact.end() && found->key == key) return *found;
  for (const IgnoredKey& entry : table.with_placeholder) {
    if (matches(entry.key, key)) return entry;
  }
  return std::nullopt;
}

std::span<const std::string_view> ignoredFlinkKeys() { return keyTable().keys; }

}  // namespace thalweg
