import { randomInt } from 'node:crypto'
import type { Sealer } from '../../kit/sealing.ts'
import { crockfordForm } from '../activation-codes/normal-forms.ts'
import { writeKey } from '../key-issuance/key-template.ts'
import { keyIssuancePolicyOf } from '../policies/effective.ts'

const style = keyIssuancePolicyOf({ key_issuance_policy: null })

/** A new code, as an activation code is by default: 20 CrockfordBase32 symbols in groups of five, from a CSPRNG. */
export const drawCode = (): string =>
  writeKey(style, { year: 0, productCode: undefined, sequenceNumber: undefined, drawBelow: randomInt })!

/** The key that a code is found by, without regard to letter case, blanks and hyphens, O or 0, and I, L or 1. */
export const codeKeyOf = (sealer: Sealer, tenantId: string, code: string): string =>
  sealer.hash(crockfordForm(code), `credit-grant/${tenantId}`)
