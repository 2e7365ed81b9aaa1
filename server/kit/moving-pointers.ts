import { type FieldError, invalid, Problem } from './problem.ts'

/** Does a part of what a request asks for; what is not acceptable in it points to where `move` says that the part stands in the request. */
export async function movingPointers<T>(move: (pointer: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.codeName !== 'license.validation_error') throw error
    const errors = error.extensions.errors as FieldError[]
    throw invalid(errors.map(({ pointer, message }) => ({ pointer: move(pointer), message })))
  }
}
