import type { RuleCode } from '../../../catalog-schema/rules/codes.ts'
import type { RefusalRule } from '../../catalog-files/refusals.ts'

/** A rule that a finding of `validate` can break: what it says, and what to do. */
export interface FindingRule {
  says: string
  help: string
  isCaution?: boolean
}

type FileRule = `file.${Exclude<RefusalRule, 'format-version' | 'head'>}`

const fileRules: Record<FileRule, FindingRule> = {
  'file.alias': { says: 'No aliases.', help: 'Write out what the alias (*name) stands for.' },
  'file.anchor': { says: 'No anchors.', help: 'Remove the anchor (&name).' },
  'file.byte-order-mark': { says: 'No byte order mark.', help: 'Save the file as UTF-8 without BOM.' },
  'file.complex-key': { says: 'Keys are plain names.', help: 'Write the key as one name on the line of its value.' },
  'file.control-character': {
    says: 'No control characters.',
    help: 'Remove the character, or write its escape between double quotes.',
  },
  'file.directive': { says: 'No YAML directives.', help: 'Remove the line that starts with % and the --- after it.' },
  'file.duplicate-key': { says: 'A mapping names a key once.', help: 'Remove one of the two, or rename it.' },
  'file.encoding': { says: 'Files are UTF-8.', help: 'Save the file as UTF-8.' },
  'file.leading-zero': { says: 'No numbers with leading zeros.', help: "Quote it if it is text: '012'." },
  'file.lone-surrogate': { says: 'No halves of characters.', help: 'Write the whole character.' },
  'file.lost-digits': {
    says: 'Numbers keep all their digits.',
    help: 'Write a shorter number, or quote it where the field takes text.',
  },
  'file.merge-conflict': {
    says: 'No merge conflicts are left.',
    help: 'Keep what is to hold, and remove the lines <<<<<<<, ======= and >>>>>>>.',
  },
  'file.merge-key': { says: 'No merge keys.', help: 'Write out the fields that << brings.' },
  'file.multiple-documents': { says: 'A file holds one document.', help: 'Put the rest into a file of its own.' },
  'file.non-string-key': { says: 'Keys are text.', help: 'Quote the key.' },
  'file.not-a-list': { says: 'A section is a list of items.', help: 'Put "- " before each item.' },
  'file.not-a-mapping': {
    says: 'A file maps sections to lists.',
    help: 'Start it with the name of a section, such as products:.',
  },
  'file.not-an-item': {
    says: 'An item maps fields to values.',
    help: 'Write the fields of the item below each other.',
  },
  'file.not-finite': { says: 'Numbers are finite.', help: 'Write a number, or quote it if it is text.' },
  'file.not-json': { says: 'A .json file is JSON.', help: 'Correct it, or name the file .yaml.' },
  'file.path': {
    says: 'Every catalog file can be read.',
    help: 'Make it a file inside the catalog directory that can be read.',
  },
  'file.plan-file': {
    says: 'Plans are kept outside of the catalog.',
    help: 'Move the plan out of the catalog directory, or give it a name that ends otherwise, such as plan.licet.',
  },
  'file.reserved-key': { says: 'Some keys are never names.', help: 'Rename the key.' },
  'file.syntax': { says: 'Files are YAML 1.2.', help: 'Correct the syntax at that place.' },
  'file.tab-indentation': { says: 'Indentation is made of blanks.', help: 'Replace the tab by blanks.' },
  'file.tag': { says: 'No YAML tags.', help: 'Remove the tag (!name), and quote the value if it is text.' },
  'file.too-deep': { says: 'Files are not nested deeper than a catalog is.', help: 'Flatten it.' },
  'file.too-large': { says: 'A catalog has at most 64 MiB.', help: 'Split the file, or leave some of it out.' },
  'file.too-many': { says: 'A catalog has at most 10,000 files.', help: 'Put several items into a file.' },
  'file.unknown-section': {
    says: 'The top level of a file names sections.',
    help: 'Use the name of a section, such as products.',
  },
}

const catalogRules: Record<RuleCode | 'catalog.format_version', FindingRule> = {
  'license.validation_error': {
    says: 'Every field has a name and a value that the schema and the rules accept.',
    help: 'Correct the field as the message says; the JSON Schema of a catalog file explains each.',
  },
  'catalog.duplicate_key': { says: 'A natural key occurs once.', help: 'Remove or rename one of the two items.' },
  'catalog.in_use': { says: 'What is in use stays as it is.', help: 'Change what uses it first.' },
  'catalog.invalid_transition': {
    says: 'A status takes one step at a time.',
    help: 'Choose a status that the one before leads to.',
  },
  'catalog.unresolved_reference': {
    says: 'What an item names is in the catalog.',
    help: 'Correct the name, add the item, or state under references that it is External.',
  },
  'catalog.format_version': {
    says: "formatVersion is the text '1.0'.",
    help: "Write formatVersion: '1.0', or leave it out.",
  },
}

const cautions: Record<string, FindingRule> = {
  anonymous_try_without_policy: {
    says: 'An anonymous trial names its policy.',
    help: 'Name a policy, or turn anonymous trials off.',
  },
  funding_balance_unknown: {
    says: 'A balance that pays is one that a product has.',
    help: 'Add the balance, or correct its name.',
  },
  funding_not_charged: { says: 'Funding is for what is charged.', help: 'Charge the tier, or remove its funding.' },
  metric_not_monitored: {
    says: 'A metric that a value names is metered.',
    help: 'Add the monitored asset, or correct the name.',
  },
  plan_target_unknown: {
    says: 'A plan that is named is in a plan set.',
    help: 'Correct the name of the plan, or add the plan.',
  },
  tier_gap: { says: 'Tiers leave no usage out.', help: 'Begin the tier where the one before it ends.' },
  tier_overlap: { says: 'Tiers do not overlap.', help: 'Begin the tier where the one before it ends.' },
  value_type: {
    says: 'A value is of the type of its feature.',
    help: 'Write a value of the type that the feature has.',
  },
}

/** Every rule by the codeName of its findings. */
export const findingRules: Readonly<Record<string, FindingRule>> = {
  ...catalogRules,
  ...fileRules,
  ...Object.fromEntries(Object.entries(cautions).map(([code, rule]) => [code, { ...rule, isCaution: true }])),
}
