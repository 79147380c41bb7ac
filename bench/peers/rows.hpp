// SPDX-License-Identifier: MIT
// What is compared, row by row, and who takes part: a row has tensors that are the same for all, and contenders from
// the files that compute it, each of which registers its own. A file whose library is not there is not built, and its
// contenders are missing.
#pragma once
#include <run/memory.hpp>
#include <run/timing.hpp>
#include <run/weights.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

struct row_tensors {
    model_weights weights; // in PyTorch's layout, by PyTorch's names
    std::vector<tensor> inputs;
};

struct row {
    std::string name;
    std::function<row_tensors()> tensors;
    double tolerance; // of the largest output
    schedule plan{.placements = 8, .rounds = 4};
};
const std::vector<row>& all_rows();

/// Something made from a row's tensors, its weights prepared, that runs once a call.
class contender {
public:
    virtual ~contender() = default;
    virtual void operator()() = 0;
    /// Of the last run, in the layout and order that ahead's graph says.
    virtual std::vector<float> outputs() const = 0;
};

struct entry {
    std::string row, name;
    int threads; // that it is for; 0: any number
    std::function<std::unique_ptr<contender>(const row_tensors&)> make;
    bool computes_less = false; // a bound, whose outputs are not those of the row
};
inline std::vector<entry>& entries() {
    static std::vector<entry> all;
    return all;
}

/// What the first line says of a peer that takes part, each from its own file.
inline std::vector<std::string>& present() {
    static std::vector<std::string> all;
    return all;
}

/// A subject as timing.hpp knows them, as a contender in huge pages.
template <class Subject> class contending final : public contender {
public:
    template <class... Args> explicit contending(Args&&... args) : subject_(make_huge<Subject>(args...)) {}
    void operator()() override { (*subject_)(); }
    std::vector<float> outputs() const override { return subject_->outputs(); }

private:
    huge_ptr<Subject> subject_;
};

/// The threads that this process gives each contender.
inline int threads = 1;

} // namespace bench
