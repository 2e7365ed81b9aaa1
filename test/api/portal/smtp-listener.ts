import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** An SMTP server (RFC 5321) on a free port that takes every letter except to those whom it does not know. */
export async function listenForMail(isKnown: (recipient: string) => boolean) {
  const letters: string[] = []
  const server = createServer((socket) => {
    let text: string | undefined
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (text !== undefined && line !== '.') text += `${line}\n`
      else if (text !== undefined) {
        letters.push(text)
        text = undefined
        say('250 taken')
      } else if (/^RCPT/i.test(line)) say(isKnown(line) ? '250 known' : `550 nobody is called ${line}`)
      else if (/^DATA/i.test(line)) {
        text = ''
        say('354 go on')
      } else say(/^QUIT/i.test(line) ? '221 bye' : '250 fine')
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()!
      lines.forEach(hear)
    })
    say('220 mail.example')
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    letters,
    smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}
