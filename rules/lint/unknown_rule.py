"""A suppression names a rule that does not exist.

A comment with a misspelt name suppresses nothing, and whoever wrote it believes it does. The finding it was
meant for stays, and the name is reported as well. So is a comment that addresses cudalint and cannot be understood.
`cudalint rules` lists the names; a group can be named too.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;  // cudalint: ignore[index-overflows-ints] n is small
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
```
"""

from collections.abc import Iterator

from cudalint.rule import Context, Finding, Severity, Suppression, rule


@rule(on=Suppression, severity=Severity.ERROR, since="0.1")
def check(suppression: Suppression, ctx: Context) -> Iterator[Finding]:
    if not suppression.rules:
        yield Finding(
            at=suppression.span,
            message="this comment suppresses nothing: no rule is named",
            remedy="write cudalint: ignore[rule] reason",
        )
    for name in suppression.rules:
        if name not in ctx.known_rules:
            yield Finding(
                at=suppression.span,
                message=f"there is no rule called {name}",
                remedy=_remedy(name, ctx.known_rules),
            )


def _remedy(name: str, known: frozenset[str]) -> str:
    import difflib  # noqa: PLC0415 - only unknown names need it

    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]}?" if close else "cudalint rules lists the names"
