/** The most records of a batch, as many as the server takes. */
const mostRecords = 1000

/** The most bytes of a batch: what the server takes in a body (1 MiB), less brackets and commas. */
const mostBytes = 1024 * 1024 - 2 * mostRecords

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
