import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltServer, serveBuilt } from '../support/built-server.ts'
import { furnish } from '../support/server.ts'

const executablePath = process.env.LICET_CHROMIUM ?? '/usr/bin/chromium'

let directory: string
let server: BuiltServer
let browser: Browser
let opened: { page: Page; context: BrowserContext; requests: string[]; complaints: string[] }

beforeAll(async () => {
  await access(executablePath).catch(() => {
    throw new Error(
      `${executablePath} is missing: \`apt-get install chromium\`, or set LICET_CHROMIUM to a Chromium or Chrome.`,
    )
  })
  directory = await mkdtemp(join(tmpdir(), 'licet-browser-'))
  const databaseUrl = `sqlite:${join(directory, 'licet.db')}`
  await furnish(databaseUrl)
  server = await serveBuilt(databaseUrl)
  browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  opened = await openReference()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  if (directory) await rm(directory, { recursive: true, force: true })
})

/** Opens the reference and waits for an operation's heading, remembering every request and complaint. */
async function openReference() {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => void requests.push(request.url()))
  page.on('requestfailed', (request) => void complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(String(error)))
  await page.goto(`${server.origin}/t/acme/docs`)
  await page.getByText('admin.catalog', { exact: true }).first().click({ timeout: 40_000 })
  await page.getByText('Compare a snapshot with this environment').first().waitFor({ timeout: 40_000 })
  // Whatever the page would still ask for or complain of.
  await page.waitForTimeout(1500)
  return { page, context, requests, complaints }
}

test('the reference shows the operations, and a picture of it is no blank page', async () => {
  const { page } = opened
  expect(await page.title()).toContain('licet')
  expect(await page.getByText('Import a snapshot').count()).toBeGreaterThan(0)
  const picture = await page.screenshot({ path: process.env.LICET_SCREENSHOT ?? join(directory, 'docs.png') })
  expect(picture.length).toBeGreaterThan(20_000)
})

test('it asks this origin alone for everything', () => {
  const elsewhere = opened.requests.filter(
    (url) => !/^(data|blob|about):/.test(url) && new URL(url).origin !== server.origin,
  )
  expect(opened.requests.length).toBeGreaterThan(2)
  expect(elsewhere).toEqual([])
})

test('its content policy is kept, and nothing complains', async () => {
  const answer = await opened.page.request.get(`${server.origin}/t/acme/docs`)
  const policy = answer.headers()['content-security-policy']
  expect(policy).toMatch(/default-src 'none'.*script-src 'self'(;| 'sha)/)
  expect(policy).not.toContain('unsafe-eval')
  expect(opened.complaints).toEqual([])
})

test('an operation opened from the menu shows its path', async () => {
  const { page } = opened
  await page.getByText('Import a snapshot').first().click()
  await page.getByText('/api/v1/provision/admin/catalog/import').first().waitFor()
})

test('every problem has a page of its own, which loads nothing', async () => {
  const { context } = opened
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => void requests.push(request.url()))
  await page.goto(`${server.origin}/docs/problems/catalog.in_use`)
  expect(await page.locator('h1').textContent()).toBe('In use')
  expect(requests).toHaveLength(1)
})
