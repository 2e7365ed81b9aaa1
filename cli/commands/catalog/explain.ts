import { string as text } from '@oclif/core/args'
import { findField, kindWords } from '../../../catalog-schema/fields.ts'
import { kinds } from '../../../catalog-schema/order.ts'
import { LicetCommand } from '../../base-command.ts'
import { paint } from '../../colour.ts'
import { explanationLines, fieldLines } from '../../screens/field-explanation.ts'
import { explainName } from '../../tasks/explain.ts'

export default class CatalogExplain extends LicetCommand {
  static override summary = 'Explain a kind of catalog item, or a field of one.'
  static override description =
    'Says what it means, what it looks like, its default and an example, from the schema that checks the files. Names are joined by dots and go as deep as the fields do; without one, the kinds are listed.'
  static override examples = [
    '<%= config.bin %> catalog explain',
    '<%= config.bin %> catalog explain plan-set',
    '<%= config.bin %> catalog explain plan-set.plans.monthlyPrice',
  ]
  static override args = { name: text({ description: 'KIND or KIND.FIELD, such as product.features.value.' }) }

  async run() {
    const { args } = await this.parse(CatalogExplain)
    const colours = paint(process.stdout)
    const width = Math.min(process.stdout.columns || 100, 100)
    if (args.name !== undefined) {
      const found = explainName(args.name)
      for (const line of explanationLines(found, { colours, width })) this.log(line)
      return found
    }
    const described = kinds.map((kind) => findField(kind, [])!)
    const listed = described.map(({ name, description }) => ({
      name,
      description,
      isRequired: false,
      hasFields: false,
    }))
    for (const line of fieldLines({ fields: listed }, colours, width)) this.log(line)
    this.log()
    this.log(`Next: licet catalog explain ${kindWords[1]}`)
    return { kinds: described.map(({ name, kind, description }) => ({ name, kind, description })) }
  }
}
