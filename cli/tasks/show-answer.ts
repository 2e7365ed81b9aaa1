import type { Answer } from '../server-connection/exchange.ts'
import { visible } from '../visible-text.ts'

/** The status line and the headers of an answer, control characters visible. */
export function headOf(answer: Answer): string {
  const lines = [...answer.headers].map(([name, value]) => visible(`${name}: ${value}`))
  return [`HTTP ${answer.status} ${visible(answer.statusText)}`.trimEnd(), ...lines, ''].join('\n')
}

/** JSON text indented for a person; what is not JSON stays as it is. */
export function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
