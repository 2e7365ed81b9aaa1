import type { ActivationCode } from '../tasks/tenant-records.ts'
import { momentWords } from '../time-words.ts'
import type { Canvas } from './canvas.ts'
import { stackedTable } from './stacking.ts'

/** Activation codes with how much of each is used. The codes themselves are among them: they are there to be handed out. */
export function codeLines(codes: readonly ActivationCode[], canvas: Canvas): string[] {
  const rows = codes.map((code) => {
    const until = code.expirationTimeStamp === null ? null : momentWords(code.expirationTimeStamp)
    return {
      cells: [code.id, code.activationCode, code.status, usedWords(code), until, code.email],
      head: `${code.id}  ${code.activationCode}`,
      below: [code.status, `${usedWords(code)} used`, until === null ? null : `until ${until}`, code.email],
    }
  })
  return stackedTable(['ID', 'CODE', 'STATUS', 'USED', 'UNTIL', 'FOR'], rows, canvas)
}

const usedWords = ({ usedActivations, maxDeviceActivations, useEntitlementMaxActivations }: ActivationCode) =>
  maxDeviceActivations === null || useEntitlementMaxActivations
    ? String(usedActivations)
    : `${usedActivations} of ${maxDeviceActivations}`
