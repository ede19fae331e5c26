// Article on watermarks, 003: a stream of beans as a table, with its watermarks, with new ones, and with new ones over the
// records' timestamps. The lines come from a socket: 003_watermark_choices PORT.
#include <iostream>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

struct Nan {
  std::optional<std::string> xing;
  std::optional<std::string> name;
  std::optional<int64_t> ts;
};
BOOST_DESCRIBE_STRUCT(Nan, (), (xing, name, ts))

int main(int, char** argv) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(1);
  auto tenv = StreamTableEnvironment::create(env);
  auto sourceNan = env.socketTextStream("localhost", std::stoi(argv[1]));

  auto beanNan = sourceNan
                     .flatMap([](const std::string& s, Collector<Nan>& out) {   // what cannot be parsed is left out
                       const size_t first = s.find(',');
                       const size_t second = s.find(',', first + 1);
                       if (second == std::string::npos) return;
                       out.collect({s.substr(0, 1), s.substr(first + 1, second - first - 1), std::stoll(s.substr(second + 1))});
                     })
                     .assignTimestampsAndWatermarks(
                         WatermarkStrategy<Nan>::forMonotonousTimestamps().withTimestampAssigner([](const Nan& nan, int64_t) { return *nan.ts; }));

  // 1: adopt the stream's watermark; as written, its column is not in the schema
  try {
    tenv.createTemporaryView("nan", beanNan,
                             Schema::newBuilder()
                                 .column("xing", DataTypes::STRING())
                                 .column("name", DataTypes::STRING())
                                 .column("ts", DataTypes::TIMESTAMP_LTZ(3))
                                 .watermark("rt", "source_watermark()")
                                 .build());
  } catch (const ValidationException& refused) {
    std::cout << refused.what() << '\n';
  }

  // 2: define the watermark anew; as written, there is no such field
  try {
    tenv.createTemporaryView("nan", beanNan,
                             Schema::newBuilder()
                                 .column("xing", DataTypes::STRING())
                                 .column("name", DataTypes::STRING())
                                 .column("rt", DataTypes::BIGINT())
                                 .watermark("rt", "rt - interval '1' second")
                                 .build());
  } catch (const ValidationException& refused) {
    std::cout << refused.what() << '\n';
  }

  // 3: a watermark over the built-in attribute rowtime
  tenv.createTemporaryView("nan1", beanNan,
                           Schema::newBuilder()
                               .column("xing", DataTypes::STRING())
                               .column("name", DataTypes::STRING())
                               .column("ts", DataTypes::BIGINT())
                               .columnByMetadata("rt", DataTypes::TIMESTAMP_LTZ(3), "rowtime")
                               .watermark("rt", "rt - interval '1' second")
                               .build());
  tenv.from("nan1").printSchema();
  tenv.executeSql("select *,current_watermark(rt) from nan1").print();

  // 1 as it was meant
  tenv.createTemporaryView("nan", beanNan,
                           Schema::newBuilder()
                               .columnByMetadata("rt", DataTypes::TIMESTAMP_LTZ(3), "rowtime")
                               .watermark("rt", "source_watermark()")
                               .build());
  tenv.from("nan").printSchema();
  tenv.executeSql("select *,current_watermark(rt) as wm from nan").print();
}
