import { readJson } from '../exact-numbers.ts'
import { Problem } from '../problems.ts'
import { version } from '../version.ts'
import { lookFirst } from './asking.ts'
import type { Answer } from './exchange.ts'

/** The media type of an answer, without parameters. */
function mediaType(answer: Answer): string {
  return (answer.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

export function isJson(answer: Answer): boolean {
  return /^application\/(.+\+)?json$/.test(mediaType(answer))
}

/** The text of an answer; what is not UTF-8 is replaced. */
export function textOf(answer: Answer): string {
  return new TextDecoder().decode(answer.bytes)
}

/** Whether what was asked may have been done by an answer that does not say: it would change something, and none of it refuses. */
export const mayBeDone = ({ status, isOfAsking }: Pick<Answer, 'status' | 'isOfAsking'>): boolean =>
  !isOfAsking && (status < 400 || status >= 500)

/** A hint about an answer that cannot be read; to look first where what was asked may have been done. */
const hintOn = (answer: Answer, hint: string) => (mayBeDone(answer) ? `${lookFirst}; ${hint}` : hint)

/** The JSON value of an answer as readJson reads it, null when it can have no body. Raises cli.unreadable_answer for HTML, other types, and JSON cut short. */
export function jsonOf(answer: Answer, host: string): unknown {
  const { status } = answer
  if (!answer.hasBody && answer.bytes.length === 0) return null
  const type = mediaType(answer)
  if (type.includes('html')) {
    throw new Problem('cli.unreadable_answer', `${host} answered with a web page instead of JSON (${status}).`, {
      hint: hintOn(answer, "is this the tenant's base URL (…/t/SLUG), and no login page or proxy in front of it?"),
      status,
    })
  }
  if (!isJson(answer)) {
    const what = type === '' ? 'something without a content type' : type
    throw new Problem('cli.unreadable_answer', `${host} answered with ${what} instead of JSON (${status}).`, {
      hint: hintOn(answer, "is this the tenant's base URL (…/t/SLUG)?"),
      status,
    })
  }
  try {
    return readJson(textOf(answer))
  } catch (cause) {
    throw new Problem('cli.unreadable_answer', `The JSON that ${host} answered is cut short or broken (${status}).`, {
      hint: `${mayBeDone(answer) ? lookFirst : 'try again'}; if it stays so, look at the server or proxy log`,
      status,
      cause,
    })
  }
}

/** The refusal of an answer that is JSON, but not what a licet of this version answers; of one to a change, with the answer. */
export function foreignAnswer(url: string, answer?: Answer): Problem {
  const hint = `is this the tenant's base URL (…/t/SLUG), and does a licet of this version (${version}) serve it?`
  return new Problem(
    'cli.unreadable_answer',
    `${new URL(url).host} answered with JSON that is not what licet answers.`,
    {
      hint: answer ? hintOn(answer, hint) : hint,
    },
  )
}
