import { filterLimits } from '../kit/filter/limits.ts'

const filters = `## Filters

\`filter\` holds terms with commas between them, all of which must hold: \`name@=*cad,status==Published\`. A term is a field, an operator and a value. What a list can be filtered by stands in its description; the letter case of a field's name does not matter.

| operator | holds when the value |
|---|---|
| \`==\` \`!=\` | is equal, or is not |
| \`>\` \`<\` \`>=\` \`<=\` | is greater, less …: numbers, date-times, ids, texts |
| \`@=\` \`!@=\` | contains the text, or does not |
| \`_=\` \`!_=\` | begins with it, or does not |
| \`_-=\` \`!_-=\` | ends with it, or does not |

A \`*\` behind the operator (\`==*\` \`!=*\` \`@=*\` \`_=*\` \`_-=*\` \`!@=*\` \`!_=*\` \`!_-=*\`) leaves letter case aside.

- \`status==Draft|Published\`: any of the values; after a negated operator none of them.
- \`(name|description)@=cad\`: any of the fields.
- \`\\\` stands before each of \`, | \\ ( ) = ! < > @ _ * -\` that is part of the value where it would be read otherwise; before any other character it is itself.
- \`null\` after an equality is the missing value: \`endsAt==null\`, \`endsAt!=null\`. \`\\null\` is the text.
- A missing value is neither equal nor unequal to any other: a negated operator leaves it out. A list (\`tags\`) matches when one of its elements does, after a negated operator when none does, also when it is empty; \`null\` is the empty list.
- A date-time is as in RFC 3339 or a date alone (its midnight in UTC), a truth value \`true\` or \`false\`, a duration \`P7D\`. What cannot be read as a number, date-time, truth value, duration or id where the field is one is 400; a text that is none of the values of an enumeration equals none of them.
- At most ${filterLimits.terms} terms, ${filterLimits.values} values and ${filterLimits.bytes} bytes. In a URL all of it is percent-encoded.

\`sortOrder\` holds fields with commas between them, a \`-\` before one that descends: \`name,-createdAt\`. Missing values come first, or last when it descends; ties fall back to the id.`

const trpc = `## tRPC

Every operation but the token endpoint is also a procedure at \`{server}/trpc\`, named by its operationId: a GET is a query, anything else a mutation. Its input is one object of the parameters of path and query and the fields of the body; its headers are the same. A body that is no object of fields (the snapshot of an import, an array of transactions) is one field of that object, which the operation's description names.

\`POST {server}/trpc/admin.tags.update\` with \`{"id": "0198c0de-…", "name": "Beta"}\` answers \`{"result": {"data": …}}\`, or \`{"error": …}\` with the problem that REST answers.

A batch holds at most 10 calls; its status is theirs where they have the same, else 207 (200 of what comes in lines). httpLink, httpBatchLink and httpBatchStreamLink (whose lines come together) are served, without a transformer.`

/** What a foreign client has to know that stands at no operation, in Markdown. */
export const guide = [
  'Licensing, entitlements and usage metering that a software vendor runs itself.',
  filters,
  trpc,
].join('\n\n')
