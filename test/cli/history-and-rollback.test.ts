import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

const never = '0199f000-0000-7000-8000-000000000000'

interface Edition {
  price?: number
  status?: string
  description?: string
  more?: string
}
const catalog = ({ price = 49, status = 'Draft', description = 'First', more = '' }: Edition) => `products:
  - productCode: PRO
    productVersion: '2'
    name: Pro
    status: ${status}
    description: ${description}
plans:
  - suiteCode: PRO@2
    name: Standard
    plans:
      - name: Team
        monthlyPrice: ${price}
        currency: EUR
${more}`

let here: Environments
beforeAll(async () => {
  here = await serveEnvironments(['production', 'staging', 'quiet'])
  here.put('licet.yaml', 'catalog: catalog\n')
})
afterAll(() => here.server.stop())

const run = async (command: string, ...args: string[]) => {
  const ended = await here.run(['catalog', command, ...args, '--json'])
  return { exitCode: ended.exitCode, value: ended.json() }
}
const importing = async (env: string, edition: Edition): Promise<string> => {
  const snapshot = { formatVersion: '1.0', ...(load(catalog(edition)) as object) }
  return (await here.ask(env, 'POST', 'catalog/import', snapshot)).importId
}
const exported = (env: string) => here.ask(env, 'GET', 'catalog/export')
const edit = async (env: string, path: string, body: object) => {
  const { items } = await here.ask(env, 'GET', path)
  await here.ask(env, 'PATCH', `${path}/${items[0].id}`, body)
}

