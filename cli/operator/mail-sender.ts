const control = '\\u0000-\\u001f\\u007f-\\u009f'
const character = `[^\\s@<>,;:"()\\[\\]\\\\${control}]`
const address = `${character}+@${character}+`
const name = `(?:[^@<>;:"()\\\\${control}]|"[^"\\\\${control}]*"|\\([^@<>"()\\\\${control}]*\\))*`
const sender = new RegExp(`^(?:${address}|${name}<${address}>)$`)

/** Whether letters can be from this: one e-mail address, alone or in angle brackets after a name (RFC 5322 §3.4). */
export const isMailSender = (text: string): boolean => sender.test(text.trim())
