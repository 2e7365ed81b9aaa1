const turns = new Map<string, Promise<unknown>>()

/** Runs work of one name one after another, in this process: what comes second waits for the first, however that ends. */
export async function takeTurns<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve()
  const turn = before.catch(() => undefined).then(work)
  turns.set(name, turn)
  try {
    return await turn
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
}
