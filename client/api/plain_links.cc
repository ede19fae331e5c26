#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/stream_link.h"

namespace thalweg::api {

THALWEG_PLAIN_LINKS(, std::string)
THALWEG_PLAIN_LINKS(, int32_t)
THALWEG_PLAIN_LINKS(, int64_t)
THALWEG_PLAIN_LINKS(, double)

}  // namespace thalweg::api
