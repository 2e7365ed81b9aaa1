import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An offline licence as bytes: what is signed, and the signature. */
export interface SignedBytes {
  payload: Buffer
  signature: Buffer
}

/** The bytes of an envelope, each text read as strictly as can be. */
export function bytesOf({ signedPayload, signature }: { signedPayload: string; signature: string }): SignedBytes {
  const bytes = { payload: Buffer.from(signedPayload, 'base64url'), signature: Buffer.from(signature, 'base64') }
  if (bytes.payload.toString('base64url') !== signedPayload) throw new Error('signedPayload is not canonical base64url')
  if (bytes.signature.toString('base64') !== signature) throw new Error('signature is not canonical base64')
  return bytes
}

/** Whether openssl, which must be there, accepts the signature under a public key (PEM). */
export function verifyByOpenssl(signed: SignedBytes, publicKey: string): boolean {
  const { status, stdout } = run(signed, publicKey, (at) => [
    'openssl',
    ...['dgst', '-sha256', '-verify', at('key.pem'), '-signature', at('signature'), at('payload')],
  ])
  if (status !== 0 && status !== 1) throw new Error(`openssl ended with ${status}`)
  return status === 0 && stdout.trim() === 'Verified OK'
}

const script = `
import sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key
key, signature, payload = (open(name, 'rb').read() for name in sys.argv[1:])
try:
    load_pem_public_key(key).verify(signature, payload, PKCS1v15(), SHA256())
    print('good')
except InvalidSignature:
    print('bad')
`

/** Whether Python has the package cryptography here. */
export const hasCryptography = () => spawnSync('python3', ['-c', 'import cryptography']).status === 0

/** Whether Python's cryptography accepts the signature under a public key (PEM). */
export function verifyByPython(signed: SignedBytes, publicKey: string): boolean {
  const { status, stdout, stderr } = run(signed, publicKey, (at) => [
    ...['python3', '-c', script],
    ...[at('key.pem'), at('signature'), at('payload')],
  ])
  if (status !== 0) throw new Error(stderr)
  return stdout.trim() === 'good'
}

/** Runs a verifier on files that hold the key, the signature and the payload. */
function run({ payload, signature }: SignedBytes, publicKey: string, line: (at: (file: string) => string) => string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'licet-envelope-'))
  const at = (file: string) => join(directory, file)
  try {
    writeFileSync(at('key.pem'), publicKey)
    writeFileSync(at('payload'), payload)
    writeFileSync(at('signature'), signature)
    const [command, ...args] = line(at)
    return spawnSync(command!, args, { encoding: 'utf8' })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
