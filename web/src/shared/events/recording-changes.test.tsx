import { render } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { fakeServer } from '../../testing/fake-server.ts'
import { useFollowJobs } from './jobs.ts'
import type { JobEvent } from './job-state-assembler.ts'

const listeners = vi.hoisted((): ((event: JobEvent) => void)[] => [])
vi.mock('./shared-stream.ts', () => ({
  followEvents: (_userId: string, onEvent: (event: JobEvent) => void) => {
    listeners.push(onEvent)
    return () => {}
  },
}))

const id = 'b'.repeat(24)

function Watcher() {
  useFollowJobs('somebody')
  return null
}

/** Returns the keys of the queries that an event invalidates. */
function followChanges() {
  fakeServer({})
  const client = new QueryClient()
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  render(
    <QueryClientProvider client={client}>
      <Watcher />
    </QueryClientProvider>,
  )
  return (contentVersion?: number) => {
    invalidate.mockClear()
    const event = { type: 'recording', recording_id: id, change: 'changed', content_version: contentVersion } as const
    for (const onEvent of listeners) onEvent(event)
    return invalidate.mock.calls.map(([filters]) => filters?.queryKey?.[0])
  }
}

it('fetches notes, reviewed hits and alerts alone where the content of a recording is the same', () => {
  const announce = followChanges()
  const everything = ['notes', 'reviewed-hits', 'alerts', 'recording', 'recordings', 'stats']
  expect(announce(3)).toEqual(everything)
  expect(announce(3)).toEqual(['notes', 'reviewed-hits', 'alerts'])
  expect(announce(4)).toEqual(everything)
  expect(announce()).toEqual(everything)
})
