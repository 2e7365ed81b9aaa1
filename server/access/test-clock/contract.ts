import { type Static, Type } from 'typebox'
import { NullableDuration, NullableInstant } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'

const TestClock = Type.Object({
  now: Instant('Now on the clock of this tenant.'),
  frozen: Type.Boolean({ description: 'False: between advances the clock goes on by itself.' }),
})
export type TestClock = Static<typeof TestClock>

export const getTestClock = contract({
  name: 'admin.testClock.get',
  method: 'GET',
  path: `${provision}/admin/test-clock`,
  access: 'admin.test-clock:read',
  summary: 'Read the clock of a sandbox tenant',
  description: 'A live tenant has no test clock: 404.',
  answer: TestClock,
  ofSandbox: 'test clock',
  problems: ['license.record_not_found'],
})

export const advanceTestClock = contract({
  name: 'admin.testClock.advance',
  method: 'POST',
  path: `${provision}/admin/test-clock/advance`,
  access: 'admin.test-clock:update',
  summary: 'Move the clock of a sandbox tenant forward',
  description:
    'Either `by` a duration or `to` an instant, never back; everything that reads the time reads this clock.',
  body: Closed({
    by: Type.Optional(NullableDuration({ description: 'How far to move it, such as P3D.' })),
    to: Type.Optional(NullableInstant({ description: 'The instant to move it to.' })),
  }),
  answer: TestClock,
  ofSandbox: 'test clock',
  problems: ['license.record_not_found'],
})
