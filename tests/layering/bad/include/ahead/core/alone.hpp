#include <vector>
namespace ahead::detail {
}
