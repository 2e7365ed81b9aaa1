import { decideActivation } from './activation-decision.ts'
import type { Asked } from './asking.ts'
import type { Decision, SeatsWanted } from './decision.ts'
import type { Scene } from './scene.ts'
import { decideSessionCall } from './session-decision.ts'

/** Decides one operation on what is at hand, and changes that accordingly; a refusal changes nothing. */
export const decide = (scene: Scene, asked: Asked): Decision | SeatsWanted =>
  asked.deed === 'activate' ? decideActivation(scene, asked) : decideSessionCall(scene, asked)
