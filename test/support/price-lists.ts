import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PriceListFile } from '../../cli/tasks/convert/joining.ts'

const real = join(import.meta.dirname, '../../../shared/pricings')
const invented = join(import.meta.dirname, '../../examples')

/** Whether the real price lists (iSubscription, ISA group, CC BY 4.0) lie beside the repository. */
export const hasRealPriceLists = existsSync(join(real, 'README.md'))

const folders = hasRealPriceLists
  ? readdirSync(real, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  : [{ name: 'price-list' }]

/** The price lists by service, each service's in the order of their years; one invented service where the real ones are absent. */
export const priceListsByService: { service: string; files: PriceListFile[] }[] = folders.map(({ name: service }) => {
  const folder = join(hasRealPriceLists ? real : invented, service)
  const names = readdirSync(folder).filter((name) => name.endsWith('.yml'))
  const files = names.sort().map((name) => ({ name: `${service}/${name}`, bytes: readFileSync(join(folder, name)) }))
  return { service, files }
})
