import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { feedbackItem, rating } from './people-steps.ts'
import { onOne, type Step, type StepKind, stepKind } from './steps.ts'
import { text, word } from './values.ts'

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

/** A code that was issued, however it is typed. */
const codeOf = (draw: Draw, known: Known): string | undefined => {
  const code = known.value('admin.entitlements.activationCodes', 'activationCode')
  return draw.chance(0.02) ? 'NO-SUCH-CODE' : draw.chance(0.05) && code ? ` ${code} ` : code
}

const remember = (known: Known, { token, session }: Json) => {
  known.remember('admin.sessions', session)
  known.remember('licensed', { ...session, token: token.name })
}

const activation = (operation: string, weight: number): StepKind => ({
  operation,
  weight,
  draw(draw, known) {
    const activationCode = codeOf(draw, known)
    const signedIn = draw.maybe(0.2, () => known.one('signed-in'))
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
    const licensed = known.one('licensed')
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

export const runtimeSteps: StepKind[] = [
  { ...activation('activations.license', 10), learn: remember },
  activation('activations.jwt', 1.5),
  {
    ...stepKind('activations.try', 1.5, (draw, known) => ({
      ...device(draw),
      productCode: undefined,
      ...(draw.chance(0.8) ? { offerId: known.id('admin.offers') } : { productCode: 'CAD' }),
    })),
    learn: remember,
  },
  stepKind('activations.admission.check', 0.5, (draw, known) => ({ activationCode: codeOf(draw, known) ?? 'none' })),
  { ...asSession('activations.renew', 3, proof), learn: remember },
  asSession('activations.checkIn', 2, proof),
  asSession('activations.release', 0.8, proof),
  asSession('usage.sessions.ratingPrompt', 1),
  asSession('consumer.ratings.submit', 0.8, (draw, known, { id }) => ({ ...rating(draw, known), sessionId: id }), {
    id: '',
  }),
  asSession('consumer.feedback.submit', 0.4, feedbackItem, { id: '' }),
  asSession('consumer.feedback.list', 0.2, undefined, { id: '' }),
  onOne('admin.sessions.get', 0.4),
  onOne('admin.sessions.release', 0.3),
  onOne('admin.sessions.revoke', 0.3, revocation),
  onOne('admin.sessions.revokeById', 0.2, revocation),
  onOne('admin.sessions.unblockDevice', 0.4),
  onOne('admin.sessions.listByUser', 0.3, undefined, { kind: 'admin.users', id: 'userId' }),
  onOne('admin.monitoredAssets.listBySession', 0.5, undefined, { ...sessions, id: 'sessionId' }),
  onOne('operational.activations.listByEntitlement', 0.4, undefined, { kind: 'admin.entitlements' }),
  stepKind('operational.activations.offline.issue', 1.5, (draw, known) => {
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
