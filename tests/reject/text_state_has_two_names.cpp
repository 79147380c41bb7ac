// SPDX-License-Identifier: MIT
// A graph that writes a weight and reads it by a second name, too: which value would that be?
// fault: state_has_two_names
// expect: in_operator<[^"]*"output"
// expect: in_tensor<[^"]*"counter"
// expect: one input of this weight
// expect: found<[^"]*"counter_1"
#include <ahead/ahead.hpp>

using namespace ahead;

struct counted {
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %counter : [num_users=1] = get_attr[target=counter]
    %add_ : [num_users=1] = call_function[target=torch.ops.aten.add_.Tensor](args = (%counter, 1), kwargs = {})
)fx"
#ifdef REJECT
                                             "    %counter_1 : [num_users=1] = get_attr[target=counter]\n"
#else
                                             "    %counter_1 : [num_users=1] = get_attr[target=other]\n"
#endif
                                             R"fx(    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%counter_1, %x), kwargs = {})
    return (mul, add_))fx";
    static constexpr fx_input inputs[] = {{.placeholder = "x", .type = "f32[3]"},
                                          {.placeholder = "counter", .type = "f32[]"},
                                          {.placeholder = "counter_1", .type = "f32[]"}};
};
static_assert(sizeof(compiled<fx<counted>>) > 0);
