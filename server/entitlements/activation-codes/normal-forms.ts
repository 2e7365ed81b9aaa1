import { foldText } from '../../kit/filter/folding.ts'

/** A code as it is looked up: letter case and blanks aside. */
export const plainForm = (code: string) => foldText(code).replace(/\s/g, '')

/** A code of the CrockfordBase32 alphabet as it is looked up: hyphens aside too, O read as 0, I and L as 1 (Crockford, "Base 32"). */
export const crockfordForm = (code: string) =>
  plainForm(code).replace(/-/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
