// SPDX-License-Identifier: MIT
// The inputs and outputs of a run of a bounded program: tensors of as many places as the run has.
// Invariant: sizes are those of the run, strides those of the bound; if fewer places of a tensor come first in memory,
// only these are accessed. Called by bounded_session.hpp.
#pragma once
#include <ahead/dynamic/bounded/bounded_program.hpp>
#include <ahead/runtime/checked_inputs.hpp>
#include <ahead/runtime/views.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// How a tensor of a run follows the symbol. Type: at the bound.
template <class Type, bounded_value Value, std::int64_t Most> struct bounded_type {
    static constexpr tensor_type type = Type::type;
    using element = element_t<type.type>;
    static constexpr bounded_value value = Value;
    static constexpr std::int64_t most = Most;
    static constexpr std::size_t rank = type.rank;
    /// Fewer places come first in memory and are contiguous.
    static constexpr bool is_compact = value.has_fixed_strides && is_contiguous(type);
    static constexpr std::int64_t for_each = element_count(type) / Most; // elements for each place, of one dim
    static constexpr std::int64_t size(int d, std::int64_t places) {
        return value.follows_in(d) ? value.each * places : type.size(d);
    }
    static constexpr std::int64_t elements(std::int64_t places) {
        std::int64_t out = 1;
        for (int d = 0; d < type.rank; ++d) out *= size(d, places);
        return out;
    }
    /// Offset of element number `at`.
    static constexpr std::int64_t position(std::int64_t at, std::int64_t places) {
        if constexpr (is_compact) return at;
        std::int64_t out = 0;
        for (int d = type.rank; d-- > 0; at /= size(d, places)) out += at % size(d, places) * type.stride(d);
        return out;
    }
};

