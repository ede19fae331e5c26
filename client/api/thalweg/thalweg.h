// Everything a program needs: `#include <thalweg/thalweg.h>` and `using namespace thalweg::api;`.
#pragma once

#include "client/api/thalweg/environment.h"
