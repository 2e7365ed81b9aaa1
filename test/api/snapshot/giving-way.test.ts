import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serveBuilt } from '../../support/built-server.ts'
import { everyScope, furnish, requestToken } from '../../support/server.ts'

test.runIf(process.platform === 'linux')(
  'once something heavy was asked for, its thread and those of V8 are behind the one that answers',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'licet-giving-way-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const databaseUrl = `sqlite:${join(directory, 'licet.db')}`
    const { clients } = await furnish(databaseUrl)
    const server = await serveBuilt(databaseUrl)
    onTestFinished(() => server.close())

    const tenant = `${server.origin}/t/acme`
    const answer = await fetch(`${tenant}/api/v1/provision/admin/catalog/export`, {
      headers: { authorization: `Bearer ${await requestToken(tenant, clients.acme, everyScope)}` },
    })
    expect(answer.status).toBe(200)

    const threads = `/proc/${server.process.pid}/task`
    const priorities: Record<string, number[]> = {}
    for (const thread of await readdir(threads)) {
      const name = (await readFile(`${threads}/${thread}/comm`, 'utf8')).trim()
      priorities[name] = [...(priorities[name] ?? []), getPriority(Number(thread))]
    }
    const { PRIORITY_BELOW_NORMAL: behind } = constants.priority
    expect(priorities.MainThread).toEqual([getPriority()])
    expect(new Set(priorities.V8Worker)).toEqual(new Set([behind]))
    expect(priorities.WorkerThread).toContain(behind)
  },
)