/// "f32[s0, 3]", for a type that follows the symbol; at most 16.
template <class Type> constexpr short_text print_bounded(std::string_view symbol) {
    short_text out;
    out << facts_of(Type::type.type).annotation << "[";
    for (int d = 0; d < Type::type.rank; ++d) {
        out << (d ? ", " : "");
        if (!Type::value.follows_in(d)) out << Type::type.size(d);
        else if (Type::value.each == 1) out << symbol;
        else out << Type::value.each << "*" << symbol;
    }
    return out << "]";
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::dynamic {

/// An output of a bounded program, leased from its session, with the sizes of its run: move-only, and destroyed before
/// the session. A range of the elements in the order of their indices.
///     y(i, j)    y.size()    y.sizes()    y.strides()    y.copy()
/// If the bounded dim is the outermost, also y.data() and y.elements(): the elements are contiguous.
template <class Type> class bounded_output {
public:
    using element = typename Type::element;
    static constexpr std::size_t rank = Type::rank;

    bounded_output(const element* first, std::int64_t places, std::int32_t& leases)
        : first_(first), places_(places), leases_(&leases) {
        ++leases;
    }
    bounded_output(bounded_output&& other) noexcept
        : first_(other.first_), places_(other.places_), leases_(std::exchange(other.leases_, nullptr)) {}
    bounded_output& operator=(bounded_output&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(places_, other.places_);
        std::swap(leases_, other.leases_);
        return *this;
    }
    ~bounded_output() {
        if (leases_) --*leases_;
    }

    std::size_t size() const { return static_cast<std::size_t>(Type::elements(places_)); }
    std::array<std::int64_t, rank> sizes() const {
        std::array<std::int64_t, rank> out{};
        for (std::size_t d = 0; d < rank; ++d) out[d] = Type::size(static_cast<int>(d), places_);
        return out;
    }
    static constexpr std::array<std::int64_t, rank> strides() {
        return runtime::tensor_elements<dense_type>::strides();
    }
    /// The element at these indices, one per dim. In debug builds throws index_is_out_of_range.
    template <class... Index>
        requires(sizeof...(Index) == rank)
    const element& operator()(Index... index) const {
        const std::array<std::int64_t, rank> all{static_cast<std::int64_t>(index)...};
        std::int64_t at = 0;
        for (std::size_t d = 0; d < rank; ++d) {
            if constexpr (runtime::is_debug_build) check_index(all[d], static_cast<int>(d));
            at += all[d] * Type::type.stride(static_cast<int>(d));
        }
        return first_[at];
    }
    /// Element number `at`, in the order of the indices.
    const element& operator[](std::size_t at) const {
        return first_[Type::position(static_cast<std::int64_t>(at), places_)];
    }
    class iterator {
    public:
        using value_type = element;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        iterator(const bounded_output* of, std::size_t at) : of_(of), at_(at) {}
        const element& operator*() const { return (*of_)[at_]; }
        iterator& operator++() {
            ++at_;
            return *this;
        }
        iterator operator++(int) {
            auto before = *this;
            ++at_;
            return before;
        }
        friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

    private:
        const bounded_output* of_ = nullptr;
        std::size_t at_ = 0;
    };
    auto begin() const {
        if constexpr (Type::is_compact) return first_;
        else return iterator(this, 0);
    }
    auto end() const {
        if constexpr (Type::is_compact) return first_ + size();
        else return iterator(this, size());
    }
    /// A copy, which may outlive the lease, in the order of the indices.
    std::vector<element> copy() const { return std::vector<element>(begin(), end()); }
    const element* data() const
        requires(Type::is_compact)
    {
        return first_;
    }
    std::span<const element> elements() const
        requires(Type::is_compact)
    {
        return {first_, size()};
    }

private:
    const element* first_;
    std::int64_t places_;
    std::int32_t* leases_;

    struct dense_type {
        static constexpr tensor_type type = Type::type;
    };
    void check_index(std::int64_t index, int d) const {
        if (index >= 0 && index < Type::size(d, places_)) return;
        diagnosis found;
        found.op = print(Type::type);
        refuse(found, fault::index_is_out_of_range,
               short_text("an index from 0 to ") << Type::size(d, places_) - 1 << " in dim " << d,
               short_text() << index);
        raise(found);
    }
};

} // namespace ahead::dynamic
namespace AHEAD_NAMESPACE::detail {

/// A tensor of the caller: elements of the input's dtype, and their number.
template <class Element> struct sized_input {
    const Element* data;
    std::size_t size;
    template <class R>
        requires requires(const R& r) {
            requires std::same_as<std::remove_cvref_t<decltype(*std::data(r))>, Element>;
            std::size(r);
        }
    constexpr sized_input(const R& elements) : data(std::data(elements)), size(std::size(elements)) {}
    template <class Type>
        requires(std::same_as<typename Type::element, Element> && Type::is_compact)
    constexpr sized_input(const dynamic::bounded_output<Type>& other) : data(other.data()), size(other.size()) {}
};

/// User input Nth of a bounded program.
template <class Bounded, std::int32_t Nth> struct bounded_input {
    using program = typename Bounded::program;
    using port = typename program::template input_port<Nth>;
    static constexpr bounded_value value = [] {
        bounded_value out;
        for (node_id id : program::lowered_graph()) {
            const auto v = program::lowered_graph()[id].values.first;
            if (program::lowered_graph()[id].values.count == 0) continue;
            const auto& p = program::plan_view().placements[static_cast<std::size_t>(v)];
            if (p.where == region::input && p.port == Nth) return Bounded::made.made[static_cast<std::size_t>(v)];
        }
        return out;
    }();
    using type = bounded_type<static_type<port>, value, Bounded::most>;
    static constexpr bool follows = value.follows();
    using view = std::conditional_t<follows, sized_input<typename type::element>, run_input<program, Nth>>;
    /// The input's own.
    static constexpr short_text name() { return name_of_input<program>(Nth); }

    static const std::byte* data_of(const view& given) {
        if constexpr (follows) return reinterpret_cast<const std::byte*>(given.data);
        else return reinterpret_cast<const std::byte*>(given.data());
    }
    static std::size_t bytes_of(const view& given) {
        if constexpr (follows) return given.size * sizeof(typename type::element);
        else return sizeof(typename type::element) * view::extent;
    }
    /// The number of its places of the symbol; -1 if it is the same at each size, or has the bound's memory. Refuses
    /// element_counts_differ, size_exceeds_bound.
    static std::int64_t places_of(const view& given, diagnosis& d) {
        if constexpr (!follows) return -1;
        else {
            const auto size = static_cast<std::int64_t>(given.size);
            d.op = "run";
            d.name = name();
            if constexpr (!type::is_compact) {
                constexpr auto all = extent_of(type::type);
                if (size != all)
                    refuse(d, fault::element_counts_differ,
                           short_text() << all << " elements: room for the bound, as "
                                        << print_bounded<type>(Bounded::symbol).view() << " lies in it",
                           short_text() << size);
                return -1;
            } else if (size == 0 || size % type::for_each != 0) {
                refuse(d, fault::element_counts_differ,
                       short_text() << type::for_each << " elements for each of " << Bounded::symbol << ", "
                                    << print_bounded<type>(Bounded::symbol).view(),
                       short_text() << size);
                return -1;
            } else {
                const auto places = size / type::for_each;
                if (places > Bounded::most || places < Bounded::least)
                    refuse(d, fault::size_exceeds_bound,
                           short_text() << Bounded::symbol << " from " << Bounded::least << " to " << Bounded::most
                                        << " in " << print_bounded<type>(Bounded::symbol).view(),
                           short_text() << places);
                return places;
            }
        }
    }
};

/// Whether a run may be called with arguments of these types.
template <class Bounded, class... Given> struct checked_bounded_inputs {
    using program = typename Bounded::program;
    static constexpr bool counted = sizeof...(Given) == static_cast<std::size_t>(program::plan.inputs);
    template <class One, std::int32_t Nth> static constexpr void check_input(diagnosis& d) {
        using input = bounded_input<Bounded, Nth>;
        if (!d.ok() || std::is_convertible_v<One, typename input::view>) return;
        d.name = input::name();
        refuse(d, fault::input_has_wrong_type,
               short_text("elements of ") << print_bounded<typename input::type>(Bounded::symbol).view(),
               describe_input<std::remove_cvref_t<One>>());
    }
    static constexpr diagnosis error = [] {
        if constexpr (!Bounded::accepted) return diagnosis(); // was reported
        else
            return refuse_inputs<program, Given...>(
                []<class One, std::int32_t Nth>(diagnosis& d) { check_input<One, Nth>(d); });
    }();
};

template <class Bounded, std::int32_t Nth> struct bounded_output_of {
    using program = typename Bounded::program;
    using port = typename program::template output_port<Nth>;
    static constexpr bounded_value value = [] {
        const graph_view g = program::lowered_graph();
        const auto& a = g.argument_of(g[g.last()], Nth);
        return Bounded::made.given[static_cast<std::size_t>(&a - g.argument_pool())];
    }();
    using type = bounded_type<static_type<port>, value, Bounded::most>;
    using view = dynamic::bounded_output<type>;
};
template <class Bounded, class> struct bounded_outputs;
template <class Bounded, std::int32_t... Nth>
struct bounded_outputs<Bounded, std::integer_sequence<std::int32_t, Nth...>> {
    using type = std::tuple<typename bounded_output_of<Bounded, Nth>::view...>;
};
template <class Bounded, std::int32_t... Nth>
    requires(!Bounded::accepted)
struct bounded_outputs<Bounded, std::integer_sequence<std::int32_t, Nth...>> {
    using type = std::tuple<std::conditional_t<(Nth >= 0), refused_output, void>...>;
};

} // namespace ahead::detail
