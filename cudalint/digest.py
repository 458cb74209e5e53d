"""Short names for long texts."""


def digest(text: str | bytes) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, which a run without findings and a cache can do without

    return sha256(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")).hexdigest()
