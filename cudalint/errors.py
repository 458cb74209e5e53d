"""What can go wrong outside a finding. Every error's text is meant for the person at the command line."""


class CudalintError(Exception):
    """Base of all errors the command line turns into exit code 2."""


class ProfileError(CudalintError):
    """A hardware profile is malformed, or no profile has the name asked for."""


class ConfigError(CudalintError):
    """A configuration file or an option value cannot be used."""


class SourceError(CudalintError):
    """A path cannot be read."""


class RuleError(CudalintError):
    """A rule's metadata is incomplete or contradicts its file."""
