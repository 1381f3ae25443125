import { screen } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, it, vi } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { fakeServer, serverConfig, someUser } from '../testing/fake-server.ts'
import { respondWithPage } from '../testing/library.tsx'
import { renderAt } from '../testing/render.tsx'
import { AppRoutes } from './app-routes.tsx'

function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>
}

function show(path: string) {
  fakeServer({
    'GET /api/config': () => ({ body: { ...serverConfig, gate_requires_verified: false } }),
    'GET /api/library': ({ url }) => respondWithPage([], url),
    'GET /api/auth/keywords': () => ({ body: { keywords: noKeywords() } }),
  })
  const unverified = { ...someUser, is_verified: false }
  return renderAt(
    path,
    <>
      <AppRoutes />
      <Address />
    </>,
    unverified,
  )
}

it.each([
  ['/', '/dashboard', 'Transcribe & Translate'],
  ['/dashboard', '/dashboard', 'Transcribe & Translate'],
  ['/upload', '/upload', 'Upload'],
  // Without an uploaded file the workspace redirects to the upload.
  ['/transcribe', '/upload', 'Upload'],
  ['/translate', '/upload', 'Upload'],
  ['/settings/general', '/settings/general', 'Keyword Settings'],
  ['/no/such/page', '/dashboard', 'Transcribe & Translate'],
])('%s leads to %s, "%s", without a verified e-mail', async (path, address, heading) => {
  show(path)
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
  expect(screen.getByTestId('address')).toHaveTextContent(address)
})

it('/translate leads to /transcribe where a file was uploaded', async () => {
  const uploaded = { name: 'a.wav', size: 1, url: '/api/audio/a', backendId: 'a'.repeat(24), is_stereo: false }
  sessionStorage.setItem('uploaded_file', JSON.stringify(uploaded))
  show('/translate')
  await vi.waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/transcribe'), 5000)
})

it('the header menu leads to Keyword Settings', async () => {
  const { user } = show('/upload')
  expect(await screen.findByRole('navigation', { name: 'Main' })).toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: /^Account menu of/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Keyword Settings' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Keyword Settings' })).toBeVisible()
})
