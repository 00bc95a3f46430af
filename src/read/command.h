/* Reads a pasted command line that starts an LLM server: `CUDA_VISIBLE_DEVICES=0,1 docker run -e A=b
 * ... python -m sglang.launch_server --tp 2 ...`. It yields which engine is started, with which
 * environment and flags, as documents with a place for each part. What does not start the server is
 * left out with a warning. Which flags an engine has is not known here. */
#ifndef KS_READ_COMMAND_H
#define KS_READ_COMMAND_H

#include "read/doc.h"

/* Something that a shell would have replaced, as `$TP`, and stays as it is. */
typedef struct ks_variable {
    const ks_doc *value; /* that holds it */
    ks_span at;
} ks_variable;

typedef struct ks_command {
    ks_str engine;         /* "sglang" or "vllm" */
    ks_span at;            /* what says so */
    const ks_doc *version; /* of the engine, from the tag of a container's image; or NULL */
    const ks_doc *model;   /* name or path of the model, or NULL */
    /* Of a container, or NULL: */
    const ks_doc *image, *gpus, *ipc, *shm_size;
    ks_doc *env; /* map: what the server's environment gets */
    ks_doc
        *launch; /* map: flags without their dashes; a scalar, `true` for a flag alone, or a list */
    struct {
        ks_variable *items;
        size_t n, capacity;
    } variables;
} ks_command;

/* Reads the text at `text`. by_lines: a line's end ends a command, as in a script; else it is a
 * blank. False after an error (C002). Each key is in a map once: the last one counts. */
bool ks_read_command(ks_diags *diags, ks_span text, bool by_lines, ks_command *command);

/* Warns (C004) if the value, or one of a list, holds something that a shell would have replaced. */
void ks_warn_of_variables(ks_diags *diags, const ks_command *command, const ks_doc *value);

#endif
