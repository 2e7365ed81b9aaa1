import { parseStrictJson } from '../catalog-schema/strict-json.ts'

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object that bytes of UTF-8 hold, as strictJsonIn reads it; undefined for anything else. */
export function readObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  const value = strictJsonIn(bytes)
  return isObject(value) ? value : undefined
}

/** The JSON value that bytes are, as strict as the server: a key twice could mean one thing here and another elsewhere. Undefined when they are none. */
export function strictJsonIn(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes)
  } catch {
    return undefined
  }
}
