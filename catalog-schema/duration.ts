const iso =
  /^P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,3}))?S)?)?$/
const timeSpan = /^(?:(\d{1,9})\.)?([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,7}))?)?$/

/** The ISO 8601 duration for a duration text, a .NET time span (`7.00:00:00`) included; undefined when it is neither. */
export function normalDuration(text: string): string | undefined {
  if (iso.test(text)) return text
  const span = timeSpan.exec(text)
  if (!span) return undefined
  const days = Number(span[1] ?? 0)
  const [hours, minutes, seconds] = [Number(span[2]), Number(span[3]), Number(span[4] ?? 0)]
  const millis = (span[5] ?? '').slice(0, 3).replace(/0+$/, '')
  let time = ''
  if (hours) time += `${hours}H`
  if (minutes) time += `${minutes}M`
  if (seconds || millis) time += `${seconds}${millis ? `.${millis}` : ''}S`
  if (!days && !time) return 'PT0S'
  return `P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`
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
