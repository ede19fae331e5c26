#include "tests/unit/client/api/flink_answers.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace thalweg::api {
namespace {

constexpr const char* kAnswers = R"(
#### batch int keys
-300
-1
128
255
0
1
3
127
256
300
#### batch long keys
-1
128
1
3
127
300
#### batch string keys

é
A
a
b+b
aa
zz
#### batch double keys
-1.0
0.0
2.5
100.0
#### process timers batch=false
e (a,1,1000) wm=-9223372036854775808
t a 100 ts=100 wm=999
e (bb,2,1500) wm=999
t bb 100 ts=100 wm=1499
e (a,3,2500) wm=1499
t a 100 ts=100 wm=2499
t a 1500 ts=1500 wm=2499
t bb 2000 ts=2000 wm=2499
e (c,4,900) wm=2499
e (a,5,3999) wm=2499
t c 100 ts=100 wm=3998
t a 100 ts=100 wm=3998
t c 1400 ts=1400 wm=3998
t a 3000 ts=3000 wm=3998
e (a,6,1100) wm=3998
e (bb,7,7000) wm=3998
t a 100 ts=100 wm=6999
t bb 100 ts=100 wm=6999
t a 1600 ts=1600 wm=6999
t a 4499 ts=4499 wm=6999
e (a,8,6500) wm=6999
e (a,9,12000) wm=6999
t a 100 ts=100 wm=11999
t a 7000 ts=7000 wm=11999
t bb 7500 ts=7500 wm=11999
t a 12500 ts=12500 wm=9223372036854775807
#### tumbling batch=false
a [0,2000) wm=2499: 1
bb [0,2000) wm=2499: 2
a [2000,4000) wm=6999: 3 5
bb [6000,8000) wm=11999: 7
a [6000,8000) wm=11999: 8
a [12000,14000) wm=9223372036854775807: 9
#### sliding batch=false
a [-2000,2000) wm=2499: 1
bb [-2000,2000) wm=2499: 2
a [0,4000) wm=6999: 1 3 5 6
c [0,4000) wm=6999: 4
bb [0,4000) wm=6999: 2
a [2000,6000) wm=6999: 3 5
bb [4000,8000) wm=11999: 7
a [4000,8000) wm=11999: 8
bb [6000,10000) wm=11999: 7
a [6000,10000) wm=11999: 8
a [10000,14000) wm=9223372036854775807: 9
a [12000,16000) wm=9223372036854775807: 9
#### session batch=false
bb [1500,3000) wm=3998: 2
a [1000,5499) wm=6999: 1 3 5 6
a [6500,8000) wm=11999: 8
bb [7000,8500) wm=11999: 7
a [12000,13500) wm=9223372036854775807: 9
#### lateness batch=false
main> a [0,2000) wm=2499: 1
main> bb [0,2000) wm=2499: 2
main> c [0,2000) wm=2499: 4
main> a [0,2000) wm=3998: 1 6
main> a [2000,4000) wm=6999: 3 5
main> bb [6000,8000) wm=11999: 7
main> a [6000,8000) wm=11999: 8
main> a [12000,14000) wm=9223372036854775807: 9
#### global count trigger batch=false
a: 1 3
a: 1 3 5 6
bb: 2 7
a: 1 3 5 6 8 9
#### countWindow(2) batch=false
(a,4,2500)
(a,11,1100)
(bb,9,7000)
(a,17,12000)
#### countWindow(3,2) batch=false
a: 1 3
a: 3 5 6
bb: 2 7
a: 6 8 9
#### continuous trigger batch=false
a [0,10000) wm=2499: 1 3
bb [0,10000) wm=2499: 2
c [0,10000) wm=3998: 4
bb [0,10000) wm=6999: 2 7
c [0,10000) wm=6999: 4
a [0,10000) wm=6999: 1 3 5 6
c [0,10000) wm=6999: 4
a [0,10000) wm=6999: 1 3 5 6
bb [0,10000) wm=6999: 2 7
a [0,10000) wm=11999: 1 3 5 6 8
c [0,10000) wm=11999: 4
bb [0,10000) wm=11999: 2 7
bb [0,10000) wm=11999: 2 7
c [0,10000) wm=11999: 4
a [0,10000) wm=11999: 1 3 5 6 8
a [10000,20000) wm=9223372036854775807: 9
a [10000,20000) wm=9223372036854775807: 9
a [10000,20000) wm=9223372036854775807: 9
a [10000,20000) wm=9223372036854775807: 9
#### purging count batch=false
a [0,10000) wm=1499: 1 3
a [0,10000) wm=3998: 5 6
bb [0,10000) wm=3998: 2 7
#### count evictor batch=false
a [0,10000) wm=11999: 6 8
bb [0,10000) wm=11999: 2 7
c [0,10000) wm=11999: 4
a [10000,20000) wm=9223372036854775807: 9
#### windowAll batch=false
(abbacaa,21,1100)
(bba,15,6500)
(a,9,12000)
#### window join batch=false
a11
a13
a15
a16
a31
a33
a35
a36
a51
a53
a55
a56
a61
a63
a65
a66
bb22
c44
bb77
a88
a99
#### coGroup batch=false
a1 a3 a5 a6 | a6
bb2 | bb2
c4 | c4
bb7 |
a8 | a8
a9 |
#### sum batch=false
(a,1,1000)
(bb,2,1500)
(a,4,1000)
(c,4,900)
(a,9,1000)
(a,15,1000)
(bb,9,1500)
(a,23,1000)
(a,32,1000)
#### max batch=false
(a,1,1000)
(bb,2,1500)
(a,3,1000)
(c,4,900)
(a,5,1000)
(a,6,1000)
(bb,7,1500)
(a,8,1000)
(a,9,1000)
#### minBy batch=false
(a,1,1000)
(bb,2,1500)
(a,1,1000)
(c,4,900)
(a,1,1000)
(a,1,1000)
(bb,2,1500)
(a,1,1000)
(a,1,1000)
#### process timers batch=true
e (a,1,1000) wm=-9223372036854775808
e (a,6,1100) wm=-9223372036854775808
e (a,3,2500) wm=-9223372036854775808
e (a,5,3999) wm=-9223372036854775808
e (a,8,6500) wm=-9223372036854775808
e (a,9,12000) wm=-9223372036854775808
t a 100 ts=100 wm=9223372036854775807
t a 1500 ts=1500 wm=9223372036854775807
t a 1600 ts=1600 wm=9223372036854775807
t a 3000 ts=3000 wm=9223372036854775807
t a 4499 ts=4499 wm=9223372036854775807
t a 7000 ts=7000 wm=9223372036854775807
t a 12500 ts=12500 wm=9223372036854775807
e (c,4,900) wm=-9223372036854775808
t c 100 ts=100 wm=9223372036854775807
t c 1400 ts=1400 wm=9223372036854775807
e (bb,2,1500) wm=-9223372036854775808
e (bb,7,7000) wm=-9223372036854775808
t bb 100 ts=100 wm=9223372036854775807
t bb 2000 ts=2000 wm=9223372036854775807
t bb 7500 ts=7500 wm=9223372036854775807
#### tumbling batch=true
a [0,2000) wm=9223372036854775807: 1 6
a [2000,4000) wm=9223372036854775807: 3 5
a [6000,8000) wm=9223372036854775807: 8
a [12000,14000) wm=9223372036854775807: 9
c [0,2000) wm=9223372036854775807: 4
bb [0,2000) wm=9223372036854775807: 2
bb [6000,8000) wm=9223372036854775807: 7
#### sliding batch=true
a [-2000,2000) wm=9223372036854775807: 1 6
a [0,4000) wm=9223372036854775807: 1 6 3 5
a [2000,6000) wm=9223372036854775807: 3 5
a [4000,8000) wm=9223372036854775807: 8
a [6000,10000) wm=9223372036854775807: 8
a [10000,14000) wm=9223372036854775807: 9
a [12000,16000) wm=9223372036854775807: 9
c [-2000,2000) wm=9223372036854775807: 4
c [0,4000) wm=9223372036854775807: 4
bb [-2000,2000) wm=9223372036854775807: 2
bb [0,4000) wm=9223372036854775807: 2
bb [4000,8000) wm=9223372036854775807: 7
bb [6000,10000) wm=9223372036854775807: 7
#### session batch=true
a [1000,5499) wm=9223372036854775807: 1 6 3 5
a [6500,8000) wm=9223372036854775807: 8
a [12000,13500) wm=9223372036854775807: 9
c [900,2400) wm=9223372036854775807: 4
bb [1500,3000) wm=9223372036854775807: 2
bb [7000,8500) wm=9223372036854775807: 7
#### lateness batch=true
main> a [0,2000) wm=9223372036854775807: 1 6
main> a [2000,4000) wm=9223372036854775807: 3 5
main> a [6000,8000) wm=9223372036854775807: 8
main> a [12000,14000) wm=9223372036854775807: 9
main> c [0,2000) wm=9223372036854775807: 4
main> bb [0,2000) wm=9223372036854775807: 2
main> bb [6000,8000) wm=9223372036854775807: 7
#### global count trigger batch=true
a: 1 6
a: 1 6 3 5
a: 1 6 3 5 8 9
bb: 2 7
#### countWindow(2) batch=true
(a,7,1100)
(a,8,3999)
(a,17,12000)
(bb,9,7000)
#### countWindow(3,2) batch=true
a: 1 6
a: 6 3 5
a: 5 8 9
bb: 2 7
#### continuous trigger batch=true
a [0,10000) wm=9223372036854775807: 1 6 3 5 8
a [0,10000) wm=9223372036854775807: 1 6 3 5 8
a [10000,20000) wm=9223372036854775807: 9
a [10000,20000) wm=9223372036854775807: 9
c [0,10000) wm=9223372036854775807: 4
c [0,10000) wm=9223372036854775807: 4
bb [0,10000) wm=9223372036854775807: 2 7
bb [0,10000) wm=9223372036854775807: 2 7
#### purging count batch=true
a [0,10000) wm=-9223372036854775808: 1 6
a [0,10000) wm=-9223372036854775808: 3 5
bb [0,10000) wm=-9223372036854775808: 2 7
#### count evictor batch=true
a [0,10000) wm=9223372036854775807: 5 8
a [10000,20000) wm=9223372036854775807: 9
c [0,10000) wm=9223372036854775807: 4
bb [0,10000) wm=9223372036854775807: 2 7
#### windowAll batch=true
(caabbaa,21,3999)
(abb,15,7000)
(a,9,12000)
#### interval join batch=true
a 1 1 ts=1000
a 1 6 ts=1100
a 6 1 ts=1100
a 6 6 ts=1100
a 1 3 ts=2500
a 6 3 ts=2500
a 3 3 ts=2500
a 3 5 ts=3999
a 5 5 ts=3999
a 8 8 ts=6500
a 9 9 ts=12000
c 4 4 ts=900
bb 2 2 ts=1500
bb 7 7 ts=7000
#### window join batch=true
a11
a16
a13
a15
a61
a66
a63
a65
a31
a36
a33
a35
a51
a56
a53
a55
a88
a99
c44
bb22
bb77
#### coGroup batch=true
a1 a6 a3 a5 | a6
a8 | a8
a9 |
c4 | c4
bb2 | bb2
bb7 |
#### sum batch=true
(a,32,1000)
(c,4,900)
(bb,9,1500)
#### max batch=true
(a,9,1000)
(c,4,900)
(bb,7,1500)
#### minBy batch=true
(a,1,1000)
(c,4,900)
(bb,2,1500)
)";

}  // namespace

std::vector<std::string> flinkAnswer(const std::string& name) {
  std::istringstream in(std::string(kAnswers) + kFlinkProgramAnswers);
  std::vector<std::string> lines;
  bool here = false;
  bool found = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("#### ", 0) == 0) {
      here = line.substr(5) == name;
      found = found || here;
    } else if (here) {
      lines.push_back(line);
    }
  }
  if (!found) throw std::invalid_argument("Flink was not asked about '" + name + "'");
  return lines;
}

std::vector<std::string> settled(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    if (const size_t mark = line.find(" wm="); mark != std::string::npos) line.erase(mark, line.find_first_of(": ", mark + 4) - mark);
    if (const size_t colon = line.rfind(": "); colon != std::string::npos) std::sort(line.begin() + static_cast<std::ptrdiff_t>(colon), line.end());
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace thalweg::api
