import { Cron } from 'croner'

/** What is wrong with a five-field cron schedule (minute, hour, day of month, month, day of week), or undefined when it is sound. */
export function explainCron(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5) return `a cron schedule has five fields, not ${schedule.trim() === '' ? 0 : fields.length}`
  try {
    const cron = new Cron(schedule, { mode: '5-part', paused: true })
    return cron.nextRun() === null ? 'this cron schedule never comes' : undefined
  } catch {
    return 'this is no cron schedule: minute, hour, day of month, month, day of week'
  }
}
