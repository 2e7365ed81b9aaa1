import type { Transporter } from 'nodemailer'
import { lazily } from './lazily.ts'

/** Where letters go out, and who they are from. */
export interface MailOptions {
  /** `smtp://USER:PASSWORD@HOST:PORT`, or `smtps://` for TLS from the start. */
  smtpUrl: string
  /** Such as `Example <noreply@example.com>`. */
  from: string
}

/** A letter of plain text to one address. */
export interface Letter {
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Sends a letter after the caller has gone on; that it was not sent, the log tells. */
  send(letter: Letter): void
  /** Ends when what was to be sent is sent, or has failed. */
  close(): Promise<void>
}

/** Letters of one server process that may wait at a time. */
const mostWaiting = 1000
const patienceMillis = 10_000

/** The way to the SMTP server; `failed` hears why a letter was not sent, in words that name neither its address nor its text. */
export function openMail({ smtpUrl, from }: MailOptions, failed: (reason: string) => void): Mail {
  const transport = lazily(() => openTransport(smtpUrl))
  const waiting = new Set<Promise<void>>()
  return {
    send(letter) {
      if (waiting.size >= mostWaiting) return failed('too many letters wait already')
      const sending = transport
        .get()
        .then((open) => open.sendMail({ ...letter, from, disableFileAccess: true, disableUrlAccess: true }))
        .then(
          () => {},
          (error) => failed(reasonOf(error)),
        )
        .finally(() => waiting.delete(sending))
      waiting.add(sending)
    },
    async close() {
      await Promise.all(waiting)
      const open = await transport.held()
      open?.close()
    },
  }
}

/** Loaded with the first letter: most servers send none. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...{ url, pool: true, maxConnections: 2 },
    connectionTimeout: patienceMillis,
    greetingTimeout: patienceMillis,
    socketTimeout: patienceMillis,
  })
}

/** What went wrong by its codes alone: an SMTP server's own words repeat the address. */
function reasonOf(error: { code?: unknown; responseCode?: unknown }): string {
  const codes = [error.code, error.responseCode].filter((code) => /^\w{1,40}$/.test(String(code ?? '')))
  return codes.length > 0 ? codes.join(' ') : 'unknown'
}
