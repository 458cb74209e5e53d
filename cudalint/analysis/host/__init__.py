"""What host code does with a GPU: the work it starts, the waits, the clocks it reads, over the calls of the program."""
