import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { fakeServer, serverConfig, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'

export const superAdmin: User = { ...someUser, id: 'f'.repeat(24), username: 'boss', role: 'super_admin' }
export const plainAdmin: User = { ...superAdmin, role: 'admin' }
export const list = { body: { users: [someUser], total: 12, page: 1, per_page: 10, pages: 2 } }
const stats = { body: { total_users: 12, active_users: 11, verified_users: 10, users_with_2fa: 9 } }
export const listOfAdmins = 'GET /api/auth/admin/users'
export const listOfAll = 'GET /api/auth/super-admin/users'
export const statsKey = 'GET /api/auth/admin/stats'
const defaultHandlers = { [listOfAdmins]: () => list, [listOfAll]: () => list, [statsKey]: () => stats }

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

type Handlers = Parameters<typeof fakeServer>[0]

/** Renders an administration page for `user`, with lists of users and their statistics. */
export function renderPanel(path: string, page: ReactNode, user: User, handlers: Handlers = {}) {
  const urls: string[] = []
  const answered: Handlers = { ...defaultHandlers, 'GET /api/config': () => ({ body: serverConfig }), ...handlers }
  const recording: Handlers = {}
  for (const [key, answer] of Object.entries(answered)) {
    recording[key] = (request) => {
      urls.push(request.url)
      return answer(request)
    }
  }
  const calls = fakeServer(recording)
  const view = renderAt(
    path,
    <>
      {page}
      <Address />
    </>,
    user,
  )
  return { calls, urls, ...view }
}
