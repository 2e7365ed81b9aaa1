import { join } from 'node:path'
import { expect } from 'vitest'

/** JSON with a line for each member, and for each text of a list, so that a change is read line by line. */
function inLines(fact: readonly unknown[] | Record<string, unknown>): string {
  const [open, close] = Array.isArray(fact) ? '[]' : '{}'
  const lines = Array.isArray(fact)
    ? fact.map((member) => JSON.stringify(member))
    : Object.entries(fact).map(([name, member]) => `${JSON.stringify(name)}: ${memberInLines(member)}`)
  return `${open}\n${lines.map((line) => `  ${line}`).join(',\n')}\n${close}\n`
}

const memberInLines = (member: unknown) =>
  Array.isArray(member) && member.length > 0 && member.every((one) => typeof one === 'string')
    ? `[\n${member.map((text) => `    ${JSON.stringify(text)}`).join(',\n')}\n  ]`
    : JSON.stringify(member)

/** Holds a fact to the file that is checked in beside this one; `npx vitest run test/facts -u` accepts a change. */
export async function expectCheckedIn(name: string, fact: readonly unknown[] | Record<string, unknown>): Promise<void> {
  await expect(
    inLines(fact),
    `the surface changed: if that is meant, accept it with \`npx vitest run test/facts -u\` and commit ${name}.json`,
  ).toMatchFileSnapshot(join(import.meta.dirname, `${name}.json`))
}
