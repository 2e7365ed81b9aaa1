import { expect, test } from 'vitest'
import { compileCheck } from '../../catalog-schema/checker.ts'
import { artifactSchema, requireVersion } from '../../server/activations/offline/request-artifact.ts'

const nonce = Buffer.alloc(32, 7).toString('base64url')
const whole = () => ({
  meta: { schemaVersion: 1, nonce, requestedAt: '2026-01-02T03:04:05Z', sdkVersion: '1.2' },
  body: {
    activationCode: 'ABC',
    fingerprint: 'device',
    applicationInfo: { applicationName: 'Cad', applicationScope: 'editor' },
    components: { MachineName: 'a'.repeat(64), MacAddress: 'b'.repeat(64) },
  },
})
type Artifact = ReturnType<typeof whole>
const check = compileCheck(artifactSchema)
const pointersOf = (artifact: unknown) => check(artifact).map(({ pointer }) => pointer)
const withMeta = (meta: object) => ({ ...whole(), meta: { ...whole().meta, ...meta } })
const withBody = (body: object) => ({ ...whole(), body: { ...whole().body, ...body } })
const without = (part: keyof Artifact, field: string) => {
  const artifact = whole()
  delete (artifact[part] as Record<string, unknown>)[field]
  return artifact
}

const sound: [string, unknown][] = [
  ['with everything', whole()],
  [
    'with nothing optional',
    {
      meta: { schemaVersion: 1, nonce, requestedAt: '2026-01-02T03:04:05+02:00' },
      body: { activationCode: 'A', fingerprint: 'f' },
    },
  ],
  ['with null for what is optional', withBody({ applicationInfo: null, components: null })],
  ['with a component of another name', withBody({ components: { Gpu: 'x' } })],
  [
    'with a version written as a decimal',
    JSON.parse(JSON.stringify(whole()).replace('"schemaVersion":1', '"schemaVersion":1.0')),
  ],
]
test.each(sound)('an artifact %s is read', (_words, artifact) => {
  expect(pointersOf(artifact)).toEqual([])
  expect(() => requireVersion(artifact as object)).not.toThrow()
})

test.each(['2026-01-02T03:04:05Z', '2026-01-02t03:04:05.1+02:00', '2026-01-02T03:04:05.123456Z'])(
  'when it was asked stays as it is written: %s',
  (requestedAt) => {
    const artifact = withMeta({ requestedAt })
    expect([pointersOf(artifact), artifact.meta.requestedAt]).toEqual([[], requestedAt])
  },
)

test.each([
  ['with a nonce of 31 bytes', withMeta({ nonce: Buffer.alloc(31, 7).toString('base64url') }), '/meta/nonce'],
  ['with a nonce of 33 bytes', withMeta({ nonce: Buffer.alloc(33, 7).toString('base64url') }), '/meta/nonce'],
  ['with a padded nonce', withMeta({ nonce: `${nonce}=` }), '/meta/nonce'],
  ['with a nonce in the alphabet of base64', withMeta({ nonce: `+/${nonce.slice(2)}` }), '/meta/nonce'],
  ['with a nonce whose last bits are not zero', withMeta({ nonce: `${nonce.slice(0, 42)}d` }), '/meta/nonce'],
  ['with a line break after the nonce', withMeta({ nonce: `${nonce}\n` }), '/meta/nonce'],
  ['with a nonce of blanks', withMeta({ nonce: ' '.repeat(43) }), '/meta/nonce'],
  ['with a nonce that is no text', withMeta({ nonce: 7 }), '/meta/nonce'],
  ['without a nonce', without('meta', 'nonce'), '/meta'],
  ['without requestedAt', without('meta', 'requestedAt'), '/meta'],
  ['with a requestedAt that is no instant', withMeta({ requestedAt: 'yesterday' }), '/meta/requestedAt'],
  ['with a requestedAt of null', withMeta({ requestedAt: null }), '/meta/requestedAt'],
  ['with an sdkVersion that is no text', withMeta({ sdkVersion: 7 }), '/meta/sdkVersion'],
  ['with a field more', { ...whole(), more: true }, '/more'],
  ['with a field more in meta', withMeta({ note: null }), '/meta/note'],
  ['with a field more in its body', withBody({ productCode: 'CAD' }), '/body/productCode'],
  ['with a field more in applicationInfo', withBody({ applicationInfo: { build: 7 } }), '/body/applicationInfo/build'],
  ['with a component whose name is none', withBody({ components: { 'a b': 'x' } }), '/body/components'],
  ['without a body', { meta: whole().meta }, ''],
  ['with a body that is a list', { ...whole(), body: [] }, '/body'],
  ['without a code', without('body', 'activationCode'), '/body'],
  ['with an empty code', withBody({ activationCode: '' }), '/body/activationCode'],
  ['with a code of blanks', withBody({ activationCode: '  ' }), '/body/activationCode'],
  ['that is a list', [], ''],
  ['without a fingerprint', without('body', 'fingerprint'), '/body'],
  ['with an empty fingerprint', withBody({ fingerprint: '' }), '/body/fingerprint'],
  ['with a fingerprint of a megabyte', withBody({ fingerprint: 'f'.repeat(1e6) }), '/body/fingerprint'],
  ['with components in a list', withBody({ components: ['a'] }), '/body/components'],
  ['with a component that is no text', withBody({ components: { MacAddress: 7 } }), '/body/components/MacAddress'],
  [
    'with an application scope that is no text',
    withBody({ applicationInfo: { applicationScope: {} } }),
    '/body/applicationInfo/applicationScope',
  ],
])('an artifact %s is refused at its place', (_words, artifact, pointer) => {
  expect(pointersOf(artifact)).toEqual([pointer])
})

test.each([
  ['0', 0],
  ['2', 2],
  ['1.5', 1.5],
  ['the text 1', '1'],
  ['true', true],
  ['null', null],
  ['a list', [1]],
])('a schemaVersion of %s is another version, whatever else the artifact holds', (_words, schemaVersion) => {
  for (const artifact of [
    withMeta({ schemaVersion }),
    { meta: { schemaVersion } },
    { ...whole(), meta: { schemaVersion }, body: 7 },
  ]) {
    expect(pointersOf(artifact)).toEqual([])
    expect(() => requireVersion(artifact as object)).toThrow('schemaVersion')
  }
})

test.each([
  ['nothing', {}],
  ['no meta', { body: whole().body }],
  ['a meta of null', { meta: null }],
  ['no version', without('meta', 'schemaVersion')],
])('an artifact with %s is of no version', (_words, artifact) => {
  expect(pointersOf(artifact)).toEqual([])
  expect(() => requireVersion(artifact as object)).toThrow('schemaVersion')
})
