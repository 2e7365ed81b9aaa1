#!/bin/sh
# Verifies an offline response with openssl alone:  sh verify.sh response.json key.pem
# Prints the licence and exits 0; exits 2 when the signature does not verify, 1 when a file cannot be read, 64 when it is given
# anything else than two files.
# The times in it are yours to check.
set -eu
if [ $# -ne 2 ]; then
  echo 'usage: sh verify.sh RESPONSE KEY' >&2
  exit 64
fi
response=$1 key=$2
cat "$response" "$key" >/dev/null || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

field() { tr -d '\n' <"$response" | sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }

# base64url without padding, as openssl reads base64
payload=$(field signedPayload | tr '_-' '/+')
while [ $((${#payload} % 4)) -ne 0 ]; do payload="$payload="; done
printf %s "$payload" | openssl base64 -d -A >"$work/payload"
field signature | openssl base64 -d -A >"$work/signature"

openssl dgst -sha256 -verify "$key" -signature "$work/signature" "$work/payload" >&2 || exit 2
cat "$work/payload"
