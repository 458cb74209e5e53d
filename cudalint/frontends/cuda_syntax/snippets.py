"""Expressions that stand outside any tree: the bodies of macros, the arguments of attributes that were blanked."""

import re

from cudalint.frontends.cuda_syntax import expressions as _expressions  # noqa: F401 - fills the table of handlers
from cudalint.frontends.cuda_syntax import grammar, literals
from cudalint.frontends.cuda_syntax.lowering import Lowering, TooDeepError
from cudalint.frontends.cuda_syntax.parse import parse
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.text import ExpandedText
from cudalint.ir.expr import Expr, Int

_NO_EXPRESSION = re.compile(r"\Z|.*(?:[;#]|\A\{|<<<)", re.DOTALL)
_LONGEST = 1000


def read_expression(written: str, macros: MacroTable, extent: int) -> Expr | None:
    """The expression that `written` is, all of it placed at `extent`; None where it is none."""
    value = literals.number(written) if written[:1].isdigit() else None
    if isinstance(value, tuple):
        return Int(extent, *value)
    if len(written) > _LONGEST or _NO_EXPRESSION.match(written):
        return None
    data = f"auto x = {written};\n".encode()
    root = parse(data).root_node
    declaration = root.named_child(0)
    if root.has_error or root.named_child_count != 1 or declaration is None:
        return None
    declarators = declaration.children_by_field_name("declarator")
    node = declarators[0].child_by_field_id(grammar.VALUE) if len(declarators) == 1 else None
    if node is None:
        return None
    try:
        return Lowering(ExpandedText(data, extent), macros).expression(node)
    except TooDeepError:
        return None
