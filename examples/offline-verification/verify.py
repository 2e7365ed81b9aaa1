"""Verifies licences of licet with Python and `cryptography`: no server, no secret.

    python3 verify.py token licence.jwt jwks.json      a license token (ES256), by the vendor's JWKS
    python3 verify.py response response.json key.pem   an offline response (RSA-SHA256), by the vendor's offline key

Prints the claims and exits 0; says why and exits 2 when the licence is not valid, 1 when a file cannot be read; exits 64 when
it is asked for anything else.
"""

import base64
import json
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils


def decode(text):
    """Bytes of base64url without padding, written the one way it can be (RFC 7515 section 2)."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("not canonical base64url")
    return data


def verify_token(token, jwks):
    header, payload, signature = token.strip().split(".")
    head = json.loads(decode(header))
    if head.get("alg") != "ES256" or head.get("typ") != "license+jwt":
        raise ValueError("not a license token")
    key = next((key for key in jwks["keys"] if key["kid"] == head.get("kid")), None)
    if key is None:
        raise ValueError("no such key")
    numbers = [int.from_bytes(decode(key[name]), "big") for name in ("x", "y")]
    public = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
    raw = decode(signature)
    if len(raw) != 64:
        raise ValueError("not an ES256 signature")
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, f"{header}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decode(payload))


def verify_response(envelope, pem):
    payload = decode(envelope["signedPayload"])
    public = serialization.load_pem_public_key(pem)
    public.verify(base64.b64decode(envelope["signature"], validate=True), payload, padding.PKCS1v15(), hashes.SHA256())
    return json.loads(payload)


def main(form, licence, key):
    try:
        with open(licence, encoding="utf-8") as file:
            text = file.read()
        if form == "token":
            with open(key, encoding="utf-8") as file:
                claims = verify_token(text, json.load(file))
        else:
            with open(key, "rb") as file:
                claims = verify_response(json.loads(text), file.read())
        if not claims["nbf"] - 60 <= time.time() < claims["exp"]:
            raise ValueError("not valid at this time")
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    except (InvalidSignature, ValueError) as error:
        print(f"not valid: {str(error) or 'the signature does not verify'}", file=sys.stderr)
        return 2
    except (AttributeError, KeyError, TypeError, RecursionError):
        # A field is missing, or is not of the kind that it has to be.
        print("not valid: the licence or the key is damaged, or is something else", file=sys.stderr)
        return 2
    print(json.dumps(claims, indent=2))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("token", "response"):
        print("usage: python3 verify.py token LICENCE JWKS | response RESPONSE KEY", file=sys.stderr)
        sys.exit(64)
    sys.exit(main(*sys.argv[1:]))
