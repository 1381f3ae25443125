import { screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { saveTokens } from '../../shared/api/tokens.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { fakeUploads } from '../../testing/fake-upload.ts'
import { renderAt } from '../../testing/render.tsx'
import { UploadPage } from './upload-page.tsx'

const recordingId = '0123456789abcdef01234567'
const arrived = {
  file_id: recordingId,
  name: 'call.wav',
  size: 2048,
  duration: 12.34,
  is_stereo: false,
  channels: 1,
  peaks: [[0.5]],
}

const audioFile = (name: string) => new File([new Uint8Array(2048)], name, { type: 'audio/wav' })

async function upload(...files: File[]) {
  const uploads = fakeUploads()
  const calls = fakeServer({
    'POST /api/auth/refresh': () => ({ body: { access_token: 'new', refresh_token: 'r2' } }),
  })
  const { user } = renderAt(
    '/upload',
    <Routes>
      <Route path="/upload" element={<UploadPage />} />
      <Route path="/transcribe" element={<h1>Workspace</h1>} />
    </Routes>,
    someUser,
  )
  await user.upload(screen.getByLabelText('Recordings to upload'), files)
  return { user, uploads, calls }
}

async function findRow(name: string) {
  const row = (await screen.findByText(name)).closest('li')
  if (!row) throw new Error(`${name} stands in no row`)
  return within(row)
}

describe('the upload page', () => {
  it('sends one file after the other and shows how far each is', async () => {
    const { uploads } = await upload(audioFile('first.wav'), audioFile('second.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.progress(1024, 2048)
    const [first, second] = [await findRow('first.wav'), await findRow('second.wav')]
    expect(await first.findByText(/^50% · /)).toBeVisible()
    expect(first.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
    expect(second.getByText('Waiting for the file before it')).toBeVisible()
    uploads[0]?.progress(2048, 2048)
    expect(await first.findByText('All bytes sent. The server is reading the recording…')).toBeVisible()
    uploads[0]?.respond(200, arrived)
    expect(await first.findByText(/12\.3 s/)).toBeVisible()
    await waitFor(() => expect(uploads.map(({ fileName }) => fileName)).toEqual(['first.wav', 'second.wav']))
    uploads[1]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
  })

  it('stays where a file failed, with the reason of the server and a way to open the others', async () => {
    const { uploads } = await upload(audioFile('broken.wav'), audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(422, { error: 'The file holds no audio', code: 'no_audio' })
    const row = await findRow('broken.wav')
    expect(await row.findByText('The file holds no audio')).toBeVisible()
    expect(row.getByLabelText('Error')).toBeVisible()
    expect(await screen.findByText('Failed to upload broken.wav')).toBeVisible()
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploads[1]?.respond(200, arrived)
    const link = await (await findRow('call.wav')).findByRole('link', { name: 'Open' })
    expect(link).toHaveAttribute('href', `/transcribe?recording=${recordingId}`)
    expect(screen.queryByRole('heading', { name: 'Workspace' })).toBeNull()
  })

  it('reports a broken connection; the file can be chosen again', async () => {
    const { user, uploads } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.disconnect()
    expect(await (await findRow('call.wav')).findByText('Network error occurred')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Remove call.wav' }))
    expect(screen.queryByText('call.wav')).toBeNull()
    await user.upload(screen.getByLabelText('Recordings to upload'), audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploads[1]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
  })

  it('stops the upload of a file that is removed and goes on with the next', async () => {
    const { user, uploads } = await upload(audioFile('first.wav'), audioFile('second.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Remove first.wav' }))
    expect(uploads[0]?.isAborted).toBe(true)
    await waitFor(() => expect(uploads[1]?.fileName).toBe('second.wav'))
    uploads[1]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
  })

  it('uploads again once the expired session was refreshed', async () => {
    saveTokens({ access_token: 'old', refresh_token: 'r1' })
    const { uploads, calls } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(401, { error: 'Token has expired', code: 'session_expired' })
    await waitFor(() => expect(uploads).toHaveLength(2))
    expect(calls.map(({ key }) => key)).toContain('POST /api/auth/refresh')
    uploads[1]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
  })
})
