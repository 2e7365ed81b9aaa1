import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LogOutput } from '../../server/kit/log-output.ts'
import { freshHome } from '../support/licet-binary.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `{"line":${index}}\n`)

test('writes each line once, in order, and at the end what still waits', async () => {
  const file = join(freshHome().directory, 'log')
  const descriptor = openSync(file, 'w')
  const log = new LogOutput(descriptor)
  for (const line of lines(20_000)) log.write(line)
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(lines(20_000).join(''))
  log.finish()
  closeSync(descriptor)
  expect(readFileSync(file, 'utf8')).toBe(lines(20_000).join(''))
})

test('keeps the lines before a sudden end, behind the one that is just being written', async () => {
  const file = join(freshHome().directory, 'log')
  const descriptor = openSync(file, 'w')
  const log = new LogOutput(descriptor)
  for (const line of lines(100)) log.write(line)
  log.finish()
  expect(readFileSync(file, 'utf8')).toBe(lines(100).join(''))
  await sleep(50)
  closeSync(descriptor)
  expect(readFileSync(file, 'utf8')).toBe(lines(100).join(''))
})

test.skipIf(process.platform === 'win32')('waits for a reader that stands still, and keeps lines whole', async () => {
  const pipe = join(freshHome().directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Neither end waits: a full pipe refuses with EAGAIN.
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
  const log = new LogOutput(writer, 100_000)
  const many = lines(100_000)
  for (const line of many) log.write(line)
  let heard = ''
  const part = Buffer.alloc(1024 * 1024)
  const hear = () => {
    try {
      heard += part.toString('utf8', 0, readSync(reader, part))
    } catch {
      // Nothing is there yet.
    }
    return heard
  }
  const firstLines = (count: number) => many.slice(0, count).join('')
  // What there was no room for is lost.
  await expect.poll(hear, { timeout: 20_000 }).toMatch(/"line":[0-9]{4,}}\n$/)
  await sleep(500)
  expect(hear()).toBe(firstLines(hear().split('\n').length - 1))
  expect(heard.length).toBeGreaterThan(90_000)
  expect(heard.length).toBeLessThan(firstLines(100_000).length)
  const before = heard
  log.write('{"line":"later"}\n')
  await expect.poll(hear).toBe(`${before}{"line":"later"}\n`)
  closeSync(reader)
  closeSync(writer)
})
