const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Whether the text is one number as RFC 8259 section 6 writes it. */
export function isJsonNumber(text: string) {
  return jsonNumber.test(text)
}

/** Whether the double nearest to a JSON number, printed in its shortest form, is that very decimal number. */
export function isExactAsDouble(text: string) {
  return toDecimal(text) === toDecimal(String(Number(text)))
}

/** One spelling per decimal number, its sign aside: the digits without outer zeros, and the power of ten of the last one. */
function toDecimal(text: string) {
  const [mantissa = '', exponent = '0'] = (text.startsWith('-') ? text.slice(1) : text).toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (start < end && digits[end - 1] === '0') end--
  return start === end ? '0' : `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
