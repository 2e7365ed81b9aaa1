import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { canonicalScalars, formKeywords } from './canonical-scalars.ts'
import { explain, type Finding, onePerPlace } from './findings.ts'

export type { Finding } from './findings.ts'

/** Checks a value against a schema and brings it into canonical form in place (numeric strings become numbers, instants UTC, durations ISO 8601). */
export type Check = (value: unknown) => Finding[]

/** The most findings that one check answers. */
export const mostFindings = 100

/** The largest value (in values, nested ones included) of which every finding is looked for; of a larger one the first is enough. */
const mostExamined = 50_000

/** The schemas are ours, and sound by a test: looking at them again, and polishing the code made of them, took longer than most checks. */
export const checkSettings = {
  meta: false,
  validateSchema: false,
  code: { optimize: false },
  allowUnionTypes: true,
  strictTuples: false,
  strictTypes: false,
  useDefaults: false,
  coerceTypes: false,
  verbose: true,
  keywords: [...formKeywords, ...canonicalScalars],
}
const first = new Ajv2020({ ...checkSettings, allErrors: false })
const thorough = new Ajv2020({ ...checkSettings, allErrors: true })

const brought = new Map<object, Check>()

/**
 * Has this check stand for that of a schema wherever it has not been needed yet: of a large schema, whose parts have been made
 * beforehand.
 */
export const bringCheck = (schema: object, check: Check): void => void brought.set(schema, check)

/**
 * Compiles a schema once, when it is first needed; the check it returns may be called any number of times. What finds the
 * first error may have been made beforehand.
 */
export function compileCheck(schema: object, made?: ValidateFunction): Check {
  let findFirst = made
  let findAll: ValidateFunction | undefined
  const compiled: Check = (value) => {
    findFirst ??= first.compile(schema)
    if (findFirst(value)) return []
    if (sizeOf(value) > mostExamined) return readErrors(findFirst)
    findAll ??= thorough.compile(schema)
    findAll(value)
    return readErrors(findAll)
  }
  let check: Check | undefined
  return (value) => {
    check ??= brought.get(schema) ?? compiled
    return check(value)
  }
}

const readErrors = (validate: ValidateFunction): Finding[] =>
  onePerPlace(validate.errors ?? [])
    .slice(0, mostFindings)
    .map(explain)

/** How many values a value holds, itself included; counting stops beyond the most that is examined. */
function sizeOf(value: unknown): number {
  let size = 0
  const waiting = [value]
  while (waiting.length > 0 && size <= mostExamined) {
    const next = waiting.pop()
    size++
    if (typeof next !== 'object' || next === null) continue
    const inner = Array.isArray(next) ? next : Object.values(next)
    if (size + inner.length > mostExamined) return size + inner.length
    for (const entry of inner) waiting.push(entry)
  }
  return size
}
