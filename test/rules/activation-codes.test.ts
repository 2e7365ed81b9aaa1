import { describe, expect, test } from 'vitest'
import { crockfordForm, lookalikeForm, plainForm } from '../../server/entitlements/activation-codes/normal-forms.ts'
import { ownLimitOf, statusOf } from '../../server/entitlements/activation-codes/status.ts'

describe('a code is looked up', () => {
  test.each([
    ['ABCD-1234', ['abcd-1234', 'abcd-1234', 'abcd1234']],
    ['  ab Cd\t-\n1234 ', ['abcd-1234', 'abcd-1234', 'abcd1234']],
    ['OIL-0il', ['oil-0il', '011-011', '011011']],
    ['ÅÄÖ', ['åäö', 'åäö', 'åäö']],
    ['', ['', '', '']],
    ['ＡＢ', ['ａｂ', 'ａｂ', 'ａｂ']],
    ['\u00a0A\u3000B\ufeff', ['ab', 'ab', 'ab']],
    ['ß İ ſ', ['ßiſ', 'ß1ſ', 'ß1ſ']],
  ])('%j as %j', (text, forms) => {
    expect([plainForm(text), lookalikeForm(text), crockfordForm(text)]).toEqual(forms)
  })
})

describe('a code', () => {
  const now = 1_000
  const row = (columns: object) =>
    ({
      revoked_at: null,
      expires_at: null,
      max_device_activations: null,
      use_entitlement_max_activations: 0,
      held_activations: 0,
      ...columns,
    }) as Parameters<typeof statusOf>[0]

  test.each([
    ['Pending', {}],
    ['Active', { held_activations: 1 }],
    ['Active', { held_activations: 1, max_device_activations: 2 }],
    ['Exhausted', { held_activations: 2, max_device_activations: 2 }],
    ['Exhausted', { held_activations: 3, max_device_activations: 2 }],
    ['Exhausted', { max_device_activations: 0 }],
    ['Active', { held_activations: 2, max_device_activations: 2, use_entitlement_max_activations: 1 }],
    ['Pending', { expires_at: now + 1 }],
    ['Expired', { expires_at: now }],
    ['Expired', { expires_at: now - 1, held_activations: 2, max_device_activations: 2 }],
    ['Revoked', { revoked_at: now, expires_at: now - 1, max_device_activations: 0 }],
  ])('is %s with %j', (status, columns) => {
    expect(statusOf(row(columns), now)).toBe(status)
  })

  test.each([
    [null, {}],
    [3, { max_device_activations: 3 }],
    [0, { max_device_activations: 0 }],
    [null, { max_device_activations: 3, use_entitlement_max_activations: 1 }],
  ])('has the limit %s with %j', (limit, columns) => {
    expect(ownLimitOf(row(columns))).toBe(limit)
  })
})
