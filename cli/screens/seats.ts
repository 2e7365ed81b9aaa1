import type { Seat } from '../tasks/seats.ts'
import { relativeWords } from '../time-words.ts'
import type { Canvas } from './canvas.ts'
import { stackedTable } from './stacking.ts'

/** What a device is called: its name, else the start of its fingerprint. */
export const deviceWords = ({ deviceName, fingerprint }: Seat) => deviceName ?? shortFingerprint(fingerprint)

/** License sessions: the device of each, when it was used last, until when it goes on, and why it does not. `now` in milliseconds. */
export function seatLines(seats: readonly Seat[], now: number, canvas: Canvas): string[] {
  const ago = (instant: string) => relativeWords(Date.parse(instant), now)
  const rows = seats.map((seat) => {
    const { id, deviceName, fingerprint, lastAccessTime, leaseExpiration, applicationInstanceId, email } = seat
    const state = seat.notValidBecause ?? 'valid'
    return {
      cells: [id, deviceName, shortFingerprint(fingerprint), ago(lastAccessTime), ago(leaseExpiration), state],
      head: deviceName === null ? id : `${id}  ${deviceName}`,
      below: [
        state,
        `last used ${ago(lastAccessTime)}`,
        `lease ends ${ago(leaseExpiration)}`,
        seat.isOffline ? 'offline' : null,
        applicationInstanceId === null ? null : `instance ${applicationInstanceId}`,
        email,
        `fingerprint ${shortFingerprint(fingerprint)}`,
      ],
    }
  })
  return stackedTable(['SESSION', 'DEVICE', 'FINGERPRINT', 'LAST USED', 'LEASE ENDS', 'STATE'], rows, canvas)
}

const shortFingerprint = (fingerprint: string) =>
  fingerprint.length <= 12 ? fingerprint : `${fingerprint.slice(0, 11)}…`
