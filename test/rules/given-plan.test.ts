import { expect, test } from 'vitest'
import { choosePlan } from '../../server/entitlements/offers/given-plan.ts'

const [here, there] = ['aaaaaaaa-0000-7000-8000-000000000001', 'bbbbbbbb-0000-7000-8000-000000000002']
const onPro = { planSetId: here, planName: 'Pro' }
const onNone = { planSetId: null, planName: null }

test.each([
  ['nothing said leaves the plan', onPro, {}, onPro],
  ['another name is of the same set', onPro, { assignedPlanName: 'Free' }, { planSetId: here, planName: 'Free' }],
  ['another set keeps the name', onPro, { assignedPlanSetId: there }, { planSetId: there, planName: 'Pro' }],
  ['an emptied set takes the name along', onPro, { assignedPlanSetId: null }, onNone],
  [
    'both are chosen at once, the id whatever its letter case',
    onNone,
    { assignedPlanSetId: there.toUpperCase(), assignedPlanName: 'Free' },
    { planSetId: there, planName: 'Free' },
  ],
  ['no plan stays none', onNone, {}, onNone],
])('%s', (_sentence, stored, given, choice) => {
  expect(choosePlan(stored, given)).toEqual({ choice, errors: [] })
})

test.each([
  ['a name without a set', onNone, { assignedPlanName: 'Pro' }, '/assignedPlanSetId'],
  ['a name with an emptied set', onPro, { assignedPlanSetId: null, assignedPlanName: 'Pro' }, '/assignedPlanSetId'],
  ['a set without a name', onNone, { assignedPlanSetId: here }, '/assignedPlanName'],
  ['an emptied name', onPro, { assignedPlanName: null }, '/assignedPlanName'],
])('%s is refused', (_sentence, stored, given, pointer) => {
  expect(choosePlan(stored, given).errors.map((error) => error.pointer)).toEqual([pointer])
})
