import { z } from 'zod'
import { CaseDetails } from '../cases.ts'
import { endpoint } from '../endpoint.ts'
import { HeldCase, HeldRecording, HoldReason, RecordingHolds } from '../holds.ts'
import { IdParams } from '../scalars.ts'

const Reason = z.object({ reason: HoldReason })

/** Legal hold: no part of a recording or case can be deleted until the hold is lifted (docs/retention.md). */
export const holds = {
  get: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/hold',
    access: 'user',
    summary: 'What keeps a recording from being deleted: its own legal hold, and those of its cases; for its readers',
    params: IdParams,
    response: RecordingHolds,
    errors: ['not_found'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/recordings/:id/hold',
    access: 'user',
    summary:
      'Put a recording on legal hold (its owner, and admins): nothing of it can be deleted until the hold is lifted. One that was just ' +
      'deleted comes back. Admins take over the hold of an owner; 409 for an owner where an admin set it',
    params: IdParams,
    body: Reason,
    response: RecordingHolds,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  lift: endpoint({
    method: 'POST',
    path: '/api/recordings/:id/hold/lift',
    access: 'user',
    summary:
      'Lift the legal hold of a recording (its owner, and admins, who confirm their password); one that an admin set is lifted by admins. ' +
      'Holds of its cases stay',
    params: IdParams,
    body: Reason,
    response: RecordingHolds,
    errors: ['not_found', 'forbidden', 'conflict'],
    mayNeedConfirmation: true,
  }),
  keptStates: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/hold/kept',
    access: 'user',
    summary:
      'What people changed of a recording while it was on legal hold, as it was before each change, as lines of JSON; for its readers',
    params: IdParams,
    response: z.string(),
    transport: 'file',
    heavy: 'parts',
    errors: ['not_found'],
  }),
  keptStatesOfCase: endpoint({
    method: 'GET',
    path: '/api/cases/:id/hold/kept',
    access: 'user',
    summary: 'The same of notes and words of a case, for its members',
    params: IdParams,
    response: z.string(),
    transport: 'file',
    heavy: 'parts',
    errors: ['not_found', 'forbidden'],
  }),
  setOfCase: endpoint({
    method: 'PUT',
    path: '/api/cases/:id/hold',
    access: 'user',
    summary:
      'Put a case on legal hold with all of its recordings, and those that are added later (its owner, and admins); as for a recording',
    params: IdParams,
    body: Reason,
    response: CaseDetails,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  liftOfCase: endpoint({
    method: 'POST',
    path: '/api/cases/:id/hold/lift',
    access: 'user',
    summary: 'Lift the legal hold of a case (its owner, and admins, who confirm their password); as for a recording',
    params: IdParams,
    body: Reason,
    response: CaseDetails,
    errors: ['not_found', 'forbidden', 'conflict'],
    mayNeedConfirmation: true,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/auth/admin/holds',
    access: 'admin',
    summary:
      'All legal holds of cases and recordings, set last first, at most 1,000 of each; recordings without their names',
    response: z.object({ cases: z.array(HeldCase), recordings: z.array(HeldRecording) }),
    errors: [],
  }),
}
