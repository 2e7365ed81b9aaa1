import { foldText } from '../../../catalog-schema/folding.ts'

/** A code as it is looked up: letter case and blanks aside. */
export const plainForm = (code: string) => foldText(code).replace(/\s/g, '')

/** A code as it is looked up where O is read as 0, and I and L as 1. */
export const lookalikeForm = (code: string) => plainForm(code).replace(/o/g, '0').replace(/[il]/g, '1')

/** A code of the CrockfordBase32 alphabet as it is looked up: hyphens aside, too (Crockford, "Base 32"). */
export const crockfordForm = (code: string) => lookalikeForm(code).replace(/-/g, '')

/** Whether a code is of the CrockfordBase32 alphabet: none of its characters are read as others, and hyphens part it at most. */
export const isCrockford = (code: string) => /^[0-9a-hjkmnp-tv-z]+$/.test(plainForm(code).replace(/-/g, ''))
