import { Problem } from '../problems.ts'

/**
 * `KEY=VALUE` lines as the attributes of a filter. A value that reads as a JSON number, true, false or a quoted text is
 * that; anything else is the text that it is. Raises cli.usage.
 */
export function attributesFrom(lines: readonly string[]): Record<string, string | number | boolean> {
  const attributes = Object.create(null) as Record<string, string | number | boolean>
  for (const line of lines) {
    const at = line.indexOf('=')
    if (at <= 0)
      throw new Problem('cli.usage', 'An attribute is written KEY=VALUE.', { hint: '--attribute planName=Team' })
    const key = line.slice(0, at)
    if (key in attributes) throw new Problem('cli.usage', `The attribute ${key} is named twice.`)
    attributes[key] = scalarOf(line.slice(at + 1))
  }
  return attributes
}

function scalarOf(text: string): string | number | boolean {
  if (!/^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|".*")$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** An http or https URL. Raises cli.usage, naming the flag or argument. */
export const readHttpUrl = (name: string) => async (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && ['http:', 'https:'].includes(url.protocol)) return text
  throw new Problem('cli.usage', `${name} is no http or https URL.`, { hint: 'https://crm.example.com/hooks/licet' })
}
