import { screen, waitFor } from '@testing-library/react'
import { noKeywords } from '#contract/keywords/keywords.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { InstalledSpeechModel } from '#contract/versions.ts'
import { WorkspacePage } from '../features/workspace/workspace-page.tsx'
import { fakeServer, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

export const languagesKey = 'GET /api/languages'

/** On a busy machine the whole desk takes longer to load than one panel. */
const loadingOptions = { timeout: 5000 }

/** Returns the response of GET /api/languages when every model is installed. */
export function makeLanguages(features: object = {}, models: InstalledSpeechModel[] = []) {
  return {
    body: {
      transcription_models: models,
      translation_languages: { en: 'English', fa: 'Persian' },
      transcription_languages: { ps: 'Pashto', en: 'English' },
      features: {
        speech: null,
        translation: null,
        transcription: ['ps', 'en'],
        translation_sources: [],
        translation_targets: ['en'],
        diarization: true,
        language_detection: true,
        models: [],
        ...features,
      },
    },
  }
}

/** Renders the desk of a recording on a server that has it, and waits until it has loaded. */
export async function renderDesk(recording: RecordingDetails, handlers: Handlers = {}) {
  const path = `/api/recordings/${recording.id}`
  const calls = fakeServer({
    [`GET ${path}`]: () => ({ body: recording }),
    [`GET ${path}/notes`]: () => ({ body: { notes: [] } }),
    [`GET ${path}/reviewed-hits`]: () => ({ body: { reviewed: [] } }),
    [`GET ${path}/possible-hits`]: () => ({ body: { transcription_id: null, is_searched: false, hits: [] } }),
    [`GET ${path}/heard`]: () => ({ body: { channels: [] } }),
    [`GET ${path}/line-marks`]: () => ({ body: { marks: [] } }),
    [`GET ${path}/versions`]: () => ({ body: { versions: [] } }),
    [`GET ${path}/cases`]: () => ({ body: { cases: [] } }),
    'GET /api/auth/keywords': () => ({ body: { keywords: noKeywords() } }),
    [languagesKey]: () => makeLanguages(),
    ...handlers,
  })
  const view = renderAt(`/transcribe?recording=${recording.id}`, <WorkspacePage />, someUser)
  await screen.findByRole('heading', { level: 1, name: recording.name }, loadingOptions)
  /** Returns the body of the newest request to an endpoint. */
  async function sent(key: string) {
    await waitFor(() => {
      if (!calls.some((call) => call.key === key)) throw new Error(`No request: ${key}`)
    })
    return calls.findLast((call) => call.key === key)?.body
  }
  return { ...view, calls, sent }
}
