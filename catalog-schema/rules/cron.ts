import { Cron } from 'croner'

/** A value, or a range, with or without a step; beside numbers, `*` and names of months and days nothing, such as the `L` of other schedulers. */
const part = String.raw`(?:\*|\d+|[a-z]{3})(?:-(?:\d+|[a-z]{3}))?(?:/\d+)?`
const field = new RegExp(`^${part}(?:,${part})*$`, 'i')
/** A schedule comes or not whatever the time is: the calendar repeats. */
const anyTime = new Date(0)
const notOne = 'this is no cron schedule: minute, hour, day of month, month, day of week'

/** What is wrong with a five-field cron schedule (minute, hour, day of month, month, day of week), or undefined when it is sound. */
export function explainCron(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5) return `a cron schedule has five fields, not ${schedule.trim() === '' ? 0 : fields.length}`
  if (!fields.every((one) => field.test(one))) return notOne
  try {
    const cron = new Cron(schedule, { mode: '5-part', utcOffset: 0, paused: true })
    return cron.nextRun(anyTime) === null ? 'this cron schedule never comes' : undefined
  } catch {
    return notOne
  }
}
