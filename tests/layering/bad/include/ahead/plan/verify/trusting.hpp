#include <ahead/plan/phase/assign_offsets.hpp>
