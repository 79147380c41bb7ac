// SPDX-License-Identifier: MIT
// libtorch's side of whole models: a text that PyTorch printed, read into calls of its dispatcher. What depends on
// weights alone is computed ahead, and what is scaled or shifted by channels behind a convolution becomes part of its
// weight and bias, as libtorch's own freezing does. Each result is dropped where it is read last.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/api/include/torch/version.h>

#include <cstdlib>
#include <map>

#include <peers/libtorch.hpp>

#include "read_text.hpp"
#include "whole.hpp"

namespace bench {

namespace {

using c10::IValue;

bool is_real(const std::string& number) { return number.find_first_of(".en") != std::string::npos; }

class text_net {
public:
    text_net(std::string_view text, const row_tensors& t) {
        at::set_num_threads(threads);
        const c10::InferenceMode inference;
        statements_ = read_text(text);
        for (const auto& s : statements_) count_uses(s.arguments);
        take_tensors(text, t);
        for (const auto& s : statements_) take(s);
        std::vector<bool> seen(values_.size(), true); // or given, or a result: what is not to be dropped
        for (const auto& step : steps_) seen[static_cast<std::size_t>(step.out)] = false;
        for (int r : results_) seen[static_cast<std::size_t>(r)] = true;
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
            for (int slot : step->slots)
                if (!seen[static_cast<std::size_t>(slot)]) {
                    seen[static_cast<std::size_t>(slot)] = true;
                    step->dropped.push_back(slot);
                }
    }
    void operator()() {
        const c10::InferenceMode inference;
        for (const auto& step : steps_) {
            values_[static_cast<std::size_t>(step.out)] = step.run(values_);
            for (int slot : step.dropped)
                if (slot != step.out) values_[static_cast<std::size_t>(slot)] = IValue();
        }
    }
    std::vector<float> outputs() const {
        const c10::InferenceMode inference;
        std::vector<float> all;
        for (int r : results_) {
            const auto plain = values_[static_cast<std::size_t>(r)].toTensor().to(at::kFloat).contiguous();
            all.insert(all.end(), plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
        }
        return all;
    }

private:
    using values = std::vector<IValue>;
    struct step {
        std::function<IValue(const values&)> run;
        int out;
        std::vector<int> slots, dropped;
    };
    struct convolution {
        int weight, bias;
    };

    void count_uses(const std::vector<word>& words) {
        for (const auto& w : words) {
            if (w.is == word::kind::list) count_uses(w.parts);
            else ++uses_[w.text];
        }
    }
    int slot(IValue value, bool constant) {
        values_.push_back(std::move(value));
        constant_.push_back(constant);
        return static_cast<int>(values_.size()) - 1;
    }
    int find(const std::string& name) const {
        const auto known = names_.find(name);
        if (known == names_.end()) refuse("no " + name);
        return known->second;
    }
    /// The placeholders, with the sizes that the signature says.
    void take_tensors(std::string_view text, const row_tensors& t) {
        const auto from = text.find("def forward(self, ") + 18;
        auto rest = text.substr(from, text.find('\n', from) - from);
        const net given{t};
        std::size_t inputs = 0;
        for (auto colon = rest.find(": \""); colon != std::string_view::npos; colon = rest.find(": \"")) {
            const std::string name(rest.substr(0, colon));
            const auto open = rest.find('[', colon), close = rest.find(']', colon);
            const auto type = rest.substr(colon + 3, open - colon - 3);
            std::vector<std::int64_t> sizes;
            for (auto at = open + 1; at < close; at = rest.find_first_of(",]", at) + 1)
                sizes.push_back(std::atoll(std::string(rest.substr(at, close - at)).c_str()));
            bool weight = false;
            for (const auto& [known, elements] : t.weights) weight |= known == name;
            auto tensor = weight ? given.weight(name, sizes) : given.input(inputs++, sizes);
            if (type != "f32") tensor = tensor.to(element_type(std::string(type)));
            names_[name] = slot(tensor, weight);
            rest.remove_prefix(std::min(close + 4, rest.size())); // ]",
        }
    }

    /// What a word is where the schema wants this type; slots: what it reads.
    std::function<IValue(const values&)> argument(const word& w, const c10::TypePtr& type, std::vector<int>& slots) {
        if (const auto optional = type->cast<c10::OptionalType>()) {
            if (w.text == "None") return [](const values&) { return IValue(); };
            return argument(w, optional->getElementType(), slots);
        }
        const auto always = [](IValue v) { return [v](const values&) { return v; }; };
        if (w.is == word::kind::list) {
            const auto element = type->cast<c10::ListType>()->getElementType();
            if (element->kind() == c10::TypeKind::FloatType) {
                c10::List<double> all;
                for (const auto& part : w.parts) all.push_back(std::atof(part.text.c_str()));
                return always(all);
            }
            if (element->kind() == c10::TypeKind::BoolType) {
                c10::List<bool> all;
                for (const auto& part : w.parts) all.push_back(part.text == "True");
                return always(all);
            }
            if (w.parts.empty() || w.parts[0].is == word::kind::number) {
                c10::List<std::int64_t> all;
                for (const auto& part : w.parts) all.push_back(std::atoll(part.text.c_str()));
                return always(all);
            }
            std::vector<int> from;
            for (const auto& part : w.parts) from.push_back(part.text == "None" ? -1 : find(part.text));
            for (int f : from)
                if (f >= 0) slots.push_back(f);
            if (element->cast<c10::OptionalType>())
                return [from](const values& v) {
                    c10::List<c10::optional<Tensor>> all;
                    for (int f : from)
                        all.push_back(f < 0 ? c10::optional<Tensor>() : v[static_cast<std::size_t>(f)].toTensor());
                    return IValue(all);
                };
            return [from](const values& v) {
                c10::List<Tensor> all;
                for (int f : from) all.push_back(v[static_cast<std::size_t>(f)].toTensor());
                return IValue(all);
            };
        }
        if (w.is == word::kind::number) {
            const c10::Scalar number = is_real(w.text)
                                           ? c10::Scalar(std::atof(w.text.c_str()))
                                           : c10::Scalar(static_cast<std::int64_t>(std::atoll(w.text.c_str())));
            if (type->kind() == c10::TypeKind::TensorType) {
                auto wrapped = at::scalar_tensor(number, number.isFloatingPoint() ? at::kDouble : at::kLong);
                wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
                return always(wrapped);
            }
            if (type->kind() == c10::TypeKind::FloatType) return always(number.toDouble());
            return always(number);
        }
        if (w.is == word::kind::string) return always(w.text);
        if (w.text == "True" || w.text == "False") return always(w.text == "True");
        if (w.text == "torch.contiguous_format") return always(static_cast<std::int64_t>(at::MemoryFormat::Contiguous));
        if (w.text.rfind("torch.", 0) == 0) return always(static_cast<std::int64_t>(element_type(w.text)));
        const int from = find(w.text);
        slots.push_back(from);
        return [from](const values& v) { return v[static_cast<std::size_t>(from)]; };
    }
    static at::ScalarType element_type(const std::string& name) {
        if (name == "torch.float32") return at::kFloat;
        if (name == "torch.float16" || name == "f16") return at::kHalf;
        if (name == "torch.bfloat16" || name == "bf16") return at::kBFloat16;
        if (name == "torch.int64" || name == "i64") return at::kLong;
        if (name == "torch.int8" || name == "i8") return at::kChar;
        if (name == "torch.bool" || name == "b8") return at::kBool;
        refuse(name);
    }

    /// Adds the step, or, where it reads constants alone, its result.
    void add(const std::string& name, step s) {
        bool constant = true;
        for (int read : s.slots) constant &= constant_[static_cast<std::size_t>(read)];
        s.out = names_[name] = slot(constant ? s.run(values_) : IValue(), constant);
        if (!constant) steps_.push_back(std::move(s));
    }
    void take(const statement& s) {
        const auto& a = s.arguments;
        if (s.target == "return") {
            for (const auto& result : a) results_.push_back(find(result.text));
        } else if (s.target.empty()) {
            const int from = find(a[0].text);
            const auto index = static_cast<std::size_t>(std::atoll(a[1].text.c_str()));
            add(s.out, {[=](const values& v) -> IValue {
                            const auto& all = v[static_cast<std::size_t>(from)];
                            if (all.isTuple()) return all.toTupleRef().elements()[index];
                            return all.toTensorVector()[index];
                        },
                        0,
                        {from},
                        {}});
        } else if (s.target == "torch.ops.prims.iota.default") {
            names_[s.out] = slot(at::arange(static_cast<std::int64_t>(std::atoll(a[0].text.c_str())), at::kLong), true);
        } else if (s.target == "torch.ops.prims.convert_element_type.default") {
            const int from = find(a[0].text);
            const auto type = element_type(a[1].text);
            add(s.out, {[=](const values& v) { return v[static_cast<std::size_t>(from)].toTensor().to(type); },
                        0,
                        {from},
                        {}});
        } else if (s.target == "torch.ops.aten._scaled_dot_product_efficient_attention.default") {
            const int q = find(a[0].text), k = find(a[1].text), v = find(a[2].text);
            if (a[3].text != "None") refuse("a mask");
            add(s.out, {[=](const values& all) {
                            const auto of = [&](int i) { return all[static_cast<std::size_t>(i)].toTensor(); };
                            auto scores = at::matmul(of(q), of(k).transpose(-2, -1));
                            scores.mul_(1 / std::sqrt(static_cast<double>(of(q).size(-1))));
                            return IValue(c10::ivalue::Tuple::create({at::matmul(at::softmax(scores, -1), of(v))}));
                        },
                        0,
                        {q, k, v},
                        {}});
        } else if (!fold(s)) {
            call(s);
        }
    }
    void call(const statement& s) {
        auto target = s.target.substr(std::strlen("torch.ops.aten."));
        const auto dot = target.find('.');
        auto name = target.substr(0, dot), overload = target.substr(dot + 1);
        if (name == "view") name = "reshape"; // its inputs may have other strides than in the text
        if (name == "_unsafe_index") name = "index";
        const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(("aten::" + name).c_str(),
                                                                       overload == "default" ? "" : overload.c_str());
        const auto& schema = op.schema();
        std::vector<std::function<IValue(const values&)>> given(schema.arguments().size());
        step next;
        std::size_t position = 0;
        for (const auto& w : s.arguments) {
            auto at = w.key.empty() ? position++ : given.size();
            for (std::size_t i = 0; i < given.size() && at == given.size(); ++i)
                if (schema.arguments()[i].name() == w.key) at = i;
            if (at == given.size()) refuse(s.target + " " + w.key);
            given[at] = argument(w, schema.arguments()[at].type(), next.slots);
        }
        for (std::size_t i = 0; i < given.size(); ++i)
            if (!given[i]) given[i] = [v = *schema.arguments()[i].default_value()](const values&) { return v; };
        next.run = [op, given](const values& v) -> IValue {
            std::vector<IValue> stack;
            stack.reserve(given.size());
            for (const auto& one : given) stack.push_back(one(v));
            op.callBoxed(stack);
            if (stack.size() == 1) return stack[0];
            return c10::ivalue::Tuple::create(std::move(stack));
        };
        const bool convolves = name == "convolution" && s.arguments[6].text == "False";
        const auto weight = convolves ? find(s.arguments[1].text) : 0;
        if (!convolves || !constant_[static_cast<std::size_t>(weight)]) return add(s.out, std::move(next));
        const auto w = values_[static_cast<std::size_t>(weight)].toTensor();
        const auto bias = s.arguments[2].text == "None"
                              ? at::zeros({w.size(0)})
                              : values_[static_cast<std::size_t>(find(s.arguments[2].text))].toTensor();
        const convolution own{slot(w, true), slot(bias, true)};
        given[1] = [own](const values& v) { return v[static_cast<std::size_t>(own.weight)]; };
        given[2] = [own](const values& v) { return v[static_cast<std::size_t>(own.bias)]; };
        next.run = [op, given](const values& v) -> IValue {
            std::vector<IValue> stack;
            for (const auto& one : given) stack.push_back(one(v));
            op.callBoxed(stack);
            return stack[0];
        };
        add(s.out, std::move(next));
        convolutions_[s.out] = own;
    }
    /// Whether it is a convolution's result, which nothing else reads, by or with constants [C, 1, 1].
    bool fold(const statement& s) {
        const auto op = s.target.substr(std::strlen("torch.ops.aten."));
        if (op != "sub.Tensor" && op != "mul.Tensor" && op != "add.Tensor") return false;
        const auto from = convolutions_.find(s.arguments[0].text);
        if (from == convolutions_.end() || uses_[from->first] != 1 || s.arguments[1].is != word::kind::name)
            return false;
        const auto by = static_cast<std::size_t>(find(s.arguments[1].text));
        if (!constant_[by]) return false;
        const auto channels = values_[by].toTensor();
        if (channels.dim() != 3 || channels.size(1) != 1 || channels.size(2) != 1) return false;
        const auto own = from->second;
        auto &weight = values_[static_cast<std::size_t>(own.weight)],
             &bias = values_[static_cast<std::size_t>(own.bias)];
        const auto vector = channels.reshape({-1});
        if (op == "sub.Tensor") bias = bias.toTensor() - vector;
        else if (op == "add.Tensor") bias = bias.toTensor() + vector;
        else {
            bias = bias.toTensor() * vector;
            weight = weight.toTensor() * channels.unsqueeze(-1);
        }
        names_[s.out] = find(from->first);
        convolutions_[s.out] = own;
        return true;
    }

    std::vector<statement> statements_;
    std::map<std::string, int> uses_, names_;
    std::map<std::string, convolution> convolutions_;
    values values_;
    std::vector<bool> constant_;
    std::vector<step> steps_;
    std::vector<int> results_;
};

[[maybe_unused]] const bool added = [] {
    present().push_back("libtorch " TORCH_VERSION);
    return true;
}();

} // namespace

std::unique_ptr<contender> run_by_libtorch(std::string_view text, const row_tensors& t) {
    return std::make_unique<contending<text_net>>(text, t);
}

} // namespace bench
