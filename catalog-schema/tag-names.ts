/** The one folding by which tag names are told apart: letter case aside, by Unicode's own rule and no locale's. */
export const foldTagName = (name: string) => name.toLowerCase()
