import { expect, test } from 'vitest'
import type { Reply } from '../../server/kit/outgoing/outgoing.ts'
import { withoutToken } from '../../server/webhooks/callback-tokens/withholding.ts'

const token = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'
const answered = (body: Buffer): Reply => ({ status: 200, headers: {}, body, isCut: false, millis: 1 })

test('a token that an endpoint mirrors back is kept nowhere, and whatever stands around it is', () => {
  const odd = Buffer.from([0xff, 0x00, 0xc3])
  const mirrored = Buffer.concat([odd, Buffer.from(`${token} and ${token}`), odd])
  const kept = Buffer.concat([odd, Buffer.from('[withheld] and [withheld]'), odd])
  expect(withoutToken(answered(mirrored), token)).toEqual(answered(kept))
})

test('an answer without it is as it was, and so is none', () => {
  const failed: Reply = { failure: 'no answer within 30 s', millis: 30_000 }
  for (const reply of [answered(Buffer.from('thanks')), failed]) expect(withoutToken(reply, token)).toEqual(reply)
})
