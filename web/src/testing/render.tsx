import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { Providers } from '../app/app.tsx'

/** Renders a screen in everything it stands in, at an address. */
export function renderAt(path: string, screen: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const result = render(
    <Providers client={client} env="test">
      <MemoryRouter initialEntries={[path]}>{screen}</MemoryRouter>
    </Providers>,
  )
  return { ...result, client, user: userEvent.setup() }
}
