/* Reads the arguments of a call as Python prints them: name='text', other=[1, 2], more=None, with
 * lists, tuples, dictionaries and calls inside each other; or the inside of a dictionary, 'name':
 * value. What it makes of it is flat: a list of single values with their names. */
#ifndef KS_READ_PYTHON_H
#define KS_READ_PYTHON_H

#include "base/str.h"

enum ks_python_kind { KS_PY_NONE, KS_PY_TRUTH, KS_PY_NUMBER, KS_PY_TEXT, KS_PY_OTHER };

typedef struct ks_python_item {
    ks_str name; /* "tp_size"; inside of another value "graphs.decode.max_bs" */
    enum ks_python_kind kind;
    ks_str text; /* a text without its quotes; others as printed: "True", "0.88" */
    bool listed; /* it is one of several in a list, tuple or set */
} ks_python_item;

typedef struct ks_python_items {
    ks_python_item *items;
    size_t n, capacity;
    bool complete; /* the bracket that ends the call was reached */
} ks_python_items;

enum { KS_MAX_PYTHON_DEPTH = 32, KS_MAX_PYTHON_ITEMS = 4096 };

/* Reads what stands behind the opening bracket, up to its closing one, or as far as it goes. All
 * texts are copied into the arena. */
ks_python_items ks_read_python(ks_arena *arena, ks_str text);

#endif
