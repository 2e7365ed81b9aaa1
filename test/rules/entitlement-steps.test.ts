import { describe, expect, test } from 'vitest'
import { renew } from '../../server/entitlements/life/renewing.ts'
import { restartTrial } from '../../server/entitlements/life/restarting.ts'
import { type Settled, settle } from '../../server/entitlements/life/settling.ts'
import { type EntitlementStatus, type StepName, stepTo, takeStep } from '../../server/entitlements/life/steps.ts'
import { startTrial } from '../../server/entitlements/life/trials.ts'
import type { Problem } from '../../server/kit/problem.ts'
import { entitlementRow } from '../support/entitlement-rows.ts'

const at = (text: string) => Date.parse(`${text}T00:00:00Z`)
const now = at('2027-01-31')
const monthly = { period: 'Monthly' }
const trialPolicy = { enabled: true, duration: 'P14D' }

const typesOf = ({ happenings }: Settled) => happenings.map(({ type }) => type.replace('Entitlement.', ''))

/** What a deed leads to: the status and the events, or the code name of its refusal. */
function outcomeOf(deed: () => Settled) {
  try {
    const settled = deed()
    return [settled.row.status, ...typesOf(settled)]
  } catch (error) {
    return (error as Problem).codeName
  }
}
const refused = 'catalog.invalid_transition'

describe('the steps of an entitlement', () => {
  const statuses: EntitlementStatus[] = ['Draft', 'Active', 'Suspended', 'Cancelled', 'Expired']
  const of = (status: EntitlementStatus) => entitlementRow({ status, renewalPolicy: monthly })

  test.each<[StepName, unknown[]]>([
    ['activate', [['Active', 'Activated'], refused, refused, refused, refused]],
    ['suspend', [refused, ['Suspended'], refused, refused, refused]],
    ['resume', [refused, refused, ['Active', 'Activated'], refused, refused]],
    [
      'cancel',
      [
        ...[
          ['Cancelled', 'Cancelled'],
          ['Cancelled', 'Cancelled'],
          ['Cancelled', 'Cancelled'],
        ],
        refused,
        ['Cancelled', 'Cancelled'],
      ],
    ],
  ])('%s', (name, outcomes) => {
    expect(statuses.map((status) => outcomeOf(() => takeStep(of(status), name, now)))).toEqual(outcomes)
  })

  test('a status is written as the step that leads there', () => {
    const table = Object.fromEntries(
      statuses.map((from) => [from, statuses.map((to) => outcomeOf(() => stepTo(of(from), to, now)))]),
    )
    const [activated, cancelled] = [
      ['Active', 'Activated'],
      ['Cancelled', 'Cancelled'],
    ]
    expect(table).toEqual({
      Draft: [refused, activated, refused, cancelled, refused],
      Active: [refused, refused, ['Suspended'], cancelled, refused],
      Suspended: [refused, activated, refused, cancelled, refused],
      Cancelled: [refused, refused, refused, refused, refused],
      Expired: [refused, ['Active', 'Renewed', 'Activated'], refused, cancelled, refused],
    })
  })

  test.each([
    ['Suspended', 'activate', 'It is Suspended and has no step "activate": it has resume and cancel.'],
    ['Cancelled', 'resume', 'It is Cancelled and has no step "resume": Cancelled is the last status.'],
  ] as const)('of what is %s, %s is refused with the steps that there are', (status, step, message) => {
    expect(() => takeStep(entitlementRow({ status }), step, now)).toThrow(message)
  })

  test('an entitlement that time has ended meanwhile is Expired before it is moved by hand', () => {
    const over = entitlementRow({ status: 'Active', expiration_date_time: now })
    expect(outcomeOf(() => stepTo(over, 'Suspended', now))).toBe(refused)
    expect(outcomeOf(() => stepTo(over, 'Cancelled', now))).toEqual(['Cancelled', 'Expiring', 'Cancelled'])
  })
})

