/** The problems that a rule of the catalog can raise, with their stable numbers. */
export const ruleCodes = {
  'license.validation_error': 2000,
  'catalog.duplicate_key': 3001,
  'catalog.in_use': 3002,
  'catalog.invalid_transition': 3003,
  'catalog.unresolved_reference': 3004,
} as const
export type RuleCode = keyof typeof ruleCodes
