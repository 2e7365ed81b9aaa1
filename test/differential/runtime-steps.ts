import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { feedbackItem, rating, signedInUser } from './people-steps.ts'
import { onOne, type Step, type StepKind, stepKind } from './steps.ts'
import { now, text, word } from './values.ts'

type Json = ReturnType<typeof JSON.parse>

const device = (draw: Draw) => ({
  fingerprint: `device-${draw.below(8)}`,
  applicationInfo: draw.maybe(0.3, () => ({
    applicationName: draw.maybe(0.5, () => word(draw)),
    installedApplicationVersion: draw.maybe(0.5, () => '1.2'),
    applicationScope: draw.maybe(0.4, () => word(draw)),
  })),
  components: draw.maybe(0.3, () => ({
    MachineName: `m${draw.below(3)}`,
    MacAddress: `a${draw.below(3)}`,
    OsVersion: draw.maybe(0.5, () => `o${draw.below(2)}`),
  })),
  productCode: draw.maybe(0.15, () => draw.oneOf(['CAD', 'cad', 'CAM'])),
  applicationInstanceId: draw.maybe(0.2, () => `i${draw.below(3)}`),
  deviceName: draw.maybe(0.3, () => word(draw)),
  email: draw.maybe(0.1, () => 'ann1@example.com'),
})

const codes = 'admin.entitlements.activationCodes'
const entitlements = 'admin.entitlements'

/** A code that was issued, however it is typed. */
const codeOf = (draw: Draw, known: Known): string | undefined => {
  const isActive = ({ entitlementId }: Json) =>
    known.one(entitlements, ({ id, status }) => id === entitlementId && status === 'Active')
  const usable = draw.maybe(0.9, () => known.value(codes, 'activationCode', isActive))
  const code = usable ?? known.value(codes, 'activationCode')
  return draw.chance(0.02) ? 'NO-SUCH-CODE' : draw.chance(0.05) && code ? ` ${code} ` : code
}

const remember = (known: Known, { token, session }: Json) => {
  known.remember('admin.sessions', session)
  known.remember('licensed', { ...session, token: token.name, until: token.claims.exp })
}

const activation = (operation: string, weight: number): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const activationCode = codeOf(draw, known)
    const signedIn = draw.maybe(0.2, () => signedInUser(known))
    if (activationCode === undefined && !signedIn) return undefined
    const input = {
      ...device(draw),
      activationCode: signedIn && draw.chance(0.4) ? undefined : activationCode,
      useInteractiveUser: signedIn ? true : draw.maybe(0.05, () => true),
    }
    return { input, ...(signedIn && { token: signedIn.token }) }
  },
})

/** A step of a licensed application: its session, by the token that it was licensed with last. */
export const asSession = (
  operation: string,
  weight: number,
  more: (draw: Draw, known: Known, session: Json) => object | undefined = () => ({}),
  { id = 'sessionId' } = {},
): StepKind => ({
  operation,
  weight,
  draw(draw, known): Omit<Step, 'operation'> | undefined {
    const metered = new Set(known.all('admin.monitoredAssets').map(({ productId }) => productId))
    const isAble = ({ until, licensedProducts }: Json) =>
      until * 1000 > now(known) && licensedProducts.some((one: string) => metered.has(one))
    const licensed = draw.chance(0.9) ? known.one('licensed', isAble) : known.one('licensed')
    const drawn = licensed && more(draw, known, licensed)
    return drawn && { token: licensed.token, input: { ...(id && { [id]: licensed.id }), ...drawn } }
  },
})

const proof = (draw: Draw, _: Known, { fingerprint }: Json) => ({
  fingerprint: draw.maybe(0.3, () => (draw.chance(0.9) ? fingerprint : 'device-x')),
})

const revocation = (draw: Draw) => ({
  reason: draw.maybe(0.4, () => text(draw)),
  blockDevice: draw.maybe(0.3, () => true),
})
const sessions = { kind: 'admin.sessions' }

const rateLicensed = (draw: Draw, known: Known, { id, licensedProducts }: Json) => ({
  ...rating(draw, known),
  sessionId: id,
  productId: draw.maybe(0.9, () => licensedProducts[0]),
  featureId: draw.maybe(0.8, () =>
    known.value('admin.featureCatalog', 'id', ({ productId }) => productId === licensedProducts[0]),
  ),
})

export const runtimeSteps: StepKind[] = [
  { ...activation('activations.license', 25), learn: remember },
  activation('activations.jwt', 3.75),
  {
    ...stepKind('activations.try', 3.75, (draw, known) => {
      const offerId = known.id('admin.offers', (one) => one.allowAnonymousTry && one.status === 'Active')
      const { productCode, ...rest } = device(draw)
      return offerId && { ...rest, ...(draw.chance(0.8) ? { offerId } : { productCode: 'CAD' }) }
    }),
    learn: remember,
  },
  stepKind('activations.admission.check', 1.25, (draw, known) => ({ activationCode: codeOf(draw, known) ?? 'none' })),
  { ...asSession('activations.renew', 7.5, proof), learn: remember },
  asSession('activations.checkIn', 5, proof),
  {
    ...asSession('activations.release', 2, proof),
    learn(known, _, { sessionId }) {
      const licensed = known.one('licensed', ({ id }) => id === sessionId)
      if (licensed) known.remember('licensed', { ...licensed, until: 0 })
    },
  },
  asSession('usage.sessions.ratingPrompt', 2.5),
  asSession('consumer.ratings.submit', 2, rateLicensed, { id: '' }),
  asSession('consumer.feedback.submit', 1, feedbackItem, { id: '' }),
  asSession('consumer.feedback.list', 0.5, undefined, { id: '' }),
  onOne('admin.sessions.get', 1),
  onOne('admin.sessions.release', 0.75),
  onOne('admin.sessions.revoke', 0.75, revocation),
  onOne('admin.sessions.revokeById', 0.5, revocation),
  onOne('admin.sessions.unblockDevice', 1),
  onOne('admin.sessions.listByUser', 0.75, undefined, { kind: 'admin.users', id: 'userId' }),
  onOne('admin.monitoredAssets.listBySession', 1.25, undefined, { ...sessions, id: 'sessionId' }),
  onOne('operational.activations.listByEntitlement', 1, undefined, { kind: 'admin.entitlements' }),
  stepKind('operational.activations.offline.issue', 3.75, (draw, known) => {
    const activationCode = codeOf(draw, known)
    const { fingerprint, applicationInfo, components } = device(draw)
    if (activationCode === undefined) return undefined
    const meta = {
      schemaVersion: draw.chance(0.98) ? 1 : 2,
      nonce: 'A'.repeat(43),
      requestedAt: '2048-02-01T00:00:00Z',
    }
    return { artifact: { meta, body: { activationCode, fingerprint, applicationInfo, components } } }
  }),
]