describe('activating', () => {
  const activated = (fields: Parameters<typeof entitlementRow>[0]) =>
    takeStep(entitlementRow(fields), 'activate', now).row

  test.each([
    ['Monthly', at('2027-02-28')],
    ['Yearly', at('2028-01-31')],
    ['Lifetime', null],
  ])('begins the first %s period', (period, end) => {
    expect(activated({ renewalPolicy: { period } })).toMatchObject({
      ...{ status: 'Active', activated_at: now, period_started_at: now },
      ...{ expiration_date_time: end, period_anchor_at: now },
    })
  })

  test('leaves an end that was given, and gives none to one without a renewal policy', () => {
    const end = at('2027-03-15')
    expect(activated({ renewalPolicy: monthly, expiration_date_time: end })).toMatchObject({
      expiration_date_time: end,
    })
    expect(activated({})).toMatchObject({ expiration_date_time: null })
  })

  test('what renews itself and had its end before it began has the next end after, and was renewed by nothing', () => {
    const fields = { renewalPolicy: { ...monthly, autoRenew: true }, expiration_date_time: at('2026-08-31') }
    for (const begun of [
      takeStep(entitlementRow(fields), 'activate', now),
      stepTo(entitlementRow(fields), 'Active', now),
    ]) {
      const settled = settle(begun.row, now)
      expect(settled.row).toMatchObject({
        ...{ status: 'Active', period_started_at: now, expiration_date_time: at('2027-02-28') },
        period_anchor_at: at('2026-08-31'),
      })
      expect([typesOf(begun), typesOf(settled)]).toEqual([['Activated'], []])
    }
  })

  test('the first period begins when the entitlement becomes valid; that of a trial when it is paid for', () => {
    const valid = at('2027-03-01')
    expect(activated({ renewalPolicy: monthly, not_valid_before_date_time: valid })).toMatchObject({
      ...{ period_started_at: valid, expiration_date_time: at('2027-04-01') },
    })
    expect(activated({ renewalPolicy: monthly, trialPolicy })).toMatchObject({
      ...{ period_started_at: null, expiration_date_time: null },
    })
  })

  test('no end is later than the last instant that can be written', () => {
    const last = Date.parse('9999-12-31T23:59:59.999Z')
    const late = { renewalPolicy: { period: 'Yearly' }, not_valid_before_date_time: at('9999-06-01') }
    expect(activated(late).expiration_date_time).toBe(last)
    const longest = entitlementRow({ trialPolicy: { duration: 'P900000Y' } })
    expect(startTrial(longest, now).trial_ends_at).toBe(last)
  })

  test('what is over already is not activated', () => {
    const over = entitlementRow({ expiration_date_time: now })
    expect(outcomeOf(() => takeStep(over, 'activate', now))).toBe(refused)
    const trial = entitlementRow({ trialPolicy, trial_started_at: 0, trial_ends_at: now })
    expect(outcomeOf(() => takeStep(trial, 'activate', now))).toBe(refused)
  })

  test('what is written Active with its end behind it is Expired at once', () => {
    const written = stepTo(entitlementRow({ expiration_date_time: now }), 'Active', now)
    expect(typesOf(written)).toEqual(['Activated'])
    expect(settle(written.row, now).row).toMatchObject({ status: 'Expired', activated_at: now })
  })
})

