import { foldText } from '../../../catalog-schema/folding.ts'

/** The name of the function, on every store, that does in a query what `foldText` does here. */
export const foldFunction = 'licet_fold'

/** So many code points are folded at a time: nearly all such pieces have nothing in them that folding changes. */
const pieceLength = 0x80

/** Every code point beyond ASCII that folding changes, and at the same place what it becomes. */
export function foldTables() {
  let from = ''
  let to = ''
  const points: number[] = []
  for (let start = 0x80; start <= 0x10ffff; start += pieceLength) {
    if (start === 0xd800) start = 0xe000
    for (let index = 0; index < pieceLength; index++) points[index] = start + index
    const piece = String.fromCodePoint(...points)
    const foldedPiece = foldText(piece)
    if (foldedPiece === piece) continue
    const folded = [...foldedPiece]
    for (const [index, character] of [...piece].entries()) {
      if (folded[index] === character) continue
      from += character
      to += folded[index]
    }
  }
  return { from, to }
}

const sliceLength = 64

/**
 * SQL that makes PostgreSQL's fold function the same as `foldText` of this process. translate() searches its whole table
 * for each character, so the table is cut into slices, and a text pays only for those slices of which it holds a code point.
 */
export function createFoldFunctionSql() {
  const { from, to } = foldTables()
  const [fromPoints, toPoints] = [[...from], [...to]]
  const slices: string[] = []
  for (let start = 0; start < fromPoints.length; start += sliceLength) {
    const slice = (points: string[]) => points.slice(start, start + sliceLength).join('')
    slices.push(
      `if value collate "C" ~ '[${slice(fromPoints)}]' then value := translate(value, '${slice(fromPoints)}', '${slice(toPoints)}'); end if;`,
    )
  }
  return `create or replace function ${foldFunction}(value text) returns text language plpgsql immutable strict parallel safe as $$
begin
  value := lower(value collate "C");
  if value collate "C" ~ '[${from}]' then
    ${slices.join('\n    ')}
  end if;
  return value;
end
$$`
}
