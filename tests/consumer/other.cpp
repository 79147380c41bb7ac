// The second translation unit: linking both shows that no header defines anything twice.
#include <ahead/version.hpp>
#if __has_include(<ahead/ahead.hpp>)
#include <ahead/ahead.hpp>
#endif

#include "model_weights.hpp"

const void* weights_seen_elsewhere() { return model_weights().data(); }
int version_seen_elsewhere() { return ahead::version_major; }