describe('renewing', () => {
  const active = { status: 'Active', renewalPolicy: monthly, period_anchor_at: now }
  const renewed = (fields: Parameters<typeof entitlementRow>[0], renewal: Parameters<typeof renew>[1] = {}) =>
    renew(entitlementRow({ ...active, ...fields }), renewal, now)

  test('goes on from the present end, or from now if that is over', () => {
    const ahead = renewed({ expiration_date_time: at('2027-02-28') })
    expect(ahead.row).toMatchObject({ status: 'Active', expiration_date_time: at('2027-03-31') })
    const period = { periodStart: '2027-02-28T00:00:00.000Z', periodEnd: '2027-03-31T00:00:00.000Z' }
    expect(ahead.happenings).toMatchObject([{ type: 'Entitlement.Renewed', data: period }])
    const back = renewed({ status: 'Expired', expiration_date_time: at('2026-12-31') })
    expect([back.row.status, back.row.expiration_date_time]).toEqual(['Active', at('2027-02-28')])
    expect(typesOf(back)).toEqual(['Renewed', 'Activated'])
    expect(back.happenings[0]?.data).toMatchObject({ status: 'Active', subscriptionStatus: 'Active' })
  })

  test('goes by as many periods as are asked for, or until an instant', () => {
    const end = { expiration_date_time: at('2027-02-28') }
    expect(renewed(end, { periods: 12 }).row.expiration_date_time).toBe(at('2028-02-29'))
    expect(renewed(end, { until: at('2030-05-05') }).row.expiration_date_time).toBe(at('2030-05-05'))
  })

  test('makes a paid licence of a trial, whose first period begins now', () => {
    const trial = { trialPolicy, trial_started_at: 0, trial_ends_at: at('2027-02-05') }
    const { row } = renewed({ ...trial, period_anchor_at: null })
    expect(row).toMatchObject({
      is_entitlement_trial: 0,
      period_started_at: now,
      expiration_date_time: at('2027-02-28'),
    })
    expect(outcomeOf(() => renewed({ ...trial, status: 'Expired', trial_ends_at: now }))).toEqual([
      ...['Active', 'Renewed', 'Activated'],
    ])
  })

  test('a suspended one stays suspended, and a Lifetime ends no more', () => {
    expect(outcomeOf(() => renewed({ status: 'Suspended' }))).toEqual(['Suspended', 'Renewed'])
    const lifetime = { renewalPolicy: { period: 'Lifetime' }, status: 'Expired', expiration_date_time: 0 }
    expect(renewed(lifetime).row).toMatchObject({ status: 'Active', expiration_date_time: null })
  })

  test.each([
    ['until and periods', {}, { until: at('2028-01-01'), periods: 1 }, ''],
    ['until the past', {}, { until: now }, '/until'],
    ['until before the present end', { expiration_date_time: at('2027-06-01') }, { until: at('2027-05-01') }, '/until'],
    ['by nothing, without an end or a policy', { renewal_policy: null }, {}, '/until'],
    ['beyond what can be written', {}, { periods: 100_000 }, '/periods'],
  ])('is refused %s', (_what, fields, renewal, pointer) => {
    const refusal = expect.objectContaining({ extensions: { errors: [expect.objectContaining({ pointer })] } })
    expect(() => renewed(fields, renewal)).toThrow(refusal)
  })

  test.each([
    ['by the years that are asked for', {}, { periods: 2 }, '2029-01-31'],
    ['by a year where there is an end to move', { expiration_date_time: at('2027-06-01') }, {}, '2028-06-01'],
    ['from when it is valid', { not_valid_before_date_time: at('2027-03-01') }, { periods: 1 }, '2028-03-01'],
  ])('without a policy goes on %s', (_what, fields, renewal, end) => {
    const { row } = renewed({ renewal_policy: null, period_anchor_at: null, ...fields }, renewal)
    expect([row.renewal_policy, row.expiration_date_time]).toEqual([null, at(end)])
  })

  test('is not until before it is valid', () => {
    const later = { not_valid_before_date_time: at('2027-03-01') }
    expect(() => renewed(later, { until: at('2027-03-01') })).toThrow()
  })

  test.each([
    [
      'it is past its end without a policy',
      { renewal_policy: null, expiration_date_time: 0 },
      ['Active', 'Renewed', 'Activated'],
    ],
    ['nothing says until when', { renewal_policy: null, trialPolicy, trial_ends_at: 0 }, refused],
    ['a period would not end in time', { expiration_date_time: at('9999-12-31') }, refused],
  ])('by its status: %s', (_what, fields, outcome) => {
    const then = Math.max(now, 'trial_ends_at' in fields ? 0 : fields.expiration_date_time)
    const expired = entitlementRow({ ...active, status: 'Expired', ...fields })
    expect(outcomeOf(() => stepTo(expired, 'Active', then))).toEqual(outcome)
  })

  test.each(['Draft', 'Cancelled'])('a %s one is refused', (status) => {
    expect(outcomeOf(() => renewed({ status }))).toBe(refused)
  })

  test('an expired one whose end was moved is Active until then when its status is written', () => {
    const end = at('2027-09-09')
    const moved = entitlementRow({ ...active, status: 'Expired', expiration_date_time: end })
    const settled = stepTo(moved, 'Active', now)
    expect([settled.row.expiration_date_time, typesOf(settled)]).toEqual([end, ['Renewed', 'Activated']])
  })
})

describe('restarting a trial', () => {
  const over = { trialPolicy, trial_started_at: 0, trial_ends_at: at('2027-01-20') }
  const restarted = (fields: Parameters<typeof entitlementRow>[0]) =>
    restartTrial(entitlementRow({ ...over, ...fields }), now)

  test('gives a whole trial from now, and one that was over is Active again', () => {
    const running = { trial_started_at: now, trial_ends_at: at('2027-02-14') }
    expect(restarted({ status: 'Active' })).toMatchObject({ row: running, happenings: [] })
    const back = restarted({ status: 'Expired' })
    expect(back.row).toMatchObject({ ...running, status: 'Active' })
    expect(back.happenings).toMatchObject([{ type: 'Entitlement.Activated', data: { subscriptionStatus: 'Trialing' } }])
    expect(restarted({ status: 'Draft' })).toMatchObject({ row: { ...running, status: 'Draft' }, happenings: [] })
  })

  test.each([
    ['what is no trial', { status: 'Active', is_entitlement_trial: 0 }],
    ['a trial that is switched off', { status: 'Active', trialPolicy: { enabled: false } }],
    ['a cancelled one', { status: 'Cancelled' }],
    ['one that is past its own end too', { status: 'Expired', expiration_date_time: now }],
  ])('is refused for %s', (_what, fields) => {
    expect(outcomeOf(() => restarted(fields))).toBe(refused)
  })
})
