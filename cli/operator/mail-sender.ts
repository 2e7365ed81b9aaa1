import { Problem } from '../problems.ts'

const control = '\\u0000-\\u001f\\u007f-\\u009f'
const character = `[^\\s@<>,;:"()\\[\\]\\\\${control}]`
const address = `${character}+@${character}+`
const name = `(?:[^@<>;:"()\\\\${control}]|"[^"\\\\${control}]*"|\\([^@<>"()\\\\${control}]*\\))*`
const sender = new RegExp(`^(?:${address}|${name}<${address}>)$`)

/** Whether letters can be from this: one e-mail address, alone or in angle brackets after a name (RFC 5322 §3.4). */
export const isMailSender = (text: string): boolean => sender.test(text.trim())

const mailFromHint = 'LICET_MAIL_FROM="Example <noreply@example.com>"'

/**
 * The SMTP server and the sender that variables name; undefined when they name none. The URL may hold a password, so that no
 * flag takes it. Raises cli.usage.
 */
export function mailFrom({ LICET_SMTP_URL: smtpUrl, LICET_MAIL_FROM: from }: NodeJS.ProcessEnv) {
  if (!smtpUrl) return undefined
  if (!URL.canParse(smtpUrl) || !['smtp:', 'smtps:'].includes(new URL(smtpUrl).protocol))
    throw new Problem('cli.usage', 'LICET_SMTP_URL must be smtp://… or smtps://….', {
      hint: 'LICET_SMTP_URL=smtps://USER:PASSWORD@mail.example.com',
    })
  if (!from)
    throw new Problem('cli.usage', 'LICET_SMTP_URL is set, but LICET_MAIL_FROM is not.', {
      hint: mailFromHint,
    })
  if (!isMailSender(from))
    throw new Problem('cli.usage', 'LICET_MAIL_FROM must be one e-mail address, or a name and the address in <>.', {
      hint: mailFromHint,
    })
  return { smtpUrl, from }
}
