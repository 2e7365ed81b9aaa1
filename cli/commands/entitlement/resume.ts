import { StepCommand } from './step-command.ts'

export default class EntitlementResume extends StepCommand {
  static override summary = 'Make a suspended entitlement Active again.'
  static override description = 'Its devices go on as they were. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement resume 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  override readonly step = 'resume'
}
