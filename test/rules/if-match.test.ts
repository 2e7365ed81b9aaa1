import { expect, test } from 'vitest'
import { requireRevision } from '../../server/kit/if-match.ts'
import { Problem } from '../../server/kit/problem.ts'

const outcomeOf = (header: string | undefined) => {
  try {
    requireRevision({ headers: header === undefined ? {} : { 'if-match': header } }, 7)
    return 'goes on'
  } catch (error) {
    return error instanceof Problem ? error.codeName : error
  }
}

test.each([
  [undefined, 'goes on'],
  ['*', 'goes on'],
  ['"7"', 'goes on'],
  ['W/"7"', 'goes on'],
  ['7', 'goes on'],
  ['"x", "7"', 'goes on'],
  ['"a,b" ,, "7",', 'goes on'],
  ['6, 7', 'goes on'],
  ['"8"', 'request.precondition_failed'],
  ['"x"', 'request.precondition_failed'],
  ['"x", "1"', 'request.precondition_failed'],
  ['"", "x,7"', 'request.precondition_failed'],
  ['"*"', 'request.precondition_failed'],
  ['"77"', 'request.precondition_failed'],
  ['', 'license.validation_error'],
  [',', 'license.validation_error'],
  ['latest', 'license.validation_error'],
  ['"7', 'license.validation_error'],
  ['"7" "8"', 'license.validation_error'],
  ['w/"7"', 'license.validation_error'],
  ['7x', 'license.validation_error'],
  ['-7', 'license.validation_error'],
])('If-Match: %s of a record at revision 7: %s', (header, outcome) => {
  expect(outcomeOf(header)).toBe(outcome)
})
