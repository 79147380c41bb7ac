// SPDX-License-Identifier: MIT
// The rows that the families' files registered, and what each is measured by where no peer is.
#include <ahead/kernels/vector/simd.hpp>

#include <cstring>

#include "kernels.hpp"

namespace bench {

std::vector<row>& kernel_rows() {
    static std::vector<row> all;
    return all;
}
const std::vector<row>& all_rows() { return kernel_rows(); }

namespace {

/// Half of them read, half written.
class copying final : public contender {
public:
    explicit copying(double bytes)
        : from_(static_cast<std::size_t>(bytes / 2) + 1, 1), to_(static_cast<std::size_t>(bytes / 2) + 1, 2) {}
    void operator()() override { std::memcpy(to_.data(), from_.data(), from_.size()); }
    std::vector<float> outputs() const override { return {}; }

private:
    std::vector<unsigned char, huge_allocator<unsigned char>> from_, to_;
};

/// In as many registers as hide what one takes.
class multiplying final : public contender {
public:
    explicit multiplying(double count) : rounds_(static_cast<std::int64_t>(count) / (width * sums)) {}
    void operator()() override {
        vector sum[sums];
        for (int i = 0; i < sums; ++i) sum[i] = vector::all(static_cast<float>(i));
        const auto by = vector::all(0.5f), more = vector::all(1);
        for (std::int64_t round = 0; round < rounds_; ++round) {
            ::ahead::kernels::unroll<sums>([&](int i) { sum[i] = fma(sum[i], by, more); });
            asm volatile("" ::"r"(round));
        }
        for (int i = 1; i < sums; ++i) sum[0] = sum[0] + sum[i];
        sum[0].store(last_);
    }
    std::vector<float> outputs() const override { return {}; }

private:
    static constexpr int width = ::ahead::kernels::widest<float>, sums = 12;
    using vector = ::ahead::kernels::simd<float, width>;
    std::int64_t rounds_;
    float last_[width];
};

class sorting final : public contender {
public:
    explicit sorting(const tensor& from) : from_(from) {}
    void operator()() override {
        sorted_ = from_;
        std::sort(sorted_.begin(), sorted_.end());
    }
    std::vector<float> outputs() const override { return {}; }

private:
    tensor from_, sorted_;
};

} // namespace

std::unique_ptr<contender> copies_bytes(double bytes) { return std::make_unique<copying>(bytes); }
std::unique_ptr<contender> multiplies_and_adds(double count) { return std::make_unique<multiplying>(count); }
std::unique_ptr<contender> sorts_numbers(const tensor& from) { return std::make_unique<sorting>(from); }

} // namespace bench
