import { screen, within } from '@testing-library/react'
import { Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import type { FoundCall, FoundLine } from '#contract/endpoints/search.ts'
import { SearchPage } from '../features/search/search-page.tsx'
import { fakeServer, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'

type Handler = NonNullable<Parameters<typeof fakeServer>[0][string]>

/** A line found by searching for `money`. */
export const bridge: FoundLine = {
  kind: 'line',
  start: 83.5,
  end: 86,
  speaker: 'Speaker B',
  language: 'en',
  text: 'bring the money to the bridge',
  marks: [[10, 15]],
  spelled: [],
  before: 'we meet at noon',
  after: 'agreed',
}

/** Returns a call among search results, made distinct by its number, with one line. */
export function makeFoundCall(number: number, changes: Partial<FoundCall> = {}): FoundCall {
  const id = number.toString(16).padStart(24, '0')
  return {
    recording: {
      id,
      name: `call-${number}.wav`,
      created_at: '2026-11-02T10:00:00.000Z',
      duration: 761,
      language: 'ps',
    },
    is_in_one_line: true,
    total: 1,
    lines: [bridge],
    ...changes,
  }
}

/** Responds to a search with these calls. */
export const respondWithCalls = (calls: FoundCall[], rest: object = {}) => ({
  body: { calls, total_calls: calls.length, cursor: null, suggestion: null, also_spelled: [], ...rest },
})

/** Renders the search page on a server that finds these calls, or responds with a handler. */
export function renderSearch(address: string, found: FoundCall[] | Handler) {
  const requests: Record<string, string>[] = []
  fakeServer({
    'GET /api/search'(request) {
      requests.push(Object.fromEntries(new URL(request.url, 'http://localhost').searchParams))
      return typeof found === 'function' ? found(request) : respondWithCalls(found)
    },
    'GET /api/library/facets': () => ({
      body: { total: 1, states: [], languages: [{ language: 'ps', count: 2 }], tags: [], categories: [] },
    }),
  })
  const view = renderAt(
    address,
    <Routes>
      <Route
        path="/search"
        element={
          <>
            <SearchPage />
            <Address />
          </>
        }
      />
      <Route path="/transcribe" element={<Address />} />
    </Routes>,
    someUser,
  )
  return { ...view, requests }
}

function Address() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <p data-testid="address">{pathname + search}</p>
      <button onClick={() => void navigate(-1)}>Go back</button>
    </>
  )
}

export const searchField = () => screen.getByRole('searchbox', { name: 'Search all calls' })
export const currentAddress = () => screen.getByTestId('address').textContent
export const resultList = () => screen.findByRole('list', { name: 'Results' })

/** Returns the links that lead to what was found. */
export async function resultLinks(): Promise<HTMLElement[]> {
  const links = within(await resultList()).getAllByRole('link')
  return links.filter((link) => link.dataset.result !== undefined)
}
