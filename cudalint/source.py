"""Places in source text: lines and columns are 1-based and count characters, the end column is exclusive."""

from cudalint.record import record

_COLUMN_BITS = 12
_LINES_BITS = 16
_LAST_COLUMN = (1 << _COLUMN_BITS) - 1
_MOST_LINES = (1 << _LINES_BITS) - 1


def pack(line: int, column: int, end_line: int, end_column: int) -> int:
    """One integer for an extent, small enough to hang on every node of the IR.

    Columns past 4,095 and extents of more than 65,535 lines are cut off at those figures.
    """
    lines = min(max(end_line - line, 0), _MOST_LINES)
    packed = line << _COLUMN_BITS | min(column, _LAST_COLUMN)
    packed = packed << _LINES_BITS | lines
    return packed << _COLUMN_BITS | min(end_column, _LAST_COLUMN)


def line_of(extent: int) -> int:
    """The first line of a packed extent."""
    return extent >> (2 * _COLUMN_BITS + _LINES_BITS)


_INNER = "\0"


def inner_path(file: str, number: int) -> str:
    """What a text that stands in a file is known by, where it is read for itself: no name that a file can have."""
    return f"{file}{_INNER}{number}"


def outer_path(path: str) -> str:
    """The file that a path, perhaps that of a text in it, belongs to."""
    return path.partition(_INNER)[0]


@record
class Span:
    """A stretch of one file, as people and editors name it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def unpack(cls, file: str, extent: int) -> "Span":
        """The span of a packed extent in `file`."""
        end_column = extent & _LAST_COLUMN
        lines = extent >> _COLUMN_BITS & _MOST_LINES
        column = extent >> (_COLUMN_BITS + _LINES_BITS) & _LAST_COLUMN
        line = line_of(extent)
        return cls(outer_path(file), line, column, line + lines, end_column)

    def __lt__(self, other: "Span") -> bool:
        return self._order < other._order

    @property
    def _order(self) -> tuple[str, int, int, int, int]:
        return self.file, self.line, self.column, self.end_line, self.end_column

    @property
    def extent(self) -> int:
        """The span without its file, packed."""
        return pack(self.line, self.column, self.end_line, self.end_column)

    def covers(self, other: "Span") -> bool:
        """Whether `other` lies wholly inside this span."""
        return (
            self.file == other.file
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
