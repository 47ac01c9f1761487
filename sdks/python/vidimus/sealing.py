"""Opens sealed results: claims that were encrypted to your key. Needs the extra ``vidimus[sealed]``."""
from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._decode import decode
from .errors import SealedResultError
from .models import CredentialResult, Verification

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

WRAPPING, CONTENT = "ECDH-ES+A256KW", "A256GCM"
KEY_BYTES = 32


def open_result(verification: Verification, keys: Mapping[str, str] | Sequence[Mapping[str, str]]) -> Verification:
    """The verification with the claims and credentials that were sealed to one of these keys (private JWKs, P-256).

    One that is not sealed is returned as it is. Raises a ``SealedResultError`` if no key opens it, if it was changed, and if the result belongs to another verification.
    """
    sealed = (verification.claims or {}).get("_sealed")
    if not isinstance(sealed, dict) or "recipients" not in sealed or "ciphertext" not in sealed:
        return verification
    try:
        opened = json.loads(_decrypt(sealed, [keys] if isinstance(keys, Mapping) else keys))
        id, claims, credentials = opened["id"], dict(opened["claims"]), decode(list[CredentialResult], opened["credentials"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise SealedResultError("damaged", "The sealed result cannot be read: it was changed.") from error
    if id != verification.id:
        raise SealedResultError("other_verification", f"The sealed result belongs to {id}, not to {verification.id}. Do not accept it.")
    # What is readable beside it can be changed, and is inside too.
    return dataclasses.replace(verification, claims=claims, credentials=credentials)


def _decrypt(sealed: dict[str, Any], keys: Sequence[Mapping[str, str]]) -> bytes:
    """RFC 7516 and RFC 7518 §4.6."""
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap
    except ImportError as error:
        raise ImportError("Sealed results need the package cryptography: pip install 'vidimus[sealed]'") from error
    usable = {_thumbprint(key): key for key in keys}
    shared = json.loads(_bytes(sealed["protected"]))
    recipients = [({**shared, **each["header"]}, each["encrypted_key"]) for each in sealed["recipients"]]
    found = next((each for each in recipients if each[0].get("kid") in usable), None)
    if found is None:
        needed = ", ".join(str(each.get("kid")) for each, _ in recipients)
        raise SealedResultError(
            "no_key", f"None of the given keys opens this. It was sealed to {needed}; you gave {', '.join(usable) or 'none'}."
        )
    header, encrypted_key = found
    if header.get("alg") != WRAPPING or header.get("enc") != CONTENT:
        raise SealedResultError("unsupported", f"Sealed with {header.get('alg')} and {header.get('enc')}, which this version cannot open.")
    private = _private_key(usable[header["kid"]])
    try:
        epk = b"\x04" + _bytes(header["epk"]["x"]) + _bytes(header["epk"]["y"])
        secret = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), epk))
        cek = aes_key_unwrap(_derive_key(secret, header), _bytes(encrypted_key))
        ciphertext = _bytes(sealed["ciphertext"]) + _bytes(sealed["tag"])
        return AESGCM(cek).decrypt(_bytes(sealed["iv"]), ciphertext, sealed["protected"].encode())
    except (InvalidTag, InvalidUnwrap, KeyError, TypeError, ValueError) as error:
        raise SealedResultError(
            "damaged", "The key is named, but does not open this: the text was changed, or the private key is another one."
        ) from error


def _derive_key(secret: bytes, header: Mapping[str, Any]) -> bytes:
    """The Concat KDF (RFC 7518 §4.6.2) for a key of the length of one hash."""
    parts = [WRAPPING.encode(), *(_bytes(header.get(name, "")) for name in ("apu", "apv"))]
    info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hashlib.sha256(b"\0\0\0\1" + secret + info + (8 * KEY_BYTES).to_bytes(4, "big")).digest()


def _private_key(key: Mapping[str, str]) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    x, y, d = (int.from_bytes(_bytes(key[name]), "big") for name in ("x", "y", "d"))
    try:
        return ec.EllipticCurvePrivateNumbers(d, ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1())).private_key()
    except ValueError:
        raise _unusable() from None


def _thumbprint(key: Mapping[str, str]) -> str:
    """RFC 7638."""
    try:
        usable = key["kty"] == "EC" and key["crv"] == "P-256" and all(len(_bytes(key[name])) == KEY_BYTES for name in ("x", "y", "d"))
    except (KeyError, TypeError, ValueError, AttributeError):
        usable = False
    if not usable:
        raise _unusable()
    text = json.dumps({name: key[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def _unusable() -> SealedResultError:
    # The message never contains the key.
    return SealedResultError("unusable_key", "A private key must be the complete JWK of sealing-key.json: kty EC, crv P-256, x, y and d.")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
