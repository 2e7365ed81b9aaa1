import { compileCheck } from '../../catalog-schema/checker.ts'
import { checkSnapshot } from '../../catalog-schema/snapshot.ts'
import { inputName, readInputText } from '../input-files.ts'
import { Problem } from '../problems.ts'
import { digestOf, type PlanFile, PlanFileSchema, planLimit, planText, planVersion } from './plan-file.ts'

const checkShape = compileCheck(PlanFileSchema)

/**
 * The plan in a file or on stdin (`-`), exactly as licet wrote it. Raises cli.input for what is no plan, or one of a
 * newer licet, and cli.plan_altered when anything in it is no longer as it was written.
 */
export async function readPlan(path: string): Promise<PlanFile> {
  return planFrom(await readInputText(path, { limit: planLimit }), inputName(path))
}

/** The plan that a text is; `name` is what messages call it. Raises as readPlan does. */
export function planFrom(text: string, name: string): PlanFile {
  const value = parse(text, name)
  const { licetPlan } = value
  if (!Number.isInteger(licetPlan)) throw noPlan(name)
  if (licetPlan !== planVersion) {
    throw new Problem(
      'cli.input',
      `${name} is a plan of version ${licetPlan}; this licet reads version ${planVersion}.`,
      {
        hint: 'use the licet that made it, or make the plan again',
      },
    )
  }
  if (!isAsWritten(text, value) || !isSound(value)) throw altered(name)
  return value
}

/** Whether the digest is that of the rest, and the text is the one that licet writes of it: nothing stands twice or otherwise. */
function isAsWritten(text: string, plan: object): plan is PlanFile {
  const { digest, ...rest } = plan as PlanFile
  try {
    return digest === digestOf(rest) && text.replaceAll('\r\n', '\n').trimEnd() === planText(plan as PlanFile).trimEnd()
  } catch (error) {
    // Nested deeper than can be written.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether it has the shape of a plan, and what it would import is what it shows a digest of. */
function isSound(plan: PlanFile): boolean {
  if (checkShape(plan).length > 0 || plan.snapshotDigest !== digestOf(plan.snapshot)) return false
  return checkSnapshot(structuredClone(plan.snapshot)).length === 0
}

function parse(text: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Problem('cli.input', `${name} is not JSON: it is no plan, or it was cut off.`, {
      hint: 'licet catalog plan --out FILE makes one',
      cause,
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noPlan(name)
  return value as Record<string, unknown>
}

const noPlan = (name: string) =>
  new Problem('cli.input', `${name} is no plan of licet.`, { hint: 'licet catalog plan --out FILE makes one' })

const altered = (name: string) =>
  new Problem('cli.plan_altered', `${name} is not as licet wrote it: it was altered after it was made.`, {
    hint: 'make the plan again, and review that one',
  })
