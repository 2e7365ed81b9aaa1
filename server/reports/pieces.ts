/** How many rows of a long table are in memory at a time. */
export const rowsOfPiece = 10_000

/** The rows of a long table, piece by piece; `readPiece` answers those that follow a row, at most `rowsOfPiece` of them. */
export async function* inPieces<Row>(readPiece: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined
  for (;;) {
    const piece = await readPiece(last)
    yield* piece
    if (piece.length < rowsOfPiece) return
    last = piece.at(-1)
  }
}
