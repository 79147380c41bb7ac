// SPDX-License-Identifier: MIT
// Gears of a pbtxt whose sizes are numbers: one error, though there are two gears.
// fault: symbol_is_unknown
// expect: symbol_is_unknown
// expect: expected<[^"]*"a text with symbols"
// expect: found<[^"]*"s0"
#include <ahead/dynamic/gears/compiled_gears.hpp>
#include <ahead/frontend/pbtxt/pbtxt.hpp>

struct net {
    using importer = ahead::pbtxt_importer;
    static constexpr char text[] = R"pb(node {
  name: "x"
  op: "Placeholder"
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 )pb"
#ifndef REJECT
                                   "name: \"s0\""
#endif
                                   R"pb( } dim { size: 3 } } } } }
  attr { key: "_output_types" value { list { type: DT_FLOAT } } }
}
node {
  name: "relu"
  op: "aten.relu.default"
  input: "x"
  attr { key: "self" value { placeholder: "0" } }
}
node {
  name: "output"
  op: "NetOutput"
  input: "relu"
  attr { key: "arg0" value { placeholder: "0" } }
}
)pb";
};
static_assert(sizeof(ahead::compiled_gears<net, ahead::gears<"s0", 2, 8>>) > 0);
