import { randomFillSync } from 'node:crypto'

/** Random bytes drawn many at a time: one draw costs as much for a page as for an id. */
const drawn = Buffer.alloc(4096)
let used = drawn.length

let last = 0
let counter = 0

/** A new record id: UUIDv7 (RFC 9562 §5.7), later ones ordered after earlier ones of the same process. */
export function newId(): string {
  const now = Date.now()
  if (now > last) {
    last = now
    counter = random(2).readUInt16BE() & 0x7ff
  } else if (++counter > 0xfff) {
    last += 1
    counter = 0
  }
  const bytes = random(16)
  bytes.writeUIntBE(last, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Bytes that nobody was given before. */
function random(count: number): Buffer {
  if (used + count > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += count
  return drawn.subarray(used - count, used)
}
