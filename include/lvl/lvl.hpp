/*
 * lvl/lvl.hpp: lvl for C++17, header only: documents that free themselves, ranges over records, texts as
 * std::string_view, results instead of exceptions.
 *
 *     auto level = lvl::document::load("cliffs.wwd");
 *     if (!level)
 *         return fail(level.message());
 *     for (auto &plane : lvl::planes(*level->root<lvl_wwd>()))
 *         for (auto &object : lvl::objects(plane))
 *             if (lvl::text(object.logic) == "Soldier")
 *                 object.x += plane.tile_width;
 *     level->save("new.wwd");
 *
 * Records are the structs of the C headers. They and their texts live as long as the document. Threads as for
 * lvl_doc: any number may read one document.
 */
#ifndef LVL_LVL_HPP
#define LVL_LVL_HPP

#include <lvl/lvl.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lvl {

/* A value, or why there is none. */
template <typename T> class result {
  public:
    result(T value) : value_(std::move(value))
    {
    }
    result(lvl_status status, std::string message) : status_(status), message_(std::move(message))
    {
    }
    explicit operator bool() const
    {
        return value_.has_value();
    }
    T &operator*()
    {
        assert(value_);
        return *value_;
    }
    T *operator->()
    {
        return &**this;
    }
    lvl_status status() const
    {
        return status_;
    }
    const std::string &message() const
    {
        return message_;
    }

  private:
    std::optional<T> value_;
    lvl_status status_ = LVL_OK;
    std::string message_;
};

/* What a function without a value returns. */
class outcome {
  public:
    outcome() = default;
    outcome(lvl_status status, std::string message) : status_(status), message_(std::move(message))
    {
    }
    explicit operator bool() const
    {
        return status_ == LVL_OK;
    }
    lvl_status status() const
    {
        return status_;
    }
    const std::string &message() const
    {
        return message_;
    }

  private:
    lvl_status status_ = LVL_OK;
    std::string message_;
};

/* Items of a list of a record. */
template <typename T> class items {
  public:
    items(T *first, std::uint32_t count) : first_(first), count_(first ? count : 0)
    {
    }
    T *begin() const
    {
        return first_;
    }
    T *end() const
    {
        return first_ + count_;
    }
    std::size_t size() const
    {
        return count_;
    }
    bool empty() const
    {
        return count_ == 0;
    }
    T &operator[](std::size_t index) const
    {
        assert(index < count_);
        return first_[index];
    }

  private:
    T *first_;
    std::uint32_t count_;
};

/* lvl::list(wwd, &lvl_wwd::planes, &lvl_wwd::plane_count), for any list of any record. */
template <typename R, typename T, typename C> items<T> list(R &record, T *C::*first, std::uint32_t C::*count)
{
    return {record.*first, record.*count};
}
inline items<lvl_wwd_plane> planes(lvl_wwd &wwd)
{
    return {wwd.planes, wwd.plane_count};
}
inline items<lvl_wwd_object> objects(lvl_wwd_plane &plane)
{
    return {plane.objects, plane.object_count};
}

/* Bytes in the document's code page. */
inline std::string_view text(lvl_text value)
{
    return {value.ptr ? value.ptr : "", value.len};
}
/* A text that is stored inside of its record. */
template <std::size_t N> std::string_view text(const char (&slot)[N])
{
    std::size_t len = N;
    while (len && slot[len - 1] == 0)
        len--;
    return {slot, len};
}

class document {
  public:
    static result<document> load(const std::string &path)
    {
        return open([&](lvl_doc **out, const lvl_ctx *ctx, lvl_findings *findings) {
            return lvl_load(out, ctx, path.c_str(), findings);
        });
    }
    /* The bytes are copied. `name` is the file's, for probing; may be empty. */
    static result<document> read(std::string_view bytes, const std::string &name = {})
    {
        return open([&](lvl_doc **out, const lvl_ctx *ctx, lvl_findings *findings) {
            const lvl_bytes input = {reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()};
            return lvl_read(out, ctx, nullptr, input, name.empty() ? nullptr : name.c_str(), 0, findings);
        });
    }

    /* The root record, or nullptr if the document is of another format. */
    template <typename T> T *root();

