import { decodeCanonical } from '../../licenses/canonical-base64.ts'
import { signaturesIn } from '../signing.ts'
import type { Deviation } from './near-miss.ts'

/** One signature of webhook-signature, read as forgivingly as it can be. */
export interface SignatureForm {
  /** Its place in the header, from 1. */
  place: number
  mac: Buffer
  /** In what it is not written as it must be. */
  deviations: Deviation[]
}

/** The signatures of a header, those that must not be accepted too: without `v1,`, in base64url or hexadecimal, between semicolons. What is none at all is left out. */
export function signatureForms(header: string): SignatureForm[] {
  if (header.length > longestHeader) return []
  const tokens = new Set(signaturesIn(header))
  const pieces = header.split(/[\s,;]+(?=v\d[,=])|\s+/).filter((piece) => piece !== '')
  return pieces.flatMap((piece, at) => {
    const [, prefix = '', text = ''] = /^"?(v1[,=]|sha256=|)([\w+/=-]*?)[",;]*$/.exec(piece) ?? []
    const read = readMac(text)
    if (!read) return []
    const deviations = [
      ...(tokens.has(piece) && !/^"|[",;]$/.test(piece) ? [] : [separator]),
      ...(prefix === 'v1,' ? [] : [missingPrefix]),
      ...(read.deviation ? [read.deviation] : []),
    ]
    return [{ place: at + 1, mac: read.mac, deviations }]
  })
}

function readMac(text: string): { mac: Buffer; deviation?: Deviation } | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return { mac: Buffer.from(text, 'hex'), deviation: hexadecimal }
  const exact = decodeCanonical(text, 'base64')
  if (exact) return exact.length === macLength ? { mac: exact } : undefined
  const mac = Buffer.from(text, 'base64')
  return mac.length === macLength ? { mac, deviation: base64url } : undefined
}

/** Ten signatures and what may stand around them are far shorter. */
const longestHeader = 8192
/** The bytes of an HMAC-SHA256. */
const macLength = 32

const form = 'A signature is "v1," and padded base64, 47 characters in all; several stand with a blank between.'
const separator: Deviation = {
  code: 'signature_separator',
  condition: 'the signatures are told apart by something else than blanks',
  advice: form,
}
const missingPrefix: Deviation = {
  code: 'signature_prefix',
  condition: 'it may lack "v1," before it',
  advice: `${form} A receiver takes what follows the comma, and skips versions that it does not know.`,
}
const base64url: Deviation = {
  code: 'signature_base64url',
  condition: 'it may be in base64url, or without its padding',
  advice: `${form} Base64url (- and _ for + and /) is another alphabet.`,
}
const hexadecimal: Deviation = {
  code: 'signature_hex',
  condition: 'it may be in hexadecimal',
  advice: `${form} Take the digest as bytes, or ask for base64 (digest("base64"), openssl dgst -binary | base64).`,
}
