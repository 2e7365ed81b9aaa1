#!/bin/sh
# Verifies a delivery with openssl alone:  WEBHOOK_SECRET=... sh verify.sh headers.txt body.json
# Says when it was signed, and exits 0; exits 2 when no signature matches. Whether that is too long ago is yours to check.
# openssl takes an HMAC key as an argument only, where every process can read it: so this is HMAC by its definition (RFC 2104).
set -efu
headers=$1 body=$2

header() { awk -v name="$1:" '{ sub(/\r$/, "") } tolower($1) == name { sub(/^[^:]*: */, ""); gsub(/, *v1,/, " v1,"); print }' "$headers"; }
hex() { od -An -v -tx1 | tr -d ' \n'; }
digest() { openssl dgst -sha256 -binary; }

key() {
  case $WEBHOOK_SECRET in
  whsec_*) printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A ;;
  *) printf %s "$WEBHOOK_SECRET" ;;
  esac
}
key=$(key | hex)
[ ${#key} -le 128 ] || key=$(key | digest | hex)

# The key, filled up with zeros to 64 bytes, each of them xor $1.
pad() {
  rest=$key at=0
  while [ $at -lt 64 ]; do
    byte=${rest%"${rest#??}"} rest=${rest#??} at=$((at + 1))
    printf "\\$(printf %03o $((0x${byte:-00} ^ $1)))"
  done
}
signed() { printf %s.%s. "$(header webhook-id)" "$(header webhook-timestamp)" && cat "$body"; }
inner() { { pad 0x36 && signed; } | digest; }
expected=v1,$({ pad 0x5c && inner; } | digest | openssl base64 -A)

for given in $(header webhook-signature); do
  [ "$given" = "$expected" ] && echo "signed at $(header webhook-timestamp)" && exit 0
done
echo 'no signature matches' >&2
exit 2
