import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { fakeServer, failure, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { makeRecording } from '../../testing/transcripts.ts'
import { useCasesOfRecording } from './use-cases-of-recording.ts'

const recording = makeRecording(null)
const bridge = { id: 'b'.repeat(24), name: 'Bridge', colour: 'plum', member_count: 2 }

function Cases({ access }: Pick<RecordingDetails, 'access'>) {
  const cases = useCasesOfRecording({ id: recording.id, access })
  return <p>{cases?.map(({ name }) => name).join()}</p>
}

/** Renders the cases of a recording and shows whether the recording itself must be reloaded. */
function show(access: RecordingDetails['access'], answer: Parameters<typeof fakeServer>[0][string]) {
  const calls = fakeServer({ [`GET /api/recordings/${recording.id}/cases`]: answer })
  const { client } = renderAt('/transcribe', <Cases access={access} />, someUser)
  client.setQueryData(['recording', recording.id], recording)
  const isOutdated = () => client.getQueryState(['recording', recording.id])?.isInvalidated
  return { calls, isOutdated }
}

const inCase = (role: string) => () => ({ body: { cases: [{ ...bridge, role }] } })

it('a shared recording is loaded again when its cases no longer allow what they did', async () => {
  const { isOutdated } = show('edit', inCase('view'))
  await waitFor(() => expect(isOutdated()).toBe(true))
})

it('a shared recording is loaded again when it is shared no longer', async () => {
  const { isOutdated } = show('view', () => failure(404, 'Recording not found', { code: 'not_found' }))
  await waitFor(() => expect(isOutdated()).toBe(true))
})

it.each([
  ['edit', 'edit'],
  ['view', 'view'],
  ['owner', 'view'],
] as const)('one whose access is %s stays as it is in a case of the role %s', async (access, role) => {
  const { isOutdated } = show(access, inCase(role))
  expect(await screen.findByText('Bridge')).toBeVisible()
  expect(isOutdated()).toBe(false)
})
