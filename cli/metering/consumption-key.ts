import { Problem } from '../problems.ts'

/** The longest key that the server takes, in characters. */
const longest = 200

/** How a flag reads what names a consumption once and for ever. Raises cli.usage unless it has 1 to 200 characters. */
export async function readConsumptionKey(value: string): Promise<string> {
  const length = [...value].length
  if (length > 0 && length <= longest) return value
  throw new Problem('cli.usage', `A key has 1 to ${longest} characters; this one has ${length}.`, {
    hint: '--key job-4711: what names the work, and not the call',
  })
}
