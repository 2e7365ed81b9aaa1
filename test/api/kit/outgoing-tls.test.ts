import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openOutgoing } from '../../../server/kit/outgoing/client.ts'
import { answer, listen } from './peers.ts'

type Certified = { key: string; cert: string }
type Name = 'good' | 'expired' | 'early' | 'misnamed' | 'unknown'

const validity: Record<Name, [from: string, until: string]> = {
  good: ['20240101000000Z', '20990101000000Z'],
  expired: ['20200101000000Z', '20240101000000Z'],
  early: ['20980101000000Z', '20990101000000Z'],
  misnamed: ['20240101000000Z', '20990101000000Z'],
  unknown: ['20240101000000Z', '20990101000000Z'],
}
const certificates = {} as Record<Name, Certified>
const usual = getCACertificates('default')
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'licet-certificates-'))
  for (const name of Object.keys(validity) as Name[]) certificates[name] = await certify(name)
  const { unknown: _, ...trusted } = certificates
  setDefaultCACertificates([...usual, ...Object.values(trusted).map(({ cert }) => cert)])
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(async () => {
  setDefaultCACertificates(usual)
  await rm(directory, { recursive: true })
})

/** A key, and a certificate of it that it signs itself. */
async function certify(name: Name): Promise<Certified> {
  const file = (kind: string) => join(directory, `${name}.${kind}`)
  await writeFile(file('index'), '')
  await writeFile(
    file('conf'),
    `[ca]\ndefault_ca=d\n[d]\ndatabase=${file('index')}\nrand_serial=yes\nnew_certs_dir=${directory}\ndefault_md=sha256\n` +
      `policy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n[req]\ndistinguished_name=n\n[n]\n`,
  )
  const host = name === 'misnamed' ? 'other.example' : 'hooks.example'
  const conf = ['-config', file('conf')]
  const keyed = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key')]
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${host}`, '-out', file('csr')]
  await execa('openssl', ['req', '-new', ...conf, ...keyed, ...named])
  const [from, until] = validity[name]
  const dated = ['-startdate', from, '-enddate', until]
  const signed = ['-selfsign', '-keyfile', file('key'), '-in', file('csr'), '-out', file('cert'), '-notext']
  await execa('openssl', ['ca', '-batch', ...conf, ...dated, ...signed])
  return { key: await readFile(file('key'), 'utf8'), cert: await readFile(file('cert'), 'utf8') }
}

/** Posts to a loopback port by the name hooks.example. */
function postTo(port: number) {
  const limits = { totalMillis: 5000, bodyBytes: 65_536 }
  const outgoing = openOutgoing(true, { limits, resolve: async () => ['127.0.0.1'] })
  onTestFinished(() => outgoing.close())
  return outgoing.post({ url: `https://hooks.example:${port}/`, headers: {}, body: Buffer.from('{}') })
}

/** Posts to a peer that has one of the certificates. */
async function post(name: Name, tls: TlsOptions = {}) {
  const peer = await listen((socket) => socket.write(answer(200, 'hello')), { ...certificates[name], ...tls })
  return { reply: await postTo(peer.port), heard: peer.heard.join('') }
}

test('a trusted certificate of the name will do', async () => {
  const { reply, heard } = await post('good')
  expect(reply).toMatchObject({ status: 200, body: Buffer.from('hello') })
  expect(heard).toMatch(/^POST \/ HTTP\/1.1\r\nhost: hooks\.example:\d+\r\n/)
})

test.each([
  ['unknown', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['expired', 'CERT_HAS_EXPIRED'],
  ['early', 'CERT_NOT_YET_VALID'],
  ['misnamed', 'ERR_TLS_CERT_ALTNAME_INVALID'],
] as const)('one that is %s is refused before anything is sent, whatever the environment says', async (name, code) => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const { reply, heard } = await post(name)
  expect(reply).toMatchObject({ failure: `the certificate is not trusted: ${code}` })
  expect(heard).toBe('')
})

test('nor will TLS of long ago do, or none at all', async () => {
  const old: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
  expect((await post('good', old)).reply).toMatchObject({ failure: 'no TLS connection came about' })
  const plain = await listen(() => undefined)
  const reply = postTo(plain.port)
  await expect.poll(() => plain.heard.length).toBe(1)
  plain.sockets[0]!.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  expect(await reply).toMatchObject({ failure: 'no TLS connection came about' })
})
