// What Flink printed for the programs of flink_programs_test.cc, at parallelism 1; at 4 it printed the same lines.
#include "tests/unit/client/api/flink_answers.h"

namespace thalweg::api {

const char* const kFlinkProgramAnswers = R"(#### value state batch=false
a 1 is number 1
bb 2 is number 1
a 3 is number 2
c 4 is number 1
a 5 is number 3
a 6 is number 4
bb 7 is number 2
a 8 is number 1
a 9 is number 2
#### value state batch=true
a 1 is number 1
a 6 is number 2
a 3 is number 3
a 5 is number 4
a 8 is number 1
a 9 is number 2
c 4 is number 1
bb 2 is number 1
bb 7 is number 2
#### list state batch=false
a [1]
bb [2]
a [1, 3]
c [4]
a [3, 5]
a [5, 6]
bb [2, 7]
a [6, 8]
a [8, 9]
#### list state batch=true
a [1]
a [1, 6]
a [6, 3]
a [3, 5]
a [5, 8]
a [8, 9]
c [4]
bb [2]
bb [2, 7]
#### map state batch=false
a {1=1}
bb {0=2}
a {1=4}
c {0=4}
a {1=9}
a {0=6, 1=9}
bb {0=2, 1=7}
a {0=14}
a {0=14, 1=9}
#### map state batch=true
a {1=1}
a {0=6, 1=1}
a {0=6, 1=4}
a {0=6, 1=9}
a {0=14}
a {0=14, 1=9}
c {0=4}
bb {0=2}
bb {0=2, 1=7}
#### reducing state batch=false
a 1
bb 2
a 13
c 4
a 135
a 1356
bb 27
a 13568
a 135689
#### reducing state batch=true
a 1
a 16
a 163
a 1635
a 16358
a 163589
c 4
bb 2
bb 27
#### aggregating state batch=false
a 1/1
bb 2/1
a 4/2
c 4/1
a 9/3
a 15/4
bb 9/2
a 23/5
a 32/6
#### aggregating state batch=true
a 1/1
a 7/2
a 10/3
a 15/4
a 23/5
a 32/6
c 4/1
bb 2/1
bb 9/2
#### deleted timers batch=false
a at 2000
c at 1900
bb at 2500
a at 4999
a at 7500
bb at 8000
#### deleted timers batch=true
a at 2000
a at 4999
a at 7500
c at 1900
bb at 2500
bb at 8000
#### chained timers batch=false
a at 1100 number 1
bb at 1600 number 1
c at 1000 number 1
c at 3000 number 2
a at 3100 number 2
bb at 3600 number 2
c at 5000 number 3
a at 5100 number 3
bb at 5600 number 3
c at 7000 number 4
a at 7100 number 4
bb at 7600 number 4
#### chained timers batch=true
a at 1100 number 1
c at 1000 number 1
bb at 1600 number 1
#### processing-time timers batch=false
e 1
e 2
e 3
e 4
e 5
e 6
e 7
e 8
e 9
#### processing-time timers batch=true
e 1
e 6
e 3
e 5
e 8
e 9
t a 0 PROCESSING_TIME
t a 1 PROCESSING_TIME
e 4
t c 0 PROCESSING_TIME
e 2
e 7
t bb 0 PROCESSING_TIME
t bb 1 PROCESSING_TIME
#### processing-time windows batch=false
#### processing-time windows batch=true
a 32
c 4
bb 9
#### dynamic sessions batch=false
a [1000,1300) wm=1499: 1
bb [1500,2100) wm=2499: 2
a [2500,3400) wm=3998: 3
a [3999,5499) wm=6999: 5
a [6500,8900) wm=11999: 8
bb [7000,9100) wm=11999: 7
a [12000,14700) wm=9223372036854775807: 9
#### dynamic sessions batch=true
a [1000,3400) wm=9223372036854775807: 1 6 3
a [3999,5499) wm=9223372036854775807: 5
a [6500,8900) wm=9223372036854775807: 8
a [12000,14700) wm=9223372036854775807: 9
c [900,2100) wm=9223372036854775807: 4
bb [1500,2100) wm=9223372036854775807: 2
bb [7000,9100) wm=9223372036854775807: 7
#### tumbling with offset batch=false
a [500,2500) wm=2499: 1
bb [500,2500) wm=2499: 2
a [2500,4500) wm=6999: 3 5
bb [6500,8500) wm=11999: 7
a [6500,8500) wm=11999: 8
a [10500,12500) wm=9223372036854775807: 9
#### tumbling with offset batch=true
a [500,2500) wm=9223372036854775807: 1 6
a [2500,4500) wm=9223372036854775807: 3 5
a [6500,8500) wm=9223372036854775807: 8
a [10500,12500) wm=9223372036854775807: 9
c [500,2500) wm=9223372036854775807: 4
bb [500,2500) wm=9223372036854775807: 2
bb [6500,8500) wm=9223372036854775807: 7
#### sliding aggregate batch=false
1/1
2/1
15/4
4/1
2/1
8/2
7/1
8/1
7/1
8/1
9/1
9/1
#### sliding aggregate batch=true
7/2
15/4
8/2
8/1
8/1
9/1
9/1
4/1
4/1
2/1
2/1
7/1
7/1
#### session reduce batch=false
bb 2 1500
a 15 3999
a 8 6500
bb 7 7000
a 9 12000
#### session reduce batch=true
a 15 3999
a 8 6500
a 9 12000
c 4 900
bb 2 1500
bb 7 7000
#### count trigger in time windows batch=false
a [0,4000) wm=1499: 1 3
a [0,4000) wm=3998: 1 3 5 6
#### count trigger in time windows batch=true
a [0,4000) wm=-9223372036854775808: 1 6
a [0,4000) wm=-9223372036854775808: 1 6 3 5
#### time evictor batch=false
a [0,10000) wm=11999: 8
bb [0,10000) wm=11999: 7
c [0,10000) wm=11999: 4
a [10000,20000) wm=9223372036854775807: 9
#### time evictor batch=true
a [0,10000) wm=9223372036854775807: 8
a [10000,20000) wm=9223372036854775807: 9
c [0,10000) wm=9223372036854775807: 4
bb [0,10000) wm=9223372036854775807: 7
#### delta trigger batch=false
a: 1 3 5
bb: 2 7
a: 1 3 5 6 8 9
#### delta trigger batch=true
a: 1 6
bb: 2 7
#### end of stream trigger batch=false
a: 1 6 3 5 8 9
bb: 2 7
c: 4
#### end of stream trigger batch=true
a: 1 6 3 5 8 9
c: 4
bb: 2 7
#### out of order by 1500 batch=false
a [0,2000) wm=2498: 1
c [0,2000) wm=2498: 4
bb [0,2000) wm=2498: 2
a [2000,4000) wm=5499: 3 5
bb [6000,8000) wm=10499: 7
a [6000,8000) wm=10499: 8
a [12000,14000) wm=9223372036854775807: 9
#### out of order by 1500 batch=true
a [0,2000) wm=9223372036854775807: 1 6
a [2000,4000) wm=9223372036854775807: 3 5
a [6000,8000) wm=9223372036854775807: 8
a [12000,14000) wm=9223372036854775807: 9
c [0,2000) wm=9223372036854775807: 4
bb [0,2000) wm=9223372036854775807: 2
bb [6000,8000) wm=9223372036854775807: 7
#### side outputs batch=false
odd 1
even 2 at 1500
odd 3
even 4 at 900
odd 5
even 6 at 1100
odd 7
even 8 at 6500
odd 9
#### side outputs batch=true
odd 1
even 2 at 1500
odd 3
even 4 at 900
odd 5
even 6 at 1100
odd 7
even 8 at 6500
odd 9
#### own trigger batch=false
a [0,4000) wm=2499: 1 3 5
a [0,4000) wm=3998: 1 3 5 6
bb [4000,8000) wm=3998: 7
a [0,4000) wm=6999: 1 3 5 6
bb [0,4000) wm=6999: 2
c [0,4000) wm=6999: 4
a [4000,8000) wm=6999: 8
a [12000,16000) wm=6999: 9
bb [4000,8000) wm=11999: 7
a [4000,8000) wm=11999: 8
a [12000,16000) wm=9223372036854775807: 9
#### own trigger batch=true
a [0,4000) wm=-9223372036854775808: 1 6
a [0,4000) wm=-9223372036854775808: 1 6 3 5
a [4000,8000) wm=-9223372036854775808: 8
a [12000,16000) wm=-9223372036854775808: 9
a [0,4000) wm=9223372036854775807: 1 6 3 5
a [4000,8000) wm=9223372036854775807: 8
a [12000,16000) wm=9223372036854775807: 9
c [0,4000) wm=9223372036854775807: 4
bb [4000,8000) wm=-9223372036854775808: 7
bb [0,4000) wm=9223372036854775807: 2
bb [4000,8000) wm=9223372036854775807: 7
#### countWindowAll batch=false
all: 1 2 3 4
all: 5 6 7 8
#### countWindowAll batch=true
all: 4 1 6 2
all: 3 5 8 7
#### sliding windowAll batch=false
[-2000,2000): 1 2
[0,4000): 1 2 3 4 5 6
[2000,6000): 3 5
[4000,8000): 7 8
[6000,10000): 7 8
[10000,14000): 9
[12000,16000): 9
#### sliding windowAll batch=true
[-2000,2000): 4 1 6 2
[0,4000): 4 1 6 2 3 5
[2000,6000): 3 5
[4000,8000): 8 7
[6000,10000): 8 7
[10000,14000): 9
[12000,16000): 9
#### late sessions batch=false
a [1000,2000) wm=2499: 1
bb [1500,2500) wm=2499: 2
c [900,1900) wm=2499: 4
a [2500,3500) wm=3998: 3
a [1000,2100) wm=3998: 1 6
a [3999,4999) wm=6999: 5
a [6500,7500) wm=11999: 8
bb [7000,8000) wm=11999: 7
a [12000,13000) wm=9223372036854775807: 9
#### late sessions batch=true
a [1000,2100) wm=9223372036854775807: 1 6
a [2500,3500) wm=9223372036854775807: 3
a [3999,4999) wm=9223372036854775807: 5
a [6500,7500) wm=9223372036854775807: 8
a [12000,13000) wm=9223372036854775807: 9
c [900,1900) wm=9223372036854775807: 4
bb [1500,2500) wm=9223372036854775807: 2
bb [7000,8000) wm=9223372036854775807: 7
#### time of records batch=false
1 at 1000 wm=-9223372036854775808
2 at 1500 wm=999
3 at 2500 wm=1499
4 at 900 wm=2499
5 at 3999 wm=2499
6 at 1100 wm=3998
7 at 7000 wm=3998
8 at 6500 wm=6999
9 at 12000 wm=6999
#### time of records batch=true
1 at 1000 wm=-9223372036854775808
2 at 1500 wm=-9223372036854775808
3 at 2500 wm=-9223372036854775808
4 at 900 wm=-9223372036854775808
5 at 3999 wm=-9223372036854775808
6 at 1100 wm=-9223372036854775808
7 at 7000 wm=-9223372036854775808
8 at 6500 wm=-9223372036854775808
9 at 12000 wm=-9223372036854775808
#### min batch=false
a 1 1000
bb 2 1500
a 1 1000
c 4 900
a 1 1000
a 1 1000
bb 2 1500
a 1 1000
a 1 1000
#### min batch=true
a 1 1000
c 4 900
bb 2 1500
#### maxBy batch=false
a 1 1000
bb 2 1500
a 3 2500
c 4 900
a 5 3999
a 6 1100
bb 7 7000
a 8 6500
a 9 12000
#### maxBy batch=true
a 9 12000
c 4 900
bb 7 7000
#### continuous sliding batch=false
a [0,8000) wm=2499: 1 3
a [-4000,4000) wm=2499: 1 3
bb [-4000,4000) wm=2499: 2
bb [0,8000) wm=2499: 2
c [0,8000) wm=3998: 4
c [-4000,4000) wm=3998: 4
c [-4000,4000) wm=6999: 4
a [-4000,4000) wm=6999: 1 3 5 6
bb [-4000,4000) wm=6999: 2
a [0,8000) wm=6999: 1 3 5 6
c [0,8000) wm=6999: 4
bb [0,8000) wm=6999: 2 7
a [0,8000) wm=6999: 1 3 5 6
c [0,8000) wm=6999: 4
bb [0,8000) wm=6999: 2 7
a [0,8000) wm=11999: 1 3 5 6 8
bb [0,8000) wm=11999: 2 7
c [0,8000) wm=11999: 4
bb [4000,12000) wm=11999: 7
a [4000,12000) wm=11999: 8
bb [4000,12000) wm=11999: 7
a [4000,12000) wm=11999: 8
bb [4000,12000) wm=11999: 7
a [4000,12000) wm=11999: 8
a [12000,20000) wm=9223372036854775807: 9
a [8000,16000) wm=9223372036854775807: 9
a [8000,16000) wm=9223372036854775807: 9
a [12000,20000) wm=9223372036854775807: 9
a [12000,20000) wm=9223372036854775807: 9
a [12000,20000) wm=9223372036854775807: 9
#### continuous sliding batch=true
a [0,8000) wm=9223372036854775807: 1 6 3 5 8
a [-4000,4000) wm=9223372036854775807: 1 6 3 5
a [-4000,4000) wm=9223372036854775807: 1 6 3 5
a [0,8000) wm=9223372036854775807: 1 6 3 5 8
a [4000,12000) wm=9223372036854775807: 8
a [4000,12000) wm=9223372036854775807: 8
a [12000,20000) wm=9223372036854775807: 9
a [8000,16000) wm=9223372036854775807: 9
a [8000,16000) wm=9223372036854775807: 9
a [12000,20000) wm=9223372036854775807: 9
c [0,8000) wm=9223372036854775807: 4
c [-4000,4000) wm=9223372036854775807: 4
c [-4000,4000) wm=9223372036854775807: 4
c [0,8000) wm=9223372036854775807: 4
bb [0,8000) wm=9223372036854775807: 2 7
bb [-4000,4000) wm=9223372036854775807: 2
bb [-4000,4000) wm=9223372036854775807: 2
bb [0,8000) wm=9223372036854775807: 2 7
bb [4000,12000) wm=9223372036854775807: 7
bb [4000,12000) wm=9223372036854775807: 7
#### keys of keys batch=false
1
2
0
2
4
0
3
6
0
#### keys of keys batch=true
0
3
6
#### window of windows batch=false
[0,4000): 1 2 8
[4000,8000): 7 8
[12000,16000): 9
#### window of windows batch=true
[0,4000): 7 4 2 8
[4000,8000): 8 7
[12000,16000): 9
)";

}  // namespace thalweg::api
