import { dataSubjectRequests, ownDataSubjectRequests } from './data-subject-requests/procedures.ts'

/** What privacy adds to the router: below `admin`, and for the signed-in end user. */
export const privacyProcedures = {
  admin: { dataSubjectRequests },
  consumer: { dataSubjectRequests: ownDataSubjectRequests },
}
