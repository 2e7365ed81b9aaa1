import { isOn } from './global-switches.ts'

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  reverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export type Paint = { [Style in keyof typeof codes]: (text: string) => string }

/** Whether a stream is painted: --no-color and NO_COLOR, then FORCE_COLOR, then TERM=dumb, then whether it is a terminal. */
export function isPainted(stream: { isTTY?: boolean }, variables: NodeJS.ProcessEnv = process.env): boolean {
  if (isOn(variables.LICET_NO_COLOR) || variables.NO_COLOR) return false
  if (variables.FORCE_COLOR !== undefined) return variables.FORCE_COLOR === '' || isOn(variables.FORCE_COLOR)
  if (variables.TERM === 'dumb') return false
  return stream.isTTY === true
}

/** The colours of a stream; where it is not painted each returns its text. A colour never says anything that the text does not. */
export function paint(stream: { isTTY?: boolean }, variables: NodeJS.ProcessEnv = process.env): Paint {
  const painted = isPainted(stream, variables)
  return Object.fromEntries(
    Object.entries(codes).map(([style, [on, off]]) => [
      style,
      (text: string) => (painted ? `\u001b[${on}m${text}\u001b[${off}m` : text),
    ]),
  ) as Paint
}
