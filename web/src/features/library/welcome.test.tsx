import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { Welcome } from './welcome.tsx'

it('calls for an upload under the tagline', () => {
  renderAt('/dashboard', <Welcome />, someUser)
  expect(screen.getByRole('heading', { level: 1, name: 'Transcribe & Translate' })).toBeVisible()
  expect(screen.getByText('Choose files')).toBeVisible()
  expect(screen.getByLabelText('Recordings to upload')).toBeInTheDocument()
})

it('has three cards of what the product does, translation into 50+ languages among it', () => {
  renderAt('/dashboard', <Welcome />, someUser)
  const headings = screen.getAllByRole('heading', { level: 2 })
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Two speakers, kept apart',
    'Translated line by line',
    'Scanned for your keywords',
  ])
  const card = headings[1]?.parentElement ?? document.body
  expect(within(card).getByText(/^AI transcription, and translation into 50\+ languages/)).toBeVisible()
})
