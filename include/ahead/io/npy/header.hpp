// SPDX-License-Identifier: MIT
// The header of a .npy file: a Python dict of exactly the keys descr, fortran_order and shape, in any order.
// Invariant: never reads beyond the text; a refusal names the tensor. Called by io/npy.hpp.
#pragma once
#include <ahead/io/file.hpp>
#include <ahead/io/header_reader.hpp>

namespace AHEAD_NAMESPACE::detail {

struct npy_header {
    std::string descr; // "a structured dtype" if it is a list
    bool fortran = false;
    std::vector<std::int64_t> sizes;
};

/// Reads the header, a Python dict of exactly the keys descr, fortran_order and shape, in any order.
class npy_header_reader : header_reader {
public:
    using header_reader::header_reader;

    bool read(npy_header& out) {
        if (!expect('{')) return false;
        bool has_descr = false, has_order = false, has_shape = false;
        while (!take('}')) {
            std::string key;
            if (!string(key) || !expect(':')) return false;
            bool* seen = key == "descr"           ? &has_descr
                         : key == "fortran_order" ? &has_order
                         : key == "shape"         ? &has_shape
                                                  : nullptr;
            if (seen == nullptr || *seen) return malformed("the keys descr, fortran_order and shape, once each");
            *seen = true;
            if (seen == &has_descr && !descr(out.descr)) return false;
            if (seen == &has_order && !boolean(out.fortran)) return false;
            if (seen == &has_shape && !shape(out.sizes)) return false;
            if (!take(',')) {
                if (!expect('}')) return false;
                break;
            }
        }
        if (!has_descr || !has_order || !has_shape) return malformed("the keys descr, fortran_order and shape");
        return end();
    }

private:
    bool string(std::string& out) {
        skip_space();
        if (at == text.size() || (text[at] != '\'' && text[at] != '"')) return malformed("a quoted string");
        const auto end = text.find(text[at], at + 1);
        if (end == text.npos) return malformed("a closing quote");
        out = text.substr(at + 1, end - at - 1);
        at = end + 1;
        return true;
    }
    bool descr(std::string& out) {
        skip_space();
        if (at < text.size() && text[at] == '[')
            return refuse_weight(d, fault::weight_dtype_is_unknown, name, {}, "a structured dtype");
        return string(out);
    }
    bool boolean(bool& out) {
        skip_space();
        for (bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text.substr(at, word.size()) != word) continue;
            at += word.size();
            out = value;
            return true;
        }
        return malformed("True or False");
    }
    // (), (3,) or (3, 4), with or without a trailing comma; (3) is not a tuple.
    bool shape(std::vector<std::int64_t>& out) {
        if (!expect('(')) return false;
        bool comma = true;
        while (!take(')')) {
            if (!comma) return malformed(", or )");
            skip_space();
            std::int64_t size = 0;
            const auto digits = read_natural(text.substr(at), size);
            if (digits == 0) return malformed("a size from 0 to 2^63 - 1");
            at += digits;
            out.push_back(size);
            comma = take(',');
        }
        return out.size() != 1 || comma || malformed("a comma after the only size");
    }
};

} // namespace ahead::detail
