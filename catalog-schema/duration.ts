const iso =
  /^P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,3}))?S)?)?$/
const timeSpan = /^(?:(\d{1,9})\.)?([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,7}))?)?$/

/** A fraction of the last component, behind a dot or a comma (ISO 8601-1:2019 §5.5.2.3): of seconds, or of what seconds divide. */
const ofSeconds = /[.,](\d{1,30})S$/
const ofMore = /^P(?<date>[^T]*?)(?:(?<t>T)(?<time>.*?))?(?<whole>\d{1,9})[.,](?<fraction>\d{1,30})(?<unit>[WDHM])$/
const lengths: Record<string, number> = { W: 604_800_000, D: 86_400_000, TH: 3_600_000, TM: 60_000 }

/**
 * The ISO 8601 duration for a duration text, to the millisecond and with no fraction but of seconds; a .NET time span
 * (`7.00:00:00`) is one, too. Undefined for any other text, and for fractions of months and years, which have no length.
 */
export const normalDuration = (text: string): string | undefined =>
  iso.test(text)
    ? text
    : [toMillis(text), withoutFraction(text), ofTimeSpan(text)].find((form) => form !== undefined && iso.test(form))

const toMillis = (text: string) =>
  text.replace(ofSeconds, (_, digits: string) => {
    const millis = digits.slice(0, 3).replace(/0+$/, '')
    return millis ? `.${millis}S` : 'S'
  })

function withoutFraction(text: string): string | undefined {
  const { date = '', t = '', time = '', whole = '', fraction = '', unit = '' } = ofMore.exec(text)?.groups ?? {}
  const length = lengths[t + unit]
  if (length === undefined || !iso.test(`P${date}${t}${time}${whole}${unit}`)) return undefined
  const rest = Number((BigInt(fraction) * BigInt(length)) / 10n ** BigInt(fraction.length))
  const own = Number(whole) === 0 ? '' : `${whole}${unit}`
  return t ? written(rest, date, time + own) : written(rest, date + own)
}

function ofTimeSpan(text: string): string | undefined {
  const span = timeSpan.exec(text)
  if (!span) return undefined
  const [days, hours, minutes] = [span[1] ?? 0, span[2], span[3]].map(Number) as [number, number, number]
  const millis = Number((span[5] ?? '').slice(0, 3).padEnd(3, '0'))
  const rest = (hours * 60 + minutes) * 60_000 + Number(span[4] ?? 0) * 1000 + millis
  return written(rest, days === 0 ? '' : `${days}D`)
}

/** A duration of so many milliseconds, behind components that are written already. */
function written(millis: number, date = '', time = ''): string {
  const of = (amount: number, unit: string) => (amount === 0 ? '' : `${amount}${unit}`)
  const days = of(Math.floor(millis / 86_400_000), 'D')
  const hours = of(Math.floor(millis / 3_600_000) % 24, 'H')
  const minutes = of(Math.floor(millis / 60_000) % 60, 'M')
  const seconds = of((millis % 60_000) / 1000, 'S')
  const clock = `${time}${hours}${minutes}${seconds}`
  return clock || date || days ? `P${date}${days}${clock && `T${clock}`}` : 'PT0S'
}

/** A duration in its calendar part (whole months) and its exact part (milliseconds), as ISO 8601 adds them to an instant. */
export function readDuration(text: string): { months: number; millis: number } | undefined {
  const normal = normalDuration(text)
  const match = normal === undefined ? null : iso.exec(normal)
  if (!match) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1, 8).map((part) => Number(part ?? 0))
  const millis = Number((match[8] ?? '').padEnd(3, '0') || 0)
  return {
    months: years! * 12 + months!,
    millis: (((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60_000 + seconds! * 1000 + millis,
  }
}

/** Whether a duration lasts a second or longer. */
export function isLasting(text: string): boolean {
  const span = readDuration(text)
  return span !== undefined && (span.months > 0 || span.millis >= 1000)
}
