import { foldText } from './folding.ts'

/** The one folding by which tag names are told apart: letter case aside, whatever the language. */
export const foldTagName = foldText
