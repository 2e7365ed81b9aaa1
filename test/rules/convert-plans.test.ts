import { describe, expect, test } from 'vitest'
import { boolean, convert, only, planValues } from '../support/price-list-parts.ts'

describe('plans', () => {
  const price = (fields: object) => {
    const { snapshot, warnings, errors } = convert({ plans: { PRO: fields } })
    return { price: only(only(snapshot.plans).plans).monthlyPrice, noticed: [...warnings, ...errors] }
  }

  test('are one Absolute plan set of the product’s own suite, in the order of the list', () => {
    const { snapshot } = convert({ plans: { FREE: { price: 0, description: 'Nothing.' }, PRO: { price: 4.5 } } })
    expect(only(snapshot.plans)).toMatchObject({ suiteCode: 'ACME_CAD', name: 'Plans' })
    expect(only(snapshot.plans).plans).toMatchObject([
      {
        name: 'FREE',
        description: 'Nothing.',
        sortOrder: 0,
        pricingMode: 'Absolute',
        monthlyPrice: 0,
        currency: 'EUR',
      },
      { name: 'PRO', sortOrder: 1, monthlyPrice: 4.5, currency: 'EUR' },
    ])
  })

  test.each([
    [{ price: 9.5 }, 9.5],
    [{ price: '9.99' }, 9.99],
    [{ price: 0 }, 0],
    [{ price: 4, unit: '/month' }, 4],
    [{ monthlyPrice: 7 }, 7],
    [{ price: 7, monthlyPrice: 7, annualPrice: 7 }, 7],
    [{ price: 7, unit: 'monthly' }, 7],
    [{ price: null, monthlyPrice: 7 }, 7],
    [{ price: 7, unit: 'month(s)' }, 7],
    [{ price: null }, null],
    [{}, null],
  ])('%j costs %s, without a warning', (fields, expected) => {
    expect(price(fields)).toEqual({ price: expected, noticed: [] })
  })

  test.each([
    [{ price: 'Contact Sales' }, null, '/plans/PRO/price'],
    [{ price: '#x ? 1 : 2' }, null, '/plans/PRO/price'],
    [{ price: 4, unit: 'user/month' }, 4, '/plans/PRO/unit'],
    [{ price: 120, unit: 'user/year' }, null, '/plans/PRO/unit'],
    [{ price: 120, unit: 'user/yr' }, null, '/plans/PRO/unit'],
    [{ price: 120, unit: 'year' }, null, '/plans/PRO/unit'],
    [{ price: 120, unit: 'user/12 months' }, null, '/plans/PRO/unit'],
    [{ price: 120, unit: 'user/year (billed annually)' }, null, '/plans/PRO/unit'],
    [{ price: 12, unit: 'user/month (billed annually)' }, 12, '/plans/PRO/unit'],
    [{ price: 12, unit: 'weekly' }, null, '/plans/PRO/unit'],
    [{ price: 12, unit: 'user/6 months' }, null, '/plans/PRO/unit'],
    [{ price: 12, unit: 'year/user' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'once' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'user/one-time' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'user (one-time)' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'one\u2011time payment' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'lifetime license' }, null, '/plans/PRO/unit'],
    [{ price: 3, unit: 'once per month' }, 3, '/plans/PRO/unit'],
    [{ price: 12, unit: 'user/year, billed annually' }, null, '/plans/PRO/unit'],
    [{ price: 12, unit: '/month (billed annually)' }, 12, '/plans/PRO/unit'],
    [{ price: 6, monthlyPrice: 6, unit: 'channel/year' }, 6, '/plans/PRO/unit'],
    [{ price: 0, unit: 'user/year' }, 0, '/plans/PRO/unit'],
    [{ monthlyPrice: 12, unit: 'channel/year' }, 12, '/plans/PRO/unit'],
    [{ unit: 'user/month' }, null, '/plans/PRO/unit'],
    [{ unit: 'user/year' }, null, '/plans/PRO/unit'],
    [{ price: 4, unit: 'forever' }, 4, '/plans/PRO/unit'],
    [{ price: 4, annualPrice: 3 }, 4, '/plans/PRO/annualPrice'],
    [{ price: 4, private: true }, 4, '/plans/PRO/private'],
  ])('%j costs %s, with a warning at %s', (fields, expected, pointer) => {
    const found = price(fields)
    expect(found.price).toBe(expected)
    expect(found.noticed.map((remark) => remark.pointer)).toEqual([pointer])
  })

  test.each([
    [{ price: 4, unit: 'año' }, true],
    [{ price: 4, unit: 'user/año' }, true],
    [{ price: 4, unit: 'transaction' }, true],
    [{ price: 4, unit: 'user/month' }, false],
    [{ price: 0, unit: 'user' }, false],
    [{ price: 'Contact Sales', unit: 'user' }, false],
    [{ monthlyPrice: 4, unit: 'user' }, false],
  ])('the warning of %j says that the price is taken as monthly: %s', (fields, expected) => {
    const warned = price(fields).noticed.find(({ pointer }) => pointer === '/plans/PRO/unit')
    expect(warned?.message.endsWith('it names no known period, so the price is taken as monthly')).toBe(expected)
  })

  test.each([
    [{ monthly: 1, annual: 0.8 }, 'annual', /left out$/],
    [{ monthly: 0.8 }, 'monthly', /left out, and prices are taken as they stand$/],
  ])('a price is as it stands with the billing %j, with a warning', (billing, period, message) => {
    const { snapshot, warnings } = convert({ billing, plans: { PRO: { price: 100 } } })
    expect(only(only(snapshot.plans).plans).monthlyPrice).toBe(100)
    expect(warnings).toMatchObject([{ pointer: `/billing/${period}`, message: expect.stringMatching(message) }])
  })

  test('a monthlyPrice beside the price of a year is the price of a month', () => {
    const { price: amount, noticed } = price({ price: 120, monthlyPrice: 10, unit: 'user/year' })
    expect([amount, ...noticed.map(({ pointer }) => pointer)]).toEqual([10, '/plans/PRO/price', '/plans/PRO/unit'])
  })

  test('give a value of their own, or the default, for everything that the list declares', () => {
    const { snapshot } = convert({
      features: { a: boolean, b: boolean },
      plans: { PRO: { features: { a: { value: true }, b: { value: null } } } },
    })
    expect(planValues(snapshot, 'PRO')).toEqual({
      A: { featureCode: 'A', value: 'true' },
      B: { featureCode: 'B', value: 'false' },
    })
  })
})
