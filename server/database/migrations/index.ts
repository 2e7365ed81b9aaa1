import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { catalog } from './0002-catalog.ts'
import { catalogBaselines } from './0003-catalog-baselines.ts'
import { entitlements } from './0004-entitlements.ts'
import { metering } from './0005-metering.ts'
import { webhooks } from './0006-webhooks.ts'
import { people } from './0007-people.ts'
import { signedUntil } from './0008-signed-until.ts'
import { largeTenants } from './0009-large-tenants.ts'
import { formerFingerprints } from './0010-former-fingerprints.ts'
import { pendingPlanChanges } from './0011-pending-plan-changes.ts'
import { oneCheckARow } from './0012-one-check-a-row.ts'
import { rejectedRecords } from './0013-rejected-records.ts'
import { findingAPerson } from './0014-finding-a-person.ts'
import { compressedHistory } from './0015-compressed-history.ts'
import { openTries } from './0016-open-tries.ts'

/** Every migration by name, in order. A migration is never edited once it has landed. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-catalog': catalog,
  '0003-catalog-baselines': catalogBaselines,
  '0004-entitlements': entitlements,
  '0005-metering': metering,
  '0006-webhooks': webhooks,
  '0007-people': people,
  '0008-signed-until': signedUntil,
  '0009-large-tenants': largeTenants,
  '0010-former-fingerprints': formerFingerprints,
  '0011-pending-plan-changes': pendingPlanChanges,
  '0012-one-check-a-row': oneCheckARow,
  '0013-rejected-records': rejectedRecords,
  '0014-finding-a-person': findingAPerson,
  '0015-compressed-history': compressedHistory,
  '0016-open-tries': openTries,
}
