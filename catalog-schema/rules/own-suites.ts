import { implicitSuiteCode, keyText, type ProductName, productText } from '../keys.ts'
import type { Breach, Surroundings } from './rule.ts'

/** What these rules ask about the products and suites around. */
type Suites = Pick<Surroundings, 'find'> & { ownSuiteOf(code: string): string | undefined }

const taken = (path: string, message: string): Breach[] => [{ codeName: 'catalog.duplicate_key', path, message }]

/** A suite that is written down is not a product's own, which exists by itself. */
export function checkSuiteCode(code: string, around: Suites): Breach[] {
  if (around.ownSuiteOf(code) === undefined) return []
  return taken('/code', `"${code}" is a product's own suite, which exists by itself`)
}

/** A product's own suite has a code that no other suite has, be it written down or another product's own (`A@1` and version 1 of `A`). */
export function checkOwnSuite(product: ProductName, around: Suites): Breach[] {
  const code = implicitSuiteCode(product)
  const holder = around.ownSuiteOf(code)
  if (holder !== undefined && holder !== productText(product))
    return taken('/productCode', `its own suite would have the code "${code}", which is that of product:${holder}`)
  if (around.find('suite', `suite:${keyText(code)}`))
    return taken('/productCode', `its own suite would have the code "${code}", which another suite has`)
  return []
}
