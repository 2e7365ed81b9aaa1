import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { findKind, kindWords } from '../../../catalog-schema/fields.ts'
import { LicetCommand } from '../../base-command.ts'
import { nearest } from '../../nearest.ts'
import { Problem } from '../../problems.ts'
import { shellWord } from '../../shell-word.ts'
import { showItem, writeItem } from '../../tasks/new-item/new-item.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogNew extends LicetCommand {
  static override summary = 'Print or write a new catalog item with every field explained.'
  static override description =
    'The fields that must be given are filled in; every other field stands below what it means as a comment, with an example: take away the "#" of what you want. A file that is there keeps all its bytes, and the item is put behind those of its kind. What it belongs to is taken from the catalog that the file is part of: the one that licet.yaml names, else the nearest directory that has a product.'
  static override examples = [
    '<%= config.bin %> catalog new product',
    '<%= config.bin %> catalog new product ACME-CAD@2.0 --file catalog/acme-cad.yaml',
    '<%= config.bin %> catalog new feature ACME-CAD@2.0/EXPORT_STEP --file catalog/acme-cad.yaml',
  ]
  static override args = {
    kind: text({ required: true, description: `What it is: ${kindWords.join(', ')}.` }),
    name: text({ description: 'Its name, or its whole key as in reports (ACME-CAD@2.0/EXPORT_STEP).' }),
  }
  static override flags = {
    file: string({ summary: 'Write it into this YAML file of the catalog.', helpValue: 'FILE' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogNew)
    const kind = findKind(args.kind)
    if (kind === undefined) {
      const meant = nearest(args.kind.toLowerCase(), kindWords)
      throw new Problem('cli.usage', `There is no kind "${args.kind}".`, {
        hint: meant.length > 0 ? meant.join(' or ') : `one of ${kindWords.join(', ')}`,
      })
    }
    if (flags.file === undefined) {
      const made = await showItem(kind, args.name)
      if (!this.jsonEnabled()) process.stdout.write(made.text)
      return made
    }
    const made = await writeItem(kind, args.name, flags.file)
    this.log(
      visible(`Wrote ${made.key} to ${made.file}. Next: licet catalog validate ${shellWord(made.catalog ?? '.')}`),
    )
    return made
  }
}
