import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ReportTemplate } from '#contract/report-templates.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { PrintPage } from './print-page.tsx'

const id = 'a'.repeat(24)
const court: ReportTemplate = {
  id: 'b'.repeat(24),
  name: 'Court',
  format: 'print',
  translation: true,
  hits: true,
  notes: true,
  facts: false,
  doubt: 'none',
  heading: 'Office 7',
  introduction: '',
  closing: 'Signed by {person}',
}

beforeEach(() => {
  vi.stubGlobal('print', vi.fn())
  // The test's browser loads no typefaces.
  Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })
  return () => Reflect.deleteProperty(document, 'fonts')
})

function openPrintView(query: string, listTemplates: Parameters<typeof fakeServer>[0][string]) {
  const transcription = makeTranscript([makeSegment('good morning')])
  const content = { name: 'call.wav', speakers: [], transcription, translation: null }
  const keywords = { threats: [], sentiment: [], intent: [], custom: [] }
  const calls = fakeServer({
    [`GET /api/recordings/${id}/export`]: () => ({ body: content }),
    'GET /api/keywords': () => ({ body: { keywords } }),
    'GET /api/report-templates': listTemplates,
  })
  const { user } = renderAt(`/transcribe/print?recording=${id}${query}`, <PrintPage />, someUser)
  return { user, calls }
}

it('prints with the texts of a template, and without what it leaves out', async () => {
  openPrintView(`&facts=false&template=${court.id}`, () => ({ body: { templates: [court] } }))
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Office 7')
  expect(screen.getByText('Signed by Nadia Ahmadi')).toBeVisible()
  expect(screen.queryByText('About this transcript')).toBeNull()
})

it('without a template asks for none, and has the name and the technical data', async () => {
  const { calls } = openPrintView('', () => ({ body: { templates: [court] } }))
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('call.wav')
  expect(screen.getByText('About this transcript')).toBeVisible()
  expect(calls.map(({ key }) => key)).not.toContain('GET /api/report-templates')
})

it('says that a template no longer exists', async () => {
  openPrintView(`&template=${court.id}`, () => ({ body: { templates: [] } }))
  expect(await screen.findByText('This report template no longer exists.')).toBeVisible()
})

it('tries again where the template could not be loaded', async () => {
  let isDown = true
  const { user } = openPrintView(`&template=${court.id}`, () =>
    isDown ? failure(503, 'Not now.') : { body: { templates: [court] } },
  )
  expect(await screen.findByText('Not now.')).toBeVisible()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Office 7')
})
