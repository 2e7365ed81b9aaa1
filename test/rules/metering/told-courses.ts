import { decimalText } from '../../../server/kit/decimal.ts'
import type { Course } from '../../../server/metering/consumption/course.ts'
import { dueAt } from '../../../server/metering/consumption/settling.ts'
import { consumptionOf, usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { wire } from './courses.ts'

/** All that can be told of a course at `now`: its meters, ledger and happenings. */
export const told = (course: Course, now: number) => ({
  meters: wire(course.meters().map((meter) => (meter.balance ? consumptionOf : usageOf)(course, meter, now))),
  due: course.meters().map(dueAt),
  entries: course.entries.map(({ meterId, kind, amount, occurredAt }) => [
    meterId,
    kind,
    decimalText(amount),
    occurredAt,
  ]),
  levels: course.happenings.map(({ by, happening: { entityId, data } }) => [
    ...[entityId, data.previousLevel, data.level],
    ...[by.now, 'periodStart' in data ? data.periodStart : null],
  ]),
})
