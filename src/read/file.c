#include "read/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void close_file(void *file)
{
    fclose(file);
}

static void close_folder(void *folder)
{
    closedir(folder);
}

static const ks_source *fail(ks_diags *diags, ks_str path, ks_span at, const char *why)
{
    ks_error(diags, KS_Y001, at, "cannot read \"%.*s\": %s", KS_ARG(path), why);
    return NULL;
}

/* All bytes of a stream, at most `most`; false beyond that or on a read error. */
static bool read_all(ks_arena *arena, FILE *file, size_t most, ks_str *text)
{
    ks_builder b = {.arena = arena};
    char chunk[16384];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (b.n + n > most)
            return false;
        ks_add(&b, (ks_str){chunk, n});
    }
    *text = ks_built(&b);
    return !ferror(file);
}

const ks_source *ks_read_file(ks_diags *diags, ks_str path, size_t most, ks_span at, bool must)
{
    struct stat status;
    ks_str text = {NULL, 0};
    const char *name = ks_to_c(diags->arena, path);
    bool standard_input = ks_equal_c(path, "-");
    if (strlen(name) != path.n)
        return fail(diags, path, at, "the name holds a zero byte");
    FILE *file = standard_input ? stdin : fopen(name, "rb");
    if (!file)
        return must ? fail(diags, path, at, strerror(errno)) : NULL;
    ks_cleanup *cleanup = ks_defer(diags->arena, close_file, file);
    bool folder = fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
    bool good = !folder && read_all(diags->arena, file, most, &text);
    ks_finish(diags->arena, cleanup);
    if (folder)
        return fail(diags, path, at, "it is a folder");
    if (!good)
        return fail(diags, path, at, "it is too large, or reading failed");
    return ks_source_new(diags->arena, standard_input ? KS_STR("<stdin>") : path, text);
}

bool ks_stream_file(ks_diags *diags, ks_str path, ks_span at,
                    void (*take)(void *context, const char *bytes, size_t n), void *context)
{
    enum { PART = 256 << 10 };
    struct stat status;
    const char *name = ks_to_c(diags->arena, path);
    FILE *file = ks_equal_c(path, "-") ? stdin : fopen(name, "rb");
    char *part = KS_NEW_ARRAY(diags->arena, char, PART);
    size_t n;
    if (!file)
        return fail(diags, path, at, strerror(errno)) != NULL;
    ks_cleanup *cleanup = ks_defer(diags->arena, close_file, file);
    bool folder = fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
    while (!folder && (n = fread(part, 1, PART, file)) > 0)
        take(context, part, n);
    bool good = !folder && !ferror(file);
    ks_finish(diags->arena, cleanup);
    if (!good)
        fail(diags, path, at, folder ? "it is a folder" : "reading failed");
    return good;
}

static int by_name(const void *a, const void *b)
{
    return ks_compare(*(const ks_str *)a, *(const ks_str *)b);
}

ks_str *ks_list_folder(ks_arena *arena, ks_str path, const char *suffix, size_t *n)
{
    struct {
        ks_str *items;
        size_t n, capacity;
    } names = {NULL, 0, 0};
    *n = 0;
    DIR *folder = opendir(ks_to_c(arena, path));
    if (!folder)
        return NULL;
    ks_cleanup *cleanup = ks_defer(arena, close_folder, folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        ks_str name = ks_from_c(entry->d_name);
        if (ks_ends_with(name, ks_from_c(suffix)) && name.s[0] != '.')
            *KS_PUSH(arena, &names) =
                ks_copy(arena, ks_slice(name, 0, name.n - strlen(suffix)));
    }
    ks_finish(arena, cleanup);
    if (names.n)
        qsort(names.items, names.n, sizeof *names.items, by_name);
    *n = names.n;
    return names.items;
}
