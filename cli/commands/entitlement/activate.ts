import { StepCommand } from './step-command.ts'

export default class EntitlementActivate extends StepCommand {
  static override summary = 'Make a Draft entitlement Active.'
  static override description = 'Its devices can be activated from then on. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement activate 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  override readonly step = 'activate'
}
