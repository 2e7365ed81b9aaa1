/** The most records of a batch, as many as the server takes. */
const mostRecords = 1000

/** The most bytes of a body, as many as the server takes (1 MiB). */
const mostBodyBytes = 1024 * 1024

/** The most bytes of a batch: of a body less brackets and commas. */
const mostBytes = mostBodyBytes - 2 * mostRecords

/** The most bytes of a record: one that has a body to itself, but for the brackets. */
export const mostRecordBytes = mostBodyBytes - 2

/** As many of the records as go into one batch from a place on; one at least. */
export function batchFrom<Record extends { text: string }>(records: readonly Record[], from: number): Record[] {
  const batch = records.slice(from, from + mostRecords)
  let bytes = 0
  for (const [at, { text }] of batch.entries()) {
    bytes += Buffer.byteLength(text)
    if (bytes > mostBytes && at > 0) return batch.slice(0, at)
  }
  return batch
}
