import type { Response } from '#contract/endpoint.ts'
import type { batches } from '#contract/endpoints/batches.ts'
import { clickMenuItem, clickButton, recordingActionsLabel, type DialogGroup } from './scene-tools.ts'

const batch: Response<typeof batches.create> = {
  id: 'e'.repeat(24),
  state: 'done',
  transcribe: { language: 'ps', channel_languages: null },
  target_languages: ['en'],
  redo: false,
  total: 3,
  counts: { waiting: 0, running: 0, done: 2, failed: 1, skipped: 0, cancelled: 0 },
  created_at: '2026-01-02T03:04:05.000Z',
  finished_at: '2026-01-02T04:04:05.000Z',
}
const failedItem = {
  recording_id: 'f'.repeat(24),
  name: 'Harbour.mp3',
  state: 'failed',
  reason: 'Transcription was cancelled',
} as const

/** The dialogs of the library, its trash, cases, alerts and search. */
export const libraryDialogs: DialogGroup[] = [
  {
    path: '/dashboard?search=sample',
    dialogs: {
      'account menu': clickButton(/^Account menu/),
      'menu of a recording': clickButton(recordingActionsLabel),
      'tags of a recording': clickMenuItem(recordingActionsLabel, 'Tags…'),
      'activity of a recording': clickMenuItem(recordingActionsLabel, 'Activity'),
      'legal hold of a recording': clickMenuItem(recordingActionsLabel, 'Legal hold…'),
      'saved filters': clickButton('Saved filters'),
      'save a filter': clickMenuItem('Saved filters', 'Save this filter…'),
      'manage filters': clickMenuItem('Saved filters', 'Rename or delete…'),
      dates: clickButton('Date'),
    },
  },
  {
    path: '/dashboard',
    begin: (page) => page.getByRole('checkbox', { name: /^Select sample-call/ }).click(),
    dialogs: {
      'transcribe a selection': clickButton('Transcribe…'),
      'translate a selection': clickButton('Translate…'),
      'download a selection': clickButton('Download…'),
      'add a selection to a case': clickButton('Add to case…'),
    },
  },
  {
    path: '/dashboard',
    async prepare(page) {
      const details: Response<typeof batches.get> = {
        batch,
        items: [failedItem],
        total: 1,
        page: 1,
        per_page: 50,
        pages: 1,
      }
      await page.route('**/api/batches', (route) => route.fulfill({ json: { batches: [batch] } }))
      await page.route(`**/api/batches/${batch.id}?*`, (route) => route.fulfill({ json: details }))
    },
    dialogs: {
      async 'recordings of a batch'(page) {
        await clickButton(/^Details: /)(page)
        await page.getByText('Harbour.mp3').waitFor()
      },
      async 'sort cards'(page) {
        await page.setViewportSize({ width: 360, height: 800 })
        await clickButton('Filters')(page)
        await clickButton('Sort')(page)
      },
    },
  },
  {
    path: '/trash',
    dialogs: {
      'delete for good': clickButton('Delete sample-call.mp3 for good'),
      'empty the trash': clickButton('Empty the trash'),
      'activity of a deleted recording': clickButton(/^Activity of sample-call/),
    },
  },
  { path: '/cases', dialogs: { 'new case': clickButton('New case') } },
  {
    path: '/cases?case=CASE',
    dialogs: {
      'menu of a case': clickButton('More actions for the case'),
      'edit a case': clickButton('Edit'),
      'legal hold of a case': clickMenuItem('More actions for the case', 'Legal hold…'),
      'delete a case': clickMenuItem('More actions for the case', 'Delete the case'),
    },
  },
  {
    path: '/alerts?tab=watch-lists',
    dialogs: {
      'new watch list': clickButton('Add a watch list'),
      'menu of a watch list': clickButton('More for Harbour'),
      'change a watch list': clickMenuItem('More for Harbour', 'Change'),
      'delete a watch list': clickMenuItem('More for Harbour', 'Delete'),
    },
  },
  {
    path: '/search?q=bridge',
    dialogs: { 'how to search': clickButton('How to search'), 'speakers of results': clickButton('Speaker') },
  },
]
