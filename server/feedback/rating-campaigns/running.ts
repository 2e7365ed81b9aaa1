/** When a campaign asks: instants in milliseconds, 1 for enabled. */
interface Window {
  is_enabled: number
  starts_at: number | null
  ends_at: number | null
}

/** Whether a campaign asks at `now`: enabled, from its beginning on, until its end, which is no part of it. */
export const isRunning = ({ is_enabled, starts_at, ends_at }: Window, now: number): boolean =>
  is_enabled === 1 && (starts_at === null || starts_at <= now) && (ends_at === null || now < ends_at)
