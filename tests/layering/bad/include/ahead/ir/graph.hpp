#include "../frontend/handles/trace.hpp"
