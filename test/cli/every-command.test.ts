import { describe, expect, test } from 'vitest'
import { topics } from '../../cli/commands/index.ts'
import { commandManifest } from '../../cli/manifest.ts'

interface Described {
  summary?: string
  description?: string
  examples?: unknown[]
  flags: Record<string, { env?: string; summary?: string; description?: string }>
  args: Record<string, { ignoreStdin?: boolean; description?: string }>
}

const manifest = Object.entries((await commandManifest()) as Record<string, Described>)

describe.each(manifest)('licet %s', (id, command) => {
  test('has a summary, a description and an example', () => {
    expect(command.summary).toMatch(/\S.*\.$/)
    expect(command.description).toMatch(/\S/)
    expect(command.examples?.length ?? 0).toBeGreaterThan(0)
    const words = id.replaceAll(':', ' ')
    for (const example of command.examples ?? []) {
      const text = typeof example === 'string' ? example : JSON.stringify(example)
      expect(text).toContain(`<%= config.bin %> ${words}`)
    }
  })

  test('explains every flag and argument, and gives every flag a variable', () => {
    for (const [name, flag] of Object.entries(command.flags)) {
      expect(flag.summary ?? flag.description, name).toMatch(/\S/)
      expect(flag.env, name).toMatch(/^LICET_[A-Z0-9_]+$/)
    }
    for (const [name, argument] of Object.entries(command.args)) {
      expect(argument.description, name).toMatch(/\S/)
      expect(argument.ignoreStdin, name).toBe(true)
    }
  })

  test('takes no secret as an argument or a flag', () => {
    const names = [...Object.keys(command.flags), ...Object.keys(command.args)]
    expect(names.filter((name) => /secret|password|private-key|token$/.test(name) && !name.endsWith('-file'))).toEqual(
      [],
    )
  })
})

test('every first word that commands share is a topic that says what it is', () => {
  const shared = manifest.map(([id]) => id.split(':')).filter((words) => words.length > 1)
  expect([...new Set(shared.map(([word]) => word))].filter((word) => !topics[word!])).toEqual([])
})

test('what --protected says that it covers is what has --confirm', () => {
  const covering = manifest.filter(([, { flags }]) => flags.confirm).map(([id]) => id)
  const said = manifest.find(([id]) => id === 'env:add')![1].flags.protected!.description!.split('. ')[0]!
  for (const id of covering) {
    const [topic, deed] = id.split(':')
    expect(said).toMatch(new RegExp(`${topic} [\\w, ]*\\b${deed}\\b`))
  }
  expect(covering).toHaveLength(10)
})
