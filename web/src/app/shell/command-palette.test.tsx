import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { makeListed } from '../../testing/library.tsx'
import { renderAt } from '../../testing/render.tsx'
import { CommandPalette } from './command-palette.tsx'

function Address() {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{pathname + search}</p>
}

/** Renders the open palette for a user whose recordings match a search for `bridge`. */
async function open() {
  fakeServer({
    'GET /api/recordings': ({ url }) => {
      const recordings = url.includes('bridge') ? [makeListed(1, { name: 'at the bridge.wav' })] : []
      return { body: { recordings, total: recordings.length, page: 1, per_page: 8, pages: 1 } }
    },
  })
  const { user } = renderAt(
    '/dashboard',
    <>
      <CommandPalette user={someUser} requestCount={1} />
      <Address />
    </>,
    someUser,
  )
  return { user, field: await screen.findByRole('textbox', { name: 'Search recordings, pages and actions' }) }
}

it('searches all calls for what is typed', async () => {
  const { user, field } = await open()
  expect(screen.queryByText(/Search all calls/)).toBeNull()
  await user.type(field, 'by the bridge')
  await user.click(await screen.findByRole('button', { name: 'Search all calls for “by the bridge”' }))
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/search?q=by+the+bridge'))
})

it('a recording that is found later is chosen by Enter all the same', async () => {
  const { user, field } = await open()
  await user.type(field, 'the bridge')
  const recording = await screen.findByRole('button', { name: /at the bridge\.wav/ })
  await waitFor(() => expect(recording).toHaveAttribute('data-selected'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/transcribe\?recording=/))
})
