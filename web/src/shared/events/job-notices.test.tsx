import { screen } from '@testing-library/react'
import { useQueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '#contract/entities/job.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { makeRecording, makeRunningJob } from '../../testing/transcripts.ts'
import { useJobNotices } from './job-notices.ts'
import { putJob } from './jobs.ts'

const recording = makeRecording(null)
const running = makeRunningJob(null)

function Notices({ started, ended }: { started: Job; ended: Job }) {
  useJobNotices()
  const client = useQueryClient()
  return (
    <>
      <button type="button" onClick={() => putJob(client, started)}>
        Start
      </button>
      <button type="button" onClick={() => putJob(client, ended)}>
        End
      </button>
    </>
  )
}

async function endJob(path: string, changed: Partial<Job> = {}) {
  fakeServer({})
  const job: Job = { ...running, id: crypto.randomUUID(), state: 'done', ...changed }
  const { user, client } = renderAt(path, <Notices started={{ ...job, state: 'running' }} ended={job} />, someUser)
  client.setQueryData(['recording', recording.id], recording)
  await user.click(screen.getByRole('button', { name: 'Start' }))
  await user.click(screen.getByRole('button', { name: 'End' }))
}

const settle = () => vi.advanceTimersByTimeAsync(2000)

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

function store(notifications: object) {
  localStorage.setItem('awaz_settings', JSON.stringify({ notifications }))
}

describe('a job that has ended', () => {
  it('is told where its recording is not on screen', async () => {
    await endJob('/dashboard')
    expect(await screen.findByText('The transcription of call.wav is finished.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Open' })).toBeVisible()
  })

  it('is told when it has failed', async () => {
    await endJob('/dashboard', { kind: 'translate', state: 'failed' })
    expect(await screen.findByText('The translation of call.wav has failed.')).toBeVisible()
  })

  it.each([
    ['its recording is on screen', `/transcribe?recording=${recording.id}`, {}],
    ['it was cancelled', '/dashboard', { state: 'cancelled' as const }],
  ])('is not told where %s', async (_, path, changed) => {
    await endJob(path, changed)
    await settle()
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull()
  })

  it('is not told where that is switched off', async () => {
    store({ transcriptionComplete: false })
    await endJob('/dashboard')
    await settle()
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull()
  })
})

describe('in a tab that is hidden', () => {
  const shown: { title: string; body: string | undefined }[] = []
  beforeEach(() => {
    shown.length = 0
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.stubGlobal('isSecureContext', true)
    class FakeNotification extends EventTarget {
      static permission = 'granted'
      constructor(title: string, options?: NotificationOptions) {
        super()
        shown.push({ title, body: options?.body })
      }
    }
    vi.stubGlobal('Notification', FakeNotification)
  })

  it('the browser tells, without the name of the recording', async () => {
    await endJob('/dashboard')
    await settle()
    expect(shown).toEqual([{ title: 'Awaz', body: 'A transcription is finished.' }])
  })

  it('nothing is told where that is switched off', async () => {
    store({ push: false })
    await endJob('/dashboard')
    await settle()
    expect(shown).toEqual([])
  })
})