    lvl_doc *get() const
    {
        return doc_.get();
    }
    const char *format() const
    {
        return lvl_doc_format(get())->id;
    }
    /* The findings of reading: a damaged file opens as far as it can be read. */
    const std::vector<std::string> &findings() const
    {
        return findings_;
    }
    /* Applies assignments "path=value", all or none. */
    outcome set(const std::vector<std::string> &assignments)
    {
        std::vector<const char *> texts;
        for (const auto &one : assignments)
            texts.push_back(one.c_str());
        return run([&](lvl_findings *f) { return lvl_set(get(), texts.data(), texts.size(), nullptr, f); });
    }
    result<std::string> bytes()
    {
        lvl_buffer out = {};
        const outcome done = run([&](lvl_findings *f) { return lvl_write(get(), &out, f); });
        std::string text(out.data ? reinterpret_cast<const char *>(out.data) : "", out.len);
        lvl_buffer_free(&out);
        if (!done)
            return {done.status(), done.message()};
        return text;
    }
    outcome save(const std::string &path)
    {
        return run([&](lvl_findings *f) {
            lvl_save_options options = {};
            options.findings = f;
            return lvl_save(get(), path.c_str(), &options);
        });
    }
    /* The values that match a path, one a line. */
    result<std::string> values(const std::string &path)
    {
        lvl_buffer out = {};
        const outcome done = run([&](lvl_findings *f) { return lvl_get(get(), path.c_str(), nullptr, &out, nullptr, f); });
        std::string text(out.data ? reinterpret_cast<const char *>(out.data) : "", out.len);
        lvl_buffer_free(&out);
        if (!done)
            return {done.status(), done.message()};
        return text;
    }

  private:
    struct free_doc {
        void operator()(lvl_doc *doc) const
        {
            lvl_doc_free(doc);
        }
    };
    struct free_findings {
        void operator()(lvl_findings *list) const
        {
            lvl_findings_free(list);
        }
    };

    template <typename F> static outcome with(const lvl_ctx *ctx, std::vector<std::string> *texts, F &&call)
    {
        const std::unique_ptr<lvl_findings, free_findings> list(lvl_findings_new(ctx));
        if (!list)
            return {LVL_ERR_MEMORY, lvl_status_text(LVL_ERR_MEMORY)};
        const lvl_status status = call(list.get());
        const lvl_severity worst = lvl_findings_worst(list.get());
        std::string message = lvl_status_text(status);
        bool found = false;
        for (std::size_t i = 0; const lvl_finding *f = lvl_findings_at(list.get(), i); i++) {
            if (texts)
                texts->push_back(std::string(f->def->id) + ": " + f->text);
            if (!found && f->severity == worst) {
                message = f->text;
                found = true;
            }
        }
        return status == LVL_OK ? outcome() : outcome(status, message);
    }
    template <typename F> outcome run(F &&call)
    {
        return with(ctx_.get(), nullptr, call);
    }
    template <typename F> static result<document> open(F &&call)
    {
        document made;
        lvl_doc *doc = nullptr;
        made.ctx_ = std::make_unique<lvl_ctx>();
        lvl_ctx_init(made.ctx_.get());
        const outcome done = with(made.ctx_.get(), &made.findings_,
                                  [&](lvl_findings *f) { return call(&doc, made.ctx_.get(), f); });
        if (!done)
            return {done.status(), done.message()};
        made.doc_.reset(doc);
        return made;
    }

    std::unique_ptr<lvl_ctx> ctx_; /* before doc_: it outlives the document */
    std::unique_ptr<lvl_doc, free_doc> doc_;
    std::vector<std::string> findings_;
};

namespace detail {
template <typename T> T *root_of(lvl_doc *doc, const lvl_table *table)
{
    return lvl_doc_format(doc)->table == table ? static_cast<T *>(lvl_doc_root(doc)) : nullptr;
}
} // namespace detail

template <> inline lvl_wwd *document::root<lvl_wwd>()
{
    return detail::root_of<lvl_wwd>(get(), &lvl_wwd_table);
}
template <> inline lvl_graal *document::root<lvl_graal>()
{
    return detail::root_of<lvl_graal>(get(), &lvl_graal_table);
}
template <> inline lvl_gani *document::root<lvl_gani>()
{
    return detail::root_of<lvl_gani>(get(), &lvl_gani_table);
}

} // namespace lvl

#endif
