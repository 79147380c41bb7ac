#include <ahead/pass/fold.hpp>
