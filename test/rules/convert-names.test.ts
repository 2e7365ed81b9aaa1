import { describe, expect, test } from 'vitest'
import { amountText, readAmount, valueText } from '../../cli/tasks/convert/amounts.ts'
import { joinPriceLists } from '../../cli/tasks/convert/joining.ts'
import { claimCodes, codeOf, metricNameOf, readableName } from '../../cli/tasks/convert/names.ts'
import { readSpan, splitUnit } from '../../cli/tasks/convert/periods.ts'
import { Place } from '../../cli/tasks/convert/place.ts'
import { tiersAt } from '../../cli/tasks/convert/tiers.ts'

describe('names of a price list', () => {
  test.each([
    ['githubActions', 'GITHUB_ACTIONS', 'Github actions'],
    ['auditLogAPI', 'AUDIT_LOG_API', 'Audit log API'],
    ['exclusiveAPIs', 'EXCLUSIVE_APIS', 'Exclusive APIs'],
    ['APIsForAll', 'APIS_FOR_ALL', 'APIs for all'],
    ['gitLFSStorageLimit', 'GIT_LFS_STORAGE_LIMIT', 'Git LFS storage limit'],
    ['24/7support', '24_7SUPPORT', '24/7support'],
    ['256BitAES', '256_BIT_AES', '256 bit AES'],
    ['99.9UptimeSLA', '99_9_UPTIME_SLA', '99.9 uptime SLA'],
    ['socialSharing&PresentationMode', 'SOCIAL_SHARING_PRESENTATION_MODE', 'Social sharing&presentation mode'],
    ['githubCodespaces2Core', 'GITHUB_CODESPACES2_CORE', 'Github codespaces2 core'],
    ['SHOPIFY_POS_PRO', 'SHOPIFY_POS_PRO', 'SHOPIFY POS PRO'],
    ['3RD_PARTY_RATES', '3RD_PARTY_RATES', '3RD PARTY RATES'],
    ['B2B', 'B2B', 'B2B'],
    ['Salesforce - SalesCloud', 'SALESFORCE_SALES_CLOUD', 'Salesforce - SalesCloud'],
    ['façadeÉtude', 'FAÇADE_ÉTUDE', 'Façade étude'],
    ['***', '', '***'],
  ])('%s has the code %s and reads "%s"', (name, code, readable) => {
    expect(codeOf(name)).toBe(code)
    expect(readableName(name)).toBe(readable)
  })

  test('a metric name is the code in lower kebab case, and never the code itself', () => {
    expect(metricNameOf('GITHUB_ACTIONS_QUOTA')).toBe('github-actions-quota')
    expect(metricNameOf('2024')).toBe('2024-usage')
  })

  test('names that meet in one code are told apart, the first keeping it', () => {
    const codes = claimCodes()
    expect(codes.claim('teamSeats')).toEqual({ code: 'TEAM_SEATS', metBy: undefined })
    expect(codes.claim('team-seats')).toEqual({ code: 'TEAM_SEATS_2', metBy: 'teamSeats' })
    expect(codes.claim('TEAM_SEATS').code).toBe('TEAM_SEATS_3')
    expect(codes.claim('teamSeats', '_LIMIT').code).toBe('TEAM_SEATS_LIMIT')
    expect(codes.claim('teamSeats', '_LIMIT').code).toBe('TEAM_SEATS_LIMIT_2')
    expect(codes.claim('***').code).toBe('UNNAMED')
  })
})

