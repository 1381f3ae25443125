import { screen } from '@testing-library/react'
import { Route, Routes, useLocation } from 'react-router-dom'
import type { LibraryRecording } from '#contract/library.ts'
import { noProgress } from '#contract/review-state.ts'
import { LibraryPage } from '../features/library/library-page.tsx'
import { fakeServer, serverConfig, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

/** Returns a recording of a list, made distinct by its number. */
export function makeListed(number: number, changes: Partial<LibraryRecording> = {}): LibraryRecording {
  return {
    id: number.toString(16).padStart(24, '0'),
    name: `call-${number}.wav`,
    size: 1000,
    duration: 60 * number,
    channels: 1,
    is_stereo: false,
    peaks: [[0.5, 1]],
    language: null,
    languages: [],
    transcription_id: null,
    target_languages: [],
    job: null,
    created_at: '2026-11-02T10:00:00.000Z',
    tags: [],
    hits: { threats: 0, sentiment: 0, intent: 0, custom: 0 },
    state: 'new',
    progress: noProgress,
    ...changes,
  }
}

/** Responds with the page of the recordings that the request URL asks for. */
export function respondWithPage(recordings: LibraryRecording[], url: string) {
  const params = new URL(url, 'http://localhost').searchParams
  const [page, perPage] = [Number(params.get('page')), Number(params.get('per_page'))]
  const rows = recordings.slice((page - 1) * perPage, page * perPage)
  const total = recordings.length
  return { body: { recordings: rows, total, page, per_page: perPage, pages: Math.ceil(total / perPage) } }
}

/** Renders the library on a server with these recordings. */
export function renderLibrary(recordings: LibraryRecording[], handlers: Handlers = {}, address = '/dashboard') {
  const requests: URL[] = []
  const calls = fakeServer({
    'GET /api/config': () => ({ body: serverConfig }),
    'GET /api/retention': () => ({ body: { days: 0, has_case_days: false } }),
    'GET /api/stats': () => ({ body: { totalFiles: recordings.length, totalDuration: 7200, languagesProcessed: 2 } }),
    'GET /api/library': ({ url }) => {
      requests.push(new URL(url, 'http://localhost'))
      return respondWithPage(recordings, url)
    },
    'GET /api/library/facets': () => ({
      body: {
        total: recordings.length,
        states: [{ state: 'new', count: recordings.length }],
        languages: [{ language: 'ps', count: 2 }],
        tags: [{ tag: 'border', count: 1 }],
        categories: [{ category: 'threats', count: 1 }],
      },
    }),
    'GET /api/library/filters': () => ({ body: { filters: [] } }),
    'GET /api/cases': () => ({ body: { cases: [], total: 0, page: 1, per_page: 100, pages: 0 } }),
    ...handlers,
  })
  const view = renderAt(
    address,
    <Routes>
      <Route
        path="/dashboard"
        element={
          <>
            <LibraryPage />
            <Address />
          </>
        }
      />
      <Route path="/transcribe" element={<Address />} />
    </Routes>,
    someUser,
  )
  return { ...view, calls, requests, sent: (key: string) => calls.findLast((call) => call.key === key)?.body }
}

function Address() {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{pathname + search}</p>
}

/** Returns the row of a recording once it is shown. */
export async function findRow(name: string | RegExp): Promise<HTMLElement> {
  const link = await screen.findByRole('link', { name })
  const row = link.closest<HTMLElement>('[role=row]')
  if (!row) throw new Error(`${name} stands in no row`)
  return row
}
