const byte = /^(0|[1-9]\d{0,2})$/
const group = /^[0-9a-fA-F]{1,4}$/

/** What is wrong with a network in CIDR notation (RFC 4632, RFC 4291 §2.3; an address alone is a network of one), or undefined when it is sound. */
export function explainNetwork(text: string): string | undefined {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined
  if (bits === undefined || more.length > 0) return 'must be a network such as 10.0.0.0/8 or 2001:db8::/32'
  if (prefix !== undefined && !(byte.test(prefix) && Number(prefix) <= bits))
    return `the number after the slash is 0 to ${bits}`
  return undefined
}

function isIPv4(text: string): boolean {
  const bytes = text.split('.')
  return bytes.length === 4 && bytes.every((part) => byte.test(part) && Number(part) <= 255)
}

function isIPv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const width = groups.length + (isIPv4(last) ? 1 : 0)
  if (!groups.every((part, index) => group.test(part) || (index === groups.length - 1 && isIPv4(part)))) return false
  if (isIPv4(last) && text.endsWith('::')) return false
  return halves.length === 2 ? width <= 7 : width === 8
}
