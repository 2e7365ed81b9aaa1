export const requestKinds = ['Access', 'Erasure', 'Rectification'] as const
export const requestStatuses = ['Filed', 'Approved', 'Rejected', 'Completed'] as const
type RequestStatus = (typeof requestStatuses)[number]

/** What may be done with a request, from which status, and the one that it leads to. */
const steps = {
  approve: { from: 'Filed', to: 'Approved' },
  reject: { from: 'Filed', to: 'Rejected' },
  complete: { from: 'Approved', to: 'Completed' },
} as const satisfies Record<string, { from: RequestStatus; to: RequestStatus }>
export type Step = keyof typeof steps

/** The status that a step leads to; undefined where the request is not in the one that the step begins at. */
export const statusAfter = <S extends Step>(status: RequestStatus, step: S): (typeof steps)[S]['to'] | undefined =>
  status === steps[step].from ? steps[step].to : undefined

/** Whether the person's data are handed out: of a request for access that was approved. */
export const isAnswered = ({ kind, status }: { kind: string; status: RequestStatus }): boolean =>
  kind === 'Access' && (status === 'Approved' || status === 'Completed')
