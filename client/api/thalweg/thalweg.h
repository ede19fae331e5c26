// Everything a program needs: `#include <thalweg/thalweg.h>` and `using namespace thalweg::api;`.
#pragma once

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/environment.h"
