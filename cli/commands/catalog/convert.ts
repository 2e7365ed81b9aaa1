import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { counted } from '../../counting.ts'
import { Problem } from '../../problems.ts'
import { shellWord } from '../../shell-word.ts'
import { convertPriceLists } from '../../tasks/convert/converting.ts'
import { groupRemarks, placeText } from '../../tasks/convert/grouping.ts'
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
    // An export takes these for stdout and a file; a directory of such a name is nobody's wish.
    if (/^-$|\.(?:ya?ml|json)$/i.test(flags.out))
      throw new Problem('cli.usage', `--out takes a directory, not ${flags.out}.`, {
        hint: 'a catalog converted is several files; --out catalog',
      })
    const { out, force = false } = flags
    const { converted, leftOver, doubled } = await convertPriceLists({ paths, productCode, out, force })
    const { files, products, warnings } = converted
    if (!this.jsonEnabled())
      for (const line of flags.verbose ? warnings.map(oneByOne) : groupRemarks(warnings)) this.warn(line)
    for (const { productCode: code, file } of products) this.log(visible(`${file} is now the product ${code}.`))
    this.log(visible(`Wrote ${counted(files.length, 'file')} to ${out}; ${counted(warnings.length, 'warning')}.`))
    const first = [
      ...(leftOver.length > 0 ? [`delete what is no longer sold (${counted(leftOver.length, 'item')} above)`] : []),
      ...(doubled.length > 0 ? [`take out what stands twice (${counted(doubled.length, 'item')} above)`] : []),
    ]
    const next = [...first, `licet catalog validate ${shellWord(out)}`].join(', then ')
    this.log(visible(`Next: ${next}`))
    return converted
  }
}

const oneByOne = (remark: Parameters<typeof placeText>[0] & { subject: string; message: string }) =>
  `${placeText(remark)}: ${remark.subject} ${remark.message}`
