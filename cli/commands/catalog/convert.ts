import { basename } from 'node:path'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { readCatalogSource } from '../../catalog-files/directory.ts'
import { readSnapshot } from '../../catalog-files/snapshot-reading.ts'
import { counted } from '../../counting.ts'
import { inputName, readInput } from '../../input-files.ts'
import { Problem } from '../../problems.ts'
import { duringWork } from '../../progress.ts'
import { shellWord } from '../../shell-word.ts'
import { groupRemarks, placeText } from '../../tasks/convert/grouping.ts'
import { joinPriceLists } from '../../tasks/convert/joining.ts'
import { findLeftOver } from '../../tasks/convert/left-over.ts'
import { layOutCatalog, writeCatalogFiles } from '../../tasks/convert/writing.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogConvert extends LicetCommand {
  static override summary = 'Turn price lists into a catalog directory.'
  static override description =
    'Reads price lists in the Pricing2Yaml format, one service each. What has no place in a catalog is listed as warnings with file and line, grouped unless --verbose (or --json) asks for each. When something in a price list is wrong, nothing is written.'
  static override examples = [
    '<%= config.bin %> catalog convert --from pricing2yaml pricing.yml --out catalog',
    {
      description: 'The product keeps its code though the service was renamed',
      command:
        '<%= config.bin %> catalog convert --from pricing2yaml 2026.yml --product-code ACME --out catalog --force',
    },
  ]
  static override strict = false
  static override usage = 'catalog convert FILE… --from pricing2yaml --out DIR'
  static override flags = {
    from: string({ required: true, options: ['pricing2yaml'], summary: 'The format of the price lists.' }),
    out: string({ required: true, summary: 'The catalog directory to write to.', helpValue: 'DIR' }),
    'product-code': string({ summary: 'The code of the product, instead of the one made of saasName; one FILE only.' }),
    force: boolean({ summary: 'Replace files that are there already.' }),
    verbose: boolean({ summary: 'List every warning, not one line for each kind.' }),
  }

  async run() {
    const { argv, flags } = await this.parse(CatalogConvert)
    const paths = argv.map(String)
    if (paths.length === 0)
      throw new Problem('cli.usage', 'Name at least one price list.', { hint: 'FILE, or - for stdin' })
    if (paths.filter((path) => path === '-').length > 1)
      throw new Problem('cli.usage', 'Only one price list can come from stdin.')
    const productCode = flags['product-code']
    if (productCode !== undefined && paths.length > 1)
      throw new Problem('cli.usage', '--product-code goes with one FILE.')
    if (flags.out.trim() === '') throw new Problem('cli.usage', '--out names no directory.', { hint: '--out catalog' })
    // An export takes these for stdout and a file; a directory of such a name is nobody's wish.
    if (/^-$|\.(?:ya?ml|json)$/i.test(flags.out))
      throw new Problem('cli.usage', `--out takes a directory, not ${flags.out}.`, {
        hint: 'a catalog converted is several files; --out catalog',
      })
    const files: { name: string; bytes: Buffer }[] = []
    const { snapshot, products, errors, warnings } = await duringWork('Reading price lists', async () => {
      for (const path of paths) files.push({ name: inputName(path), bytes: await readInput(path) })
      return joinPriceLists(files, { productCode })
    })
    if (errors.length > 0) {
      const located = errors.map((error) => ({ path: placeText(error), ...error }))
      const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
      const wrong = new Set(errors.map(({ file }) => file)).size
      const what = paths.length === 1 ? basename(files[0]!.name) : `${wrong} of ${paths.length} price lists`
      throw new Problem('cli.input', `Nothing was written: ${count} in ${what}.`, { errors: located })
    }
    const written = layOutCatalog(snapshot)
    await writeCatalogFiles(flags.out, written, flags.force ?? false)
    const source = await duringWork(`Reading ${flags.out}`, () => readCatalogSource(flags.out))
    warnings.push(...findLeftOver(flags.out, readSnapshot(source), snapshot))
    if (!this.jsonEnabled())
      for (const line of flags.verbose ? warnings.map(oneByOne) : groupRemarks(warnings)) this.warn(line)
    for (const { productCode: code, file } of products) this.log(visible(`${file} is now the product ${code}.`))
    this.log(
      visible(`Wrote ${counted(written.length, 'file')} to ${flags.out}; ${counted(warnings.length, 'warning')}.`),
    )
    this.log(visible(`Next: licet catalog validate ${shellWord(flags.out)}`))
    return { directory: flags.out, files: written.map(({ name }) => name), products, warnings }
  }
}

const oneByOne = (remark: Parameters<typeof placeText>[0] & { subject: string; message: string }) =>
  `${placeText(remark)}: ${remark.subject} ${remark.message}`
