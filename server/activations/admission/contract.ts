import { Type } from 'typebox'
import { Text } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { wrongCodesLimit } from '../sessions/contract.ts'

export const checkAdmission = contract({
  name: 'activations.admission.check',
  method: 'POST',
  path: `${provision}/activations/admission/check`,
  access: 'anyone',
  summary: 'Ask whether an activation code would admit somebody new',
  description:
    'Yes when a device that nobody knows yet, without a signed-in user, could activate by the code, as far as the code alone can tell. No says nothing of why: a code that does not exist, has expired, asks for a sign-in or has no seat left is answered alike, and every answer is given 25 ms after it was asked for (when the server is busy, a whole number of 25 ms). ' +
    wrongCodesLimit,
  body: Closed({ activationCode: Text(500, { min: 1, description: 'The activation code.' }) }),
  answer: Type.Object({ admitted: Type.Boolean() }),
  problems: ['request.rate_limited', 'license.sign_up_not_admitted'],
  changesNothing: true,
})