describe('the history', () => {
  let ids: string[]
  beforeAll(async () => {
    ids = []
    for (const [edition, ...args] of [
      [{}],
      [{ price: 59 }, '--source', 'git 1a2b3c'],
      [{ price: 69, more: 'tags:\n  - scope: Product\n    name: Hot\n' }],
    ] as const) {
      here.put('catalog/all.yaml', catalog(edition))
      const { value } = await run('import', '--env', 'staging', '--yes', ...args)
      ids.push(value.importId)
    }
  })

  test('lists the imports, the newest first, with who, when, how much and from where', async () => {
    const { exitCode, value } = await run('history', '--env', 'staging')
    expect(exitCode).toBe(0)
    expect(value.total).toBe(3)
    expect(value.imports.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    expect(value.imports[1]).toMatchObject({
      importedByName: 'tests',
      source: 'git 1a2b3c',
      summary: { create: 0, update: 1 },
    })
    const { stdout } = await here.run(['catalog', 'history', '--env', 'staging'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.replace(/\d{4}-\S+Z/, 'WHEN').split(/ {2,}/))
    expect(rows[0]).toEqual(['IMPORT', 'WHEN', 'WHO', 'CREATED', 'UPDATED', 'REVISION', 'SOURCE'])
    expect(rows.slice(1)).toEqual([
      [ids[2], 'WHEN', 'tests', '1', '1', '3 → 4', 'catalog'],
      [ids[1], 'WHEN', 'tests', '0', '1', '2 → 3', 'git 1a2b3c'],
      [ids[0], 'WHEN', 'tests', '2', '0', '1 → 2', 'catalog'],
    ])
  })

  test('--limit is kept, and says how many there are', async () => {
    const { stdout } = await here.run(['catalog', 'history', '--env', 'staging', '--limit', '2'])
    expect(stdout.split('\n')).toHaveLength(5)
    expect(stdout).toMatch(/\nThe latest 2 of 3; --limit shows more\.\n$/)
  })

  test('of one import it is the whole report', async () => {
    const { value } = await run('history', ids[2]!, '--env', 'staging')
    expect(value).toMatchObject({ id: ids[2], report: { importId: ids[2], summary: { create: 1, update: 1 } } })
    const { stdout } = await here.run(['catalog', 'history', ids[2]!, '--env', 'staging'])
    expect(stdout).toMatch(
      new RegExp(`^Import ${ids[2]} into staging\n {2}\\S+Z by tests, revision 3 → 4\n {2}from catalog\n\n`),
    )
    expect(stdout).toMatch(
      /\n\+ tag:Product\/Hot\n~ plan-set:PRO@2\/Standard\n {4}plans\/Team\/monthlyPrice {4}59 → 69\n/,
    )
    expect(stdout).toMatch(/\n1 created, 1 updated \(1 field\), 1 unchanged\.\n$/)
  })

  test('where nothing was imported it says so', async () => {
    const ended = await here.run(['catalog', 'history', '--env', 'quiet'])
    expect([ended.exitCode, ended.stdout]).toEqual([0, 'Nothing has been imported into quiet yet.\n'])
  })

  test.each(['history', 'rollback'])(
    '%s of an import that never was, or was elsewhere, fails with what to try',
    async (command) => {
      for (const [env, id] of [
        ['staging', never],
        ['quiet', ids[0]!],
      ] as const) {
        const { exitCode, value } = await run(command, id, '--env', env)
        expect([exitCode, value.error.codeName]).toEqual([1, 'license.record_not_found'])
        expect(value.error.message).toBe(`${env} has had no import ${id}.`)
        expect(value.error.hint).toBe(`licet catalog history --env ${env}`)
      }
    },
  )
})

describe('a rollback', { timeout: 120_000 }, () => {
  test('puts back what an import overwrote, is an import itself, and can be rolled back', async () => {
    await importing('production', {})
    const before = await exported('production')
    const done = await importing('production', { price: 59, description: 'Second' })
    const after = await exported('production')
    const shown = await here.run(['catalog', 'rollback', done, '--env', 'production', '--yes'])
    expect(shown.stderr).not.toContain('rror')
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).toMatch(/^~ product:PRO@2\n {4}description {4}"Second" → "First"\n/m)
    expect(shown.stdout).toMatch(/\n {4}plans\/Team\/monthlyPrice {4}59 → 49\n/)
    expect(shown.stdout).toMatch(/\nRolled back in production: import [0-9a-f-]{36}, revision \d+\.\n$/)
    expect(sections(await exported('production'))).toEqual(sections(before))
    const [latest] = (await run('history', '--env', 'production')).value.imports
    expect(latest).toMatchObject({ source: `rollback of ${done}`, summary: { create: 0, update: 2 } })

    const back = await run('rollback', latest.id, '--env', 'production', '--yes')
    expect(back.value).toMatchObject({ rolledBack: latest.id, staying: [], summary: { update: 2 } })
    expect(sections(await exported('production'))).toEqual(sections(after))
    expect((await run('drift', '--env', 'production')).exitCode).toBe(0)

    expect((await run('rollback', latest.id, '--env', 'production')).value).toMatchObject({
      importId: null,
      items: [],
    })
  })

  test('lists what it cannot undo: what was created, what was added to a list, a status that cannot go back', async () => {
    const env = 'staging'
    await importing(env, { price: 10, description: 'Old' })
    const more =
      '      - name: Extra\n        monthlyPrice: 5\n        currency: EUR\ntags:\n  - scope: Product\n    name: New\n'
    const done = await importing(env, { price: 20, status: 'Published', description: 'New', more })
    const shown = await here.run(['catalog', 'rollback', done, '--env', env, '--yes'])
    expect(shown.exitCode).toBe(0)
    const stays = shown.stdout.slice(shown.stdout.indexOf('\nStays'), shown.stdout.indexOf('\nRolled back'))
    expect(stays.split('\n').map((row) => row.replace(/ {2,}/, '  '))).toEqual([
      '',
      'Stays, since nothing is ever removed and no lifecycle goes back:',
      '· product:PRO@2 status  Published cannot become Draft',
      '· tag:Product/New  created by the import',
      '· plan-set:PRO@2/Standard plans/Extra  added by the import',
    ])
    const { products, plans, tags } = await exported(env)
    expect(products[0]).toMatchObject({ description: 'Old', status: 'Published' })
    expect(plans[0].plans).toMatchObject([{ name: 'Extra' }, { name: 'Team', monthlyPrice: 10 }])
    expect(tags.map(({ name }: { name: string }) => name)).toContain('New')
  })

  test('of an import that only created has nothing to do, and says what stays', async () => {
    const env = 'staging'
    here.put('one.yaml', 'suites:\n  - code: ONLY\n')
    const { value } = await run('import', 'one.yaml', '--env', env, '--yes')
    const rolled = await run('rollback', value.importId, '--env', env)
    expect(rolled.exitCode).toBe(0)
    expect(rolled.value).toMatchObject({
      importId: null,
      rolledBack: value.importId,
      staying: [{ key: 'suite:ONLY', why: 'created by the import' }],
    })
  })

  test('is refused when somebody has changed one of the items since, with who and when; unless they are to be overwritten', async () => {
    const env = 'staging'
    await importing(env, { price: 10, status: 'Published', description: 'Old' })
    const done = await importing(env, { price: 30, status: 'Published', description: 'Newer' })
    await edit(env, 'products', { externalId: 'by-hand' })
    const refused = await run('rollback', done, '--env', env, '--yes')
    expect(refused.exitCode).toBe(1)
    expect(refused.value.error).toMatchObject({
      code: 3005,
      codeName: 'catalog.environment_changed',
      message: `1 item that it would put back has changed in staging since import ${done}; nothing was changed.`,
      hint: '--overwrite-later-edits puts them back all the same',
      errors: [{ key: 'product:PRO@2', message: expect.stringMatching(/^changed \S+Z by tests$/) }],
    })
    expect((await exported(env)).products[0]).toMatchObject({ description: 'Newer', externalId: 'by-hand' })
    const forced = await run('rollback', done, '--env', env, '--yes', '--overwrite-later-edits')
    expect(forced.exitCode).toBe(0)
    expect((await exported(env)).products[0]).toMatchObject({ description: 'Old', externalId: null })
  })

  test('does not mind what others did elsewhere', async () => {
    const env = 'staging'
    await importing(env, { price: 10, status: 'Published', description: 'Old' })
    const done = await importing(env, { price: 40, status: 'Published', description: 'Old' })
    await edit(env, 'products', { description: 'By hand' })
    const rolled = await run('rollback', done, '--env', env, '--yes')
    expect(rolled.exitCode).toBe(0)
    const { products, plans } = await exported(env)
    expect([products[0].description, plans[0].plans[1].monthlyPrice]).toEqual(['By hand', 10])
  })

  test('asks first, and where nobody can be asked it names the flag', async () => {
    const env = 'staging'
    const done = await importing(env, { price: 77, status: 'Published', description: 'Asked' })
    const asked = await run('rollback', done, '--env', env)
    expect([asked.exitCode, asked.value.error.codeName, asked.value.error.hint]).toEqual([
      1,
      'cli.answer_needed',
      '--yes',
    ])
    expect((await exported(env)).products[0].description).toBe('Asked')
  })

  test('in a protected environment is guarded as any other change', async () => {
    const done = await importing('production', { price: 88, description: 'Guarded' })
    here.put(
      'licet.yaml',
      `catalog: catalog\nenvironments:\n  production:\n    url: ${here.server.url}/t/production\n    protected: true\n`,
    )
    const args = [done, '--env', 'production', '--confirm', 'production']
    const refused = await run('rollback', ...args)
    expect([refused.exitCode, refused.value.error.codeName, refused.value.error.hint]).toEqual([
      1,
      'cli.guarded',
      '--allow-price-change',
    ])
    expect((await run('rollback', ...args, '--allow-price-change')).exitCode).toBe(0)
    here.put('licet.yaml', 'catalog: catalog\n')
  })
})

function sections(snapshot: Record<string, unknown>) {
  const { exportedAt: _at, ...rest } = snapshot
  return rest
}