describe('amounts', () => {
  test.each([
    [5, 5],
    [0.5, 0.5],
    ['10_000', 10_000],
    ['9.99', 9.99],
    [' 3 ', 3],
    ['1e3', 1000],
    ['.5', 0.5],
    ['+7', 7],
    ['1.', 1],
    ['.', undefined],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['.inf', Number.POSITIVE_INFINITY],
    ['Unlimited', Number.POSITIVE_INFINITY],
    ['Contact Sales', undefined],
    ['', undefined],
    ['10 GB', undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [null, undefined],
    [[1], undefined],
  ])('%j is read as %s', (value, amount) => expect(readAmount(value)).toBe(amount))

  test.each([
    [1e13, '10000000000000'],
    [1e21, '1000000000000000000000'],
    [0.0000001, '0.0000001'],
    [1e-25, '0.0000000000000000000000001'],
    [0.02, '0.02'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('%d is written %s', (amount, text) => expect(amountText(amount)).toBe(text))

  test.each([
    [['CARD', 'INVOICE'], 'CARD, INVOICE'],
    [true, 'true'],
    [null, null],
    [undefined, null],
    ['', ''],
    [{ a: 1 }, '{"a":1}'],
  ])('%j is kept as %s', (value, text) => expect(valueText(new Place(value, { errors: [], warnings: [] }))).toBe(text))
})

describe('units and periods', () => {
  test.each([
    ['minute/month', 'minute', 'Monthly'],
    ['call/member/day', 'call/member', 'Daily'],
    ['email per Week', 'email', 'Weekly'],
    ['/year', null, 'Yearly'],
    ['runs/months', 'runs', 'Monthly'],
    ['minute/month/user', 'minute/user', 'Monthly'],
    ['GB/yr.', 'GB', 'Yearly'],
    ['call/month*', 'call', 'Monthly'],
    ['call/day (UTC)', 'call (UTC)', 'Daily'],
    ['calls a month', 'calls', 'Monthly'],
    ['reports each week per seat', 'reports per seat', 'Weekly'],
    ['call/3 months', 'call', 'Quarterly'],
    ['daily calls', 'calls', 'Daily'],
    ['tokens weekly', 'tokens', 'Weekly'],
    ['Daily', null, 'Daily'],
    ['per user, per month', 'per user', 'Monthly'],
    ['message/3 hours/user', 'message/3 hours/user', undefined],
    ['call/day of support', 'call/day of support', undefined],
    ['table a la carte', 'table a la carte', undefined],
    ['MB/member', 'MB/member', undefined],
    ['call/constructor', 'call/constructor', undefined],
    ['request/minute', 'request/minute', undefined],
    ['GB', 'GB', undefined],
    ['', null, undefined],
  ])('"%s" counts %s, %s', (text, unit, period) => expect(splitUnit(text)).toEqual({ unit, period }))

  test.each([
    [1, 'MONTH', 'Monthly'],
    [3, 'MONTH', 'Quarterly'],
    [12, 'months', 'Yearly'],
    [7, 'DAY', 'Weekly'],
    [60, 'MIN', 'Hourly'],
    [28, 'DAY', undefined],
    [Number.NaN, 'DAY', undefined],
  ])('%s %s is %s', (value, unit, period) => expect(readSpan(value, unit)).toBe(period))
})

test.each([
  [
    100,
    [
      [0, 100, 'None'],
      [100, undefined, 'Deny'],
    ],
  ],
  [
    0.5,
    [
      [0, 0.5, 'None'],
      [0.5, undefined, 'Deny'],
    ],
  ],
  [0, [[0, undefined, 'Deny']]],
  [Number.POSITIVE_INFINITY, [[0, undefined, 'None']]],
])('a limit of %d has the tiers %j', (limit, tiers) => {
  const found: { startUsage: number; endUsage?: number; quotaUsagePolicy: string }[] = tiersAt(limit)
  expect(found.map((tier) => [tier.startUsage, tier.endUsage, tier.quotaUsagePolicy])).toEqual(tiers)
})

test('a name that no code can be made of is told', () => {
  const text =
    'saasName: A\nfeatures:\n  "***":\n    valueType: BOOLEAN\nplans:\n  FREE:\naddOns:\n  "!!!":\n    description: More\n'
  const { warnings } = joinPriceLists([{ name: 'a.yml', bytes: Buffer.from(text) }])
  expect(warnings.map(({ line, message }) => `${line}: ${message}`).filter((each) => each.includes('letter'))).toEqual([
    '3: has no letter or digit to make a code of: it is UNNAMED here',
    '8: has no letter or digit to make a code of: it is A here',
  ])
})
