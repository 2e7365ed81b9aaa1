/**
 * Whether an Accept header (RFC 9110 §12.5.1) would rather have JSON than another media type: it names application/json, and
 * the other not at all or with a lesser weight. Without a header, or with ranges alone, the other will do.
 */
export function prefersJson(accept: string | undefined, other: string): boolean {
  const weights = new Map<string, number>()
  for (const range of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return (weights.get('application/json') ?? 0) > (weights.get(other) ?? 0)
}
