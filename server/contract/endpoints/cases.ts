import { z } from 'zod'
import {
  Case,
  CaseColour,
  CaseDetails,
  CaseName,
  CaseNotes,
  CaseOfRecording,
  CaseRecording,
  maxCaseMembers,
  maxCaseRecordings,
  maxOwnCases,
  MemberRole,
} from '../cases.ts'
import { endpoint } from '../endpoint.ts'
import { LibrarySelection } from '../library.ts'
import { ReviewProgress } from '../review-state.ts'
import { Email, Id, IdParams, Message, PageInfo, Paging } from '../scalars.ts'

const RecordingParams = IdParams.extend({ recording_id: Id })
const MemberParams = IdParams.extend({ user_id: Id })

/** Cases: recordings of several owners that the members of a case read and correct together (docs/decisions/cases.md). */
export const cases = {
  list: endpoint({
    method: 'GET',
    path: '/api/cases',
    access: 'user',
    summary:
      'The cases of the user, changed last first; `scope=all` for admins: those of everybody, without what they hold',
    query: z.object({
      ...Paging,
      scope: z.enum(['mine', 'all']).default('mine'),
      /** Part of the name, case-insensitive. */
      search: z.string().trim().max(200).default(''),
      /** Only cases to which the user may add recordings. */
      can_add: z.stringbool().default(false),
    }),
    response: z.object({ cases: z.array(Case), ...PageInfo }),
    errors: ['forbidden'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/cases',
    access: 'user',
    summary: 'Create a case; its creator owns it',
    body: z.object({ name: CaseName, colour: CaseColour.default('teal'), notes: CaseNotes.default('') }),
    response: CaseDetails,
    status: 201,
    limit: { max: maxOwnCases, error: 'conflict' },
    errors: ['conflict'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/cases/:id',
    access: 'user',
    summary: 'A case with its members, for members and admins; without notes for an admin who is no member',
    params: IdParams,
    response: CaseDetails,
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/cases/:id',
    access: 'user',
    summary: 'Change name and colour (the owner), or the notes (members with edit)',
    params: IdParams,
    body: z.object({ name: CaseName.optional(), colour: CaseColour.optional(), notes: CaseNotes.optional() }),
    response: CaseDetails,
    errors: ['not_found', 'forbidden'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/cases/:id',
    access: 'user',
    summary: 'Delete a case (the owner, and admins, who confirm their password); its recordings stay with their owners',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'forbidden', 'on_hold'],
    mayNeedConfirmation: true,
  }),
  setMember: endpoint({
    method: 'PUT',
    path: '/api/cases/:id/members',
    access: 'user',
    summary:
      'Add a member by e-mail address, with an account or a pending invitation (the owner and super admins), or change the role of one (the ' +
      'owner and admins); whoever does not own the case confirms their password',
    params: IdParams,
    body: z.object({ email: Email, role: MemberRole }),
    response: CaseDetails,
    limit: { max: maxCaseMembers, error: 'conflict' },
    errors: ['not_found', 'forbidden', 'conflict'],
    mayNeedConfirmation: true,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/cases/:id/members/:user_id',
    access: 'user',
    summary:
      "Remove a member, and the member's recordings from the case, or somebody with an invitation, by its id (the owner, and admins, who " +
      'confirm their password)',
    params: MemberParams,
    response: CaseDetails,
    errors: ['not_found', 'forbidden', 'conflict'],
    mayNeedConfirmation: true,
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/cases/:id/leave',
    access: 'user',
    summary: "Leave a case, and take one's recordings out of it",
    params: IdParams,
    response: Message,
    errors: ['not_found', 'conflict'],
  }),
  listRecordings: endpoint({
    method: 'GET',
    path: '/api/cases/:id/recordings',
    access: 'user',
    summary: 'The recordings of a case, added last first, for members',
    params: IdParams,
    query: z.object(Paging),
    response: z.object({ recordings: z.array(CaseRecording), ...PageInfo }),
    errors: ['not_found', 'forbidden'],
  }),
  progress: endpoint({
    method: 'GET',
    path: '/api/cases/:id/progress',
    access: 'user',
    summary:
      'How much of the recordings of a case was read, weighted by their lengths: heard by the caller, verified by anybody; for members',
    params: IdParams,
    response: ReviewProgress.extend({ recordings: z.int().nonnegative() }),
    errors: ['not_found', 'forbidden'],
  }),
  addRecordings: endpoint({
    method: 'POST',
    path: '/api/cases/:id/recordings',
    access: 'user',
    summary: 'Add own recordings to a case (members with edit); those that it has already stay',
    params: IdParams,
    body: z.object({ selection: LibrarySelection }),
    response: z.object({ added: z.int().nonnegative(), ids: z.array(Id) }),
    limit: { max: maxCaseRecordings, error: 'conflict' },
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  removeRecording: endpoint({
    method: 'DELETE',
    path: '/api/cases/:id/recordings/:recording_id',
    access: 'user',
    summary:
      "Take a recording out of a case (the recording's owner, the owner of the case, and admins, who confirm their password)",
    params: RecordingParams,
    response: Message,
    errors: ['not_found', 'forbidden', 'on_hold'],
    mayNeedConfirmation: true,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/case-people',
    access: 'user',
    summary:
      'The active users with whom the caller shares cases, by name: those whom a case can be given without typing an address',
    response: z.object({ people: z.array(z.object({ id: Id, name: z.string(), email: z.string() })) }),
    errors: [],
  }),
  ofRecording: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/cases',
    access: 'user',
    summary: 'The cases of a recording, as far as the caller sees them',
    params: IdParams,
    response: z.object({ cases: z.array(CaseOfRecording) }),
    errors: ['not_found'],
  }),
}
