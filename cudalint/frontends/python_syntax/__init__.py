"""Reads Python into the same units as CUDA C++, by the standard library's `ast`.

This package knows Python: expressions, statements, scopes, imports, comments. What code for a GPU looks like in some
library, it asks *recognisers*. A recogniser is an object with any of the methods of `recognisers.Recogniser`:

`prepare(low)`
    once per file, before anything is lowered: look over `low.tree`, note what decorators and module-level calls make.
`define(low, node)`
    for each `def`: a `Definition` if the function runs on the GPU (kinds, attributes, types of its parameters), else None.
`call(low, node, path)` and `attribute(low, node, path)`
    for each call, attribute and bare name: the expression it stands for (a `Launching`, a built-in), else None. `path` is
    what is called or named as imports spell it: `numba.cuda.grid` for `cuda.grid` after `from numba import cuda`, "" where
    it does not come from an import. A call of anything else (`kernel[grid, block](x)`, `kernel((g,), (b,), (x,))`) comes
    with the path "".
`assign(low, given, into)`
    for each assignment of one name (`given.name`, `given.value`): whether it was taken care of (a shared array becomes a
    `Declare` appended to `into`).
`finish(low)`
    once per file, at the end: may append to `low.functions`, `low.globals`, `low.structs`, `low.macros`, `low.problems`.

What a recogniser needs of its surroundings it asks `low`, a `Lowering`: `low.expression(node)` lowers a part,
`low.path(node)` gives the imported name of a node, `low.origin(node)` follows a name to the one expression it is bound to
(across the functions around it), `low.integer(node)` and `low.text(node)` give constants, `low.extent(node)` places,
`low.source` is the text of the file, `low.state` a dictionary for its notes.

Recognisers are found by words in the file's bytes: `recognisers.PACKAGES` says which package is loaded for which word.
"""
