"""The intermediate representation: what frontends produce and everything else reads."""

from cudalint.ir.expr import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Expr,
    Float,
    Index,
    Int,
    KernelIn,
    Lambda,
    Launching,
    Member,
    Name,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from cudalint.ir.program import Instance, Kernel, Launch, Program, SharedArray
from cudalint.ir.quantity import Dim3, Origin, Quantity
from cudalint.ir.stmt import (
    Block,
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Goto,
    If,
    Label,
    Loop,
    Return,
    Stmt,
    Switch,
    Throw,
    Unreadable,
)
from cudalint.ir.unit import (
    Alias,
    Attribute,
    Comment,
    Function,
    Global,
    Include,
    Macro,
    Parameter,
    Problem,
    Struct,
    TemplateParameter,
    Unit,
)

__all__ = [
    "Alias", "Assign", "Attribute", "Binary", "Block", "Break", "Call", "Case", "Cast", "Comment", "Conditional",
    "Construct", "Continue", "Declare", "Dim3", "Evaluate", "Expr", "Float", "Function", "Global", "Goto", "If",
    "Include", "Index", "Instance", "Int", "Kernel", "KernelIn", "Label", "Lambda", "Launch", "Launching", "Loop", "Macro", "Member", "Name",
    "Opaque", "Origin", "Parameter", "Problem", "Program", "Quantity", "Return", "SharedArray", "SizeOf",
    "Stmt", "Struct", "Switch", "TemplateParameter", "Text", "Throw", "Type", "Unary", "Unit", "Unreadable",
]  # fmt: skip
