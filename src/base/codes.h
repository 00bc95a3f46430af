/* The stable codes of diagnostics, lettered by layer. A code is never reused for another meaning.
 * The manual page's list and the tests are checked against this one (tests/check_codes.sh). */
#ifndef KS_BASE_CODES_H
#define KS_BASE_CODES_H

#define KS_CODES(X)                                                                                \
    X(Y001, "a file cannot be read")                                                               \
    X(Y002, "the text is not YAML")                                                                \
    X(Y003, "a key is there twice")                                                                \
    X(Y004, "anchors, aliases and tags are not taken")                                             \
    X(Y005, "the text is too deep or too large")                                                   \
    X(Y006, "not exactly one document")                                                            \
    X(S001, "unknown key")                                                                         \
    X(S002, "a key is missing")                                                                    \
    X(S003, "the wrong kind of value")                                                             \
    X(S004, "a number is not a number")                                                            \
    X(S005, "not one of the choices")                                                              \
    X(S006, "a value is out of range")                                                             \
    X(S007, "a version of the file format that is not known")                                      \
    X(U001, "the unit is missing")                                                                 \
    X(U002, "unknown unit")                                                                        \
    X(U003, "dimensions do not agree")                                                             \
    X(F001, "a formula cannot be read")                                                            \
    X(F002, "a formula uses an unknown name")                                                      \
    X(F003, "a function is given the wrong arguments")                                             \
    X(F004, "a fraction of a byte or token")                                                       \
    X(F005, "formulas that need each other")                                                       \
    X(F007, "a number in a formula has no name and no source")                                     \
    X(F008, "numbers, conditions and words are mixed")                                             \
    X(F009, "a formula is too long or too deep")                                                   \
    X(F010, "a name is defined twice")                                                             \
    X(E001, "a value cannot be computed")                                                          \
    X(M001, "nothing of this name is known")                                                       \
    X(M002, "no engine profile for this version")                                                  \
    X(M003, "more ranks than GPUs")                                                                \
    X(M004, "a launch that the engine cannot start")                                               \
    X(M005, "unknown quantity")                                                                    \
    X(M006, "unknown flag")                                                                        \
    X(M007, "model files extend each other in a circle")                                           \
    X(M008, "something that the model does not cover")                                             \
    X(M009, "an input that has no effect")                                                         \
    X(M010, "more values than ranks, or fewer")                                                    \
    X(M011, "a quantity that cannot be set this way")                                              \
    X(M012, "the version of the engine is not said")                                               \
    X(M013, "a scenario and its command line disagree")                                            \
    X(T001, "a part of a machine hangs on something that is not there")                            \
    X(T002, "parts of a machine hang on each other in a circle")                                   \
    X(T003, "two parts of a machine are the same")                                                 \
    X(T004, "a link that is not there")                                                            \
    X(T005, "what is said of a machine does not agree")                                            \
    X(T006, "a machine is too large")                                                              \
    X(T007, "a text is no matrix of a topology")                                                   \
    X(L001, "nothing in a log is known")                                                           \
    X(L002, "a log has no such start")                                                             \
    X(L003, "a log does not tell enough")                                                          \
    X(L004, "the number of ranks is a guess")                                                      \
    X(B001, "a benchmark's output cannot be read")                                                 \
    X(B002, "another collective than all-reduce")                                                  \
    X(B003, "the number of ranks is not told, or does not fit")                                    \
    X(B004, "too few measurements, or too many")                                                   \
    X(B005, "what was measured is not told, or has no parameters")                                 \
    X(B006, "a measurement that is not what it seems")                                             \
    X(B007, "a part of a benchmark's output is left out")                                          \
    X(C001, "wrong use of the command")                                                            \
    X(C002, "a command line cannot be read")                                                       \
    X(C003, "a part of a command line is left out")                                                \
    X(C004, "a variable that has no value here")                                                   \
    X(X001, "the text is not XML")                                                                 \
    X(X002, "the XML is too deep or too large")                                                    \
    X(X003, "document type declarations are not taken")                                            \
    X(X004, "not a topology as NCCL writes it")                                                    \
    X(X005, "an attribute is missing")                                                             \
    X(X006, "an attribute has a value that cannot be")                                             \
    X(X007, "a part of a topology that is left out")                                               \
    X(X008, "a link whose other end is not there")                                                 \
    X(N001, "a version of NCCL that was not compared or not read")                                 \
    X(N002, "more ranks than GPUs in a topology")                                                  \
    X(N003, "a GPU of unknown compute capability")                                                 \
    X(N004, "a setting that NCCL does not take")                                                   \
    X(N005, "GPUs that cannot reach each other")

enum ks_code {
#define X(code, meaning) KS_##code,
    KS_CODES(X)
#undef X
};

#endif
