// Everything a program needs: `#include <thalweg/thalweg.h>` and `using namespace thalweg::api;`.
#pragma once

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/async_io.h"
#include "client/api/thalweg/environment.h"
#include "client/api/thalweg/file_sink.h"
#include "client/api/thalweg/file_source.h"
#include "client/api/thalweg/interval_join.h"
#include "client/api/thalweg/joined_streams.h"
#include "client/api/thalweg/types.h"
