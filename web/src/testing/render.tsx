import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { Providers } from '../app/app.tsx'
import { AtomProvider } from '../shared/jotai.ts'
import { sessionQuery } from '../shared/session/session.ts'

/** Renders a screen at an address, with all providers and the element in which menus open; signed in if there is a user. */
export function renderAt(path: string, screen: ReactNode, user?: User) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  if (user) client.setQueryData(sessionQuery.queryKey, user)
  const result = render(
    <AtomProvider>
      <Providers client={client} env="test">
        <MemoryRouter initialEntries={[path]}>
          <div id="content">{screen}</div>
        </MemoryRouter>
      </Providers>
    </AtomProvider>,
  )
  return { ...result, client, user: userEvent.setup() }
}
