/** How a value is spread over a text: what stands between items, after a colon, and before each item on its own line. */
export interface Spacing {
  words: string
  comma: string
  colon: string
  indent: string
}

/** How a language or library writes JSON: its scalars, token by token, and the spacings that are usual there. */
export interface Serialiser {
  words: string
  number: (token: string) => string
  string: (token: string) => string
  spacings: readonly Spacing[]
}

const compact: Spacing = { words: 'without blanks', comma: ',', colon: ':', indent: '' }
const loose: Spacing = { words: 'with a blank after commas and colons', comma: ', ', colon: ': ', indent: '' }
const two: Spacing = { words: 'indented by two blanks', comma: ',', colon: ': ', indent: '  ' }
const four: Spacing = { words: 'indented by four blanks', comma: ',', colon: ': ', indent: '    ' }
const tabs: Spacing = { words: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' }

const asIs = (token: string) => token
const plain = (token: string) => JSON.stringify(JSON.parse(token))
const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const upperUnicode = (character: string) => `\\u${unicode(character).slice(2).toUpperCase()}`
const escaping = (pattern: RegExp) => (token: string) => plain(token).replace(pattern, unicode)
const slashes = (token: string) => plain(token).replaceAll('/', '\\/')
const goString = escaping(/[<>&\u2028\u2029]/g)
/** Its floats keep a fraction: `2.0` is no `2`. */
const pythonNumber = (token: string) => (/[.e]/i.test(token) ? plain(token).replace(/^-?\d+$/, '$&.0') : token)

/** Those that webhooks meet, the likelier first. */
export const serialisers: readonly Serialiser[] = [
  { words: '', number: asIs, string: asIs, spacings: [compact, loose, two, four, tabs] },
  { words: 'no character escaped without need', number: asIs, string: plain, spacings: [compact, loose, two, four] },
  { words: 'as JavaScript does', number: plain, string: plain, spacings: [compact, two, four, tabs] },
  {
    words: 'as Python does',
    number: pythonNumber,
    string: escaping(/[\u007f-\uffff]/g),
    spacings: [loose, compact, two, four],
  },
  {
    words: 'as Python does with ensure_ascii=False',
    number: pythonNumber,
    string: plain,
    spacings: [loose, compact, two, four],
  },
  { words: 'as Go does, <, > and & escaped', number: asIs, string: goString, spacings: [compact, two, tabs] },
  { words: 'as Go does with float64', number: plain, string: goString, spacings: [compact, two, tabs] },
  {
    words: 'as PHP does, slashes escaped',
    number: plain,
    string: (token) => slashes(token).replace(/[\u0080-\uffff]/g, unicode),
    spacings: [compact, four],
  },
  {
    words: 'as PHP does with JSON_UNESCAPED_UNICODE, slashes escaped',
    number: plain,
    string: slashes,
    spacings: [compact, four],
  },
  {
    words: 'as .NET does, what is special in HTML escaped',
    number: asIs,
    string: (token) =>
      `"${plain(token)
        .slice(1, -1)
        .replaceAll('\\"', '\\u0022')
        .replace(/[<>&'+`\u007f-\uffff]/g, upperUnicode)}"`,
    spacings: [compact, two],
  },
  {
    words: 'as Gson does, what is special in HTML escaped',
    number: asIs,
    string: escaping(/[<>&='\u2028\u2029]/g),
    spacings: [compact, two],
  },
]
