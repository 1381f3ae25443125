import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { Invitation } from '#contract/entities/invitation.ts'
import type { User } from '#contract/entities/user.ts'
import { plainAdmin } from './admin-panel.tsx'
import { fakeServer, serverConfig } from './fake-server.ts'
import { renderAt } from './render.tsx'

export const listKey = 'GET /api/auth/admin/invitations'
export const createKey = 'POST /api/auth/admin/invitations'
export const previewKey = 'POST /api/auth/admin/invitations/import/preview'
export const importKey = 'POST /api/auth/admin/invitations/import'

const dayMs = 24 * 3_600_000

/** A pending invitation as administrators see it, which expires in six days. */
export const someInvitation: Invitation = {
  id: 'a'.repeat(24),
  email: 'zarghuna@example.org',
  first_name: 'Zarghuna',
  last_name: 'Ana',
  role: 'user',
  state: 'pending',
  invited_by: 'Nadia Ahmadi',
  created_at: '2026-01-02T03:04:05.000Z',
  sent_at: '2026-01-02T03:04:05.000Z',
  expires_at: new Date(Date.now() + 6 * dayMs + 60_000).toISOString(),
  accepted_at: null,
}

/** A page of invitations as the server returns one. */
export function invitationList(...invitations: Invitation[]) {
  return { body: { invitations, total: invitations.length, page: 1, per_page: 20, pages: 1 } }
}

interface PeopleScreen {
  handlers?: Parameters<typeof fakeServer>[0]
  config?: Partial<typeof serverConfig>
  user?: User | null
}

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

/** Renders a page about people, for an admin by default, with an empty list of invitations. `user: null` is a visitor. */
export function renderPeople(
  path: string,
  page: ReactNode,
  { handlers, config, user = plainAdmin }: PeopleScreen = {},
) {
  const urls: string[] = []
  const answered: Parameters<typeof fakeServer>[0] = {
    'GET /api/config': () => ({ body: { ...serverConfig, ...config } }),
    [listKey]: () => invitationList(),
    ...handlers,
  }
  const recording: typeof answered = {}
  for (const [key, answer] of Object.entries(answered)) {
    recording[key] = (request) => {
      urls.push(request.url)
      return answer(request)
    }
  }
  const calls = fakeServer(recording)
  const screen = (
    <>
      {page}
      <Address />
    </>
  )
  const view = renderAt(path, screen, user ?? undefined)
  const bodiesOf = (key: string) => calls.filter((call) => call.key === key).map(({ body }) => body)
  return { calls, urls, bodiesOf, ...view }
}
