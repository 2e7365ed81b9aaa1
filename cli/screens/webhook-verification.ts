import { counted } from '../counting.ts'
import type { Judgement } from '../tasks/verify-webhook.ts'
import { instantWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import { signaturesIn } from '../webhooks/signing.ts'
import { readStamp } from '../webhooks/stamps.ts'
import { factLines } from './license.ts'

const profileWords = {
  Default: 'Default (RFC 3339 timestamps)',
  StandardWebhooks: 'StandardWebhooks (Unix seconds)',
}

/** A verdict on a delivery in words: which signature fits which secret, or why none does and what to do about it; then what the delivery says. */
export function verificationLines({ verdict, delivery, secrets }: Judgement, now: number): string[] {
  const { verified, reason, matched, profile, id, type, attempt, isTest, hints } = verdict
  const timestamp = delivery.headers.get('webhook-timestamp') ?? ''
  const signatures = signaturesIn(delivery.headers.get('webhook-signature') ?? '').length
  const sentAt = readStamp(timestamp)?.at
  const counts = `${counted(signatures, 'signature')}, ${counted(secrets.length, 'secret')}`
  const fits =
    matched && `signature ${matched.signature} of ${signatures} fits secret ${matched.secret} of ${secrets.length}`
  return [
    visible(verified ? `VERIFIED  ${fits}` : `NOT VERIFIED  ${reason!.message} (${reason!.code})`),
    ...hints.map(({ message }) => visible(`  ! ${message}`)),
    ...factLines([
      ['id', id],
      ['type', type === null ? null : `${type}${isTest ? ' (a test event)' : ''}`],
      ['attempt', attempt === null ? null : String(attempt)],
      ['sent', sentAt === undefined ? timestamp : instantWords(sentAt, now)],
      ['profile', profile === null ? null : profileWords[profile]],
      ['body', counted(delivery.body.length, 'byte')],
      ['tried', verified ? null : (fits ?? counts)],
    ]),
    ...(reason?.code === 'too_old' || reason?.code === 'too_new'
      ? ['', `Of a saved delivery: --at ${new Date(sentAt!).toISOString().replace('.000', '')} judges it by that time.`]
      : []),
  ]
}
