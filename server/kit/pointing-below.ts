import { type FieldError, invalid, Problem } from './problem.ts'

/** Does what is asked for in a part of a request: what is not acceptable in it points below that part. */
export async function pointingBelow<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.codeName !== 'license.validation_error') throw error
    const errors = error.extensions.errors as FieldError[]
    throw invalid(errors.map(({ pointer, message }) => ({ pointer: `${place}${pointer}`, message })))
  }
}
