import type { CaseDetails } from '#contract/cases.ts'
import type { User } from '#contract/entities/user.ts'
import { noProgress } from '#contract/review-state.ts'
import { CasesPage } from '../features/cases/cases-page.tsx'
import { fakeServer, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'
import { makeRecording } from './transcripts.ts'

export const caseId = '0123456789abcdef0123456a'
/** A member of the case. */
export const memberId = '0123456789abcdef0123456b'
export const moment = '2026-01-02T03:04:05.000Z'

/** Returns a case of `someUser` with one other member. */
export function makeCase(overrides: Partial<CaseDetails> = {}): CaseDetails {
  const member = { is_active: true, added_at: moment }
  return {
    id: caseId,
    name: 'Bridge',
    colour: 'plum',
    role: 'owner',
    owner: { id: someUser.id, name: 'Nadia Ahmadi' },
    member_count: 2,
    recording_count: 1,
    created_at: moment,
    updated_at: moment,
    notes: 'Who pays?',
    members: [
      { ...member, id: someUser.id, name: 'Nadia Ahmadi', email: someUser.email, role: 'owner' },
      { ...member, id: memberId, name: 'Sami Khan', email: 'sami@example.org', role: 'view' },
    ],
    invitees: [],
    ...overrides,
  }
}

const paged = { page: 1, per_page: 50, pages: 1 }
/** Returns a page of cases as the server sends it. */
export const caseListResponse = (cases: CaseDetails[]) => ({ body: { cases, total: cases.length, ...paged } })

/** Shows the page of a case with one recording, which belongs to the other member; returns the calls. */
export function showCase(shown: CaseDetails, handlers: Parameters<typeof fakeServer>[0] = {}, reader: User = someUser) {
  const row = {
    recording: makeRecording(null),
    owner: { id: memberId, name: 'Sami Khan' },
    access: 'edit',
    added_at: moment,
    progress: noProgress,
  }
  const calls = fakeServer({
    [`GET /api/cases/${caseId}`]: () => ({ body: shown }),
    [`GET /api/cases/${caseId}/recordings`]: () => ({ body: { recordings: [row], total: 1, ...paged } }),
    [`GET /api/cases/${caseId}/progress`]: () => ({
      body: { recordings: 1, heard: 0.5, verified: 0.25, verified_twice: 0 },
    }),
    'GET /api/cases': () => caseListResponse([shown]),
    ...handlers,
  })
  renderAt(`/cases?case=${caseId}`, <CasesPage />, reader)
  return calls
}
