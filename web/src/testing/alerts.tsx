import { useLocation } from 'react-router-dom'
import type { Alert, WatchList } from '#contract/alerts.ts'
import { AlertsPage } from '../features/alerts/alerts-page.tsx'
import { fakeServer, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'

/** A watch list with two new alerts. */
export const rivers: WatchList = {
  id: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  name: 'Rivers',
  categories: ['threats'],
  words: ['river'],
  texts: 'both',
  threshold: 1,
  tags: [],
  is_on: true,
  created_at: '2026-01-02T03:04:05.000Z',
  unread: 2,
  scan: null,
}

/** Returns an alert of `rivers`; its id is the digit `id`, repeated 24 times. */
export function makeAlert(id: string, overrides: Partial<Alert> = {}): Alert {
  return {
    id: id.repeat(24),
    watch_list: { id: rivers.id, name: rivers.name },
    recording: { id: 'cccccccccccccccccccccccc', name: 'call.wav', is_capped: false },
    time: 83.5,
    speaker: 'Speaker A',
    language: 'en',
    word: 'river',
    category: null,
    is_similar: false,
    is_translation: false,
    sentence: 'at the river tonight',
    mark: [7, 12],
    state: 'new',
    is_gone: false,
    created_at: '2026-01-02T03:04:05.000Z',
    ...overrides,
  }
}

const urdu = makeAlert('2', { word: 'دریا', sentence: 'کل دریا کے پاس', mark: [3, 7], language: 'ur', time: 120 })

interface AlertsScreen {
  alerts?: Alert[]
  lists?: WatchList[]
  handlers?: Parameters<typeof fakeServer>[0]
}

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

/** Renders the alerts page on a server with these alerts and watch lists. */
export function renderAlerts(
  path: string,
  { alerts = [makeAlert('1'), urdu], lists = [rivers], handlers = {} }: AlertsScreen = {},
) {
  const calls = fakeServer({
    'GET /api/alerts': () => ({ body: { alerts, total: alerts.length, cursor: null } }),
    'GET /api/alerts/count': () => ({ body: { unread: alerts.length } }),
    'GET /api/alerts/watch-lists': () => ({ body: { watch_lists: lists } }),
    'POST /api/alerts/state': () => ({ body: { changed: 1, change_id: 'dddddddddddddddddddddddd' } }),
    'POST /api/alerts/state/undo': () => ({ body: { changed: 1 } }),
    'POST /api/alerts/watch-lists': () => ({ status: 201, body: rivers }),
    [`POST /api/alerts/watch-lists/${rivers.id}/scan`]: () => ({
      body: { ...rivers, scan: { state: 'running', done: 0, total: 3, raised: 0 } },
    }),
    'GET /api/library/facets': () => ({ body: { total: 0, states: [], languages: [], tags: [], categories: [] } }),
    'GET /api/alerts/digest': () => ({
      body: { mode: 'off', hour: 8, time_zone: 'UTC', with_content: false, can_send: false },
    }),
    ...handlers,
  })
  const page = (
    <>
      <AlertsPage />
      <Address />
    </>
  )
  return { calls, ...renderAt(path, page, someUser) }
}
