import { notifications } from '@mantine/notifications'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Link, Route, Routes } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { saveTokens } from '../../shared/api/tokens.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { fakeUploads } from '../../testing/fake-upload.ts'
import { renderAt } from '../../testing/render.tsx'
import { checkUploadFiles } from '../../shared/uploads/uploads.ts'
import { DropOverlay } from '../../shared/uploads/drop-overlay.tsx'
import { UploadStatus } from '../../shared/uploads/upload-status.tsx'
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
  it('says how much of the limit of the user is in use', async () => {
    const megabyte = 1_000_000
    fakeServer({
      'GET /api/library/storage': () => ({ body: { used: 6 * megabyte, trash: 0, quota: 10 * megabyte } }),
    })
    renderAt('/upload', <UploadPage />, someUser)
    expect(await screen.findByText(/ of your .* in use/)).toBeVisible()
  })

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
    expect(await second.findByText(/12\.3 s/)).toBeVisible()
    expect(await second.findByRole('link', { name: 'Open' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Workspace' })).toBeNull()
  })

  it('opens the workspace when a single file has arrived', async () => {
    const shown = vi.spyOn(notifications, 'show')
    const { uploads } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
    expect(await screen.findByText('call.wav uploaded successfully!')).toBeVisible()
    const toast = { message: 'call.wav uploaded successfully!', autoClose: 4000 }
    expect(shown).toHaveBeenCalledWith(expect.objectContaining(toast))
    expect(JSON.parse(sessionStorage.getItem('uploaded_file') ?? '')).toMatchObject({ backendId: recordingId })
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

  it('reports a broken connection, and sends the file again', async () => {
    const { user, uploads } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.disconnect()
    expect(await (await findRow('call.wav')).findByText('Network error occurred')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Retry call.wav' }))
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploads[1]?.respond(200, arrived)
    expect(await screen.findByRole('heading', { name: 'Workspace' })).toBeVisible()
  })

  it('asks about a file that was uploaded before, and keeps or removes it', async () => {
    const earlier = { id: 'a'.repeat(24), name: 'monday.wav' }
    const { user, uploads, calls } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(201, { ...arrived, duplicate_of: earlier })
    const row = await findRow('call.wav')
    expect(await row.findByText(/^You have this file already, as/)).toHaveTextContent('monday.wav')
    expect(row.getByRole('link', { name: 'Open the earlier one' })).toHaveAttribute(
      'href',
      `/transcribe?recording=${earlier.id}`,
    )
    await user.click(row.getByRole('button', { name: 'Remove this upload' }))
    expect(await screen.findByText('call.wav could not be removed. Please try again.')).toBeVisible()
    expect(calls.map(({ key }) => key)).toContain(`DELETE /api/recordings/${recordingId}`)
    await user.click(row.getByRole('button', { name: 'Keep both' }))
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

  it('sends all failed files again', async () => {
    const { user, uploads } = await upload(audioFile('first.wav'), audioFile('second.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.disconnect()
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploads[1]?.disconnect()
    await user.click(await screen.findByRole('button', { name: 'Retry all failed' }))
    await waitFor(() => expect(uploads).toHaveLength(3))
    uploads[2]?.respond(200, arrived)
    await waitFor(() => expect(uploads[3]?.fileName).toBe('second.wav'))
    uploads[3]?.respond(200, arrived)
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Open' })).toHaveLength(2))
  })

  it('keeps the file where the session has expired, until it can be sent again', async () => {
    const { uploads } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(401, { error: 'Token has expired', code: 'session_expired' })
    const row = await findRow('call.wav')
    expect(await row.findByText('Your session has expired. Please log in again.')).toBeVisible()
    expect(row.getByRole('button', { name: 'Retry call.wav' })).toBeVisible()
  })

  it('explains the refusal of a proxy, whose answer is no JSON', async () => {
    const { uploads } = await upload(audioFile('call.wav'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploads[0]?.respond(413, null)
    const row = await findRow('call.wav')
    expect(await row.findByText(/^The server in front of Awaz accepts smaller files only/)).toBeVisible()
    expect(row.getByText(/client_max_body_size in nginx/)).toBeVisible()
  })
})

describe('files that cannot be uploaded', () => {
  const ofSize = (name: string, size: number) => Object.defineProperty(audioFile(name), 'size', { value: size })

  it.each([
    [[audioFile('notes.txt')], 'notes.txt is not a supported audio format'],
    [[ofSize('long.wav', 104_857_601)], 'long.wav: File is larger than 104857600 bytes'],
    [[ofSize('empty.wav', 0)], 'empty.wav: File is smaller than 1 bytes'],
    [Array.from({ length: 201 }, (_, index) => audioFile(`${index}.wav`)), 'Too many files'],
  ])('are refused in the words of the specification: %#', (files, message) => {
    expect(checkUploadFiles(files)).toEqual({ accepted: [], refusals: [message] })
  })

  it('are those above the limit of this server', () => {
    const file = ofSize('long.wav', 104_857_601)
    expect(checkUploadFiles([file], 104_857_601).accepted).toEqual([file])
    expect(checkUploadFiles([file], 1000).refusals).toEqual(['long.wav: File is larger than 1000 bytes'])
  })
})

describe('a file dropped anywhere', () => {
  function drop(items: { name: string; isFolder?: boolean }[]) {
    const transfer = {
      types: ['Files'],
      items: items.map(({ name, isFolder = false }) => ({
        kind: 'file',
        webkitGetAsEntry: () => ({ isDirectory: isFolder }),
        getAsFile: () => audioFile(name),
      })),
    }
    for (const type of ['dragenter', 'drop']) {
      const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer: transfer })
      fireEvent(window, event)
    }
  }

  it('is uploaded; folders and other types are left out, with a word', async () => {
    const uploads = fakeUploads()
    fakeServer({})
    renderAt(
      '/dashboard',
      <>
        <DropOverlay />
        <Routes>
          <Route path="/dashboard" element={<h1>Home</h1>} />
          <Route path="/upload" element={<UploadPage />} />
        </Routes>
      </>,
      someUser,
    )
    drop([{ name: 'call.wav' }, { name: 'notes.txt' }, { name: 'recordings', isFolder: true }])
    expect(await screen.findByText(/^Folders are not uploaded/)).toBeVisible()
    expect(await screen.findByText('notes.txt is not a supported audio format')).toBeVisible()
    await waitFor(() => expect(uploads.map(({ fileName }) => fileName)).toEqual(['call.wav']))
    uploads[0]?.disconnect()
    expect((await findRow('call.wav')).getByRole('button', { name: 'Retry call.wav' })).toBeVisible()
  })
})

describe('leaving the page during an upload', () => {
  it('is asked about, and other pages tell how far the uploads are', async () => {
    const uploads = fakeUploads()
    fakeServer({})
    const { user } = renderAt(
      '/upload',
      <>
        <UploadStatus />
        <Routes>
          <Route path="/dashboard" element={<h1>Home</h1>} />
          <Route
            path="/upload"
            element={
              <>
                <UploadPage />
                <Link to="/dashboard">Leave</Link>
              </>
            }
          />
        </Routes>
      </>,
      someUser,
    )
    const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leave()).toBe(false)
    await user.upload(screen.getByLabelText('Recordings to upload'), [audioFile('a.wav'), audioFile('b.wav')])
    await waitFor(() => expect(uploads).toHaveLength(1))
    expect(leave()).toBe(true)
    await user.click(screen.getByRole('link', { name: 'Leave' }))
    expect(screen.getByRole('link', { name: 'Uploading 1 of 2' })).toHaveAttribute('href', '/upload')
    uploads[0]?.respond(200, arrived)
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploads[1]?.disconnect()
    expect(await screen.findByRole('link', { name: '1 upload failed' })).toBeVisible()
    expect(leave()).toBe(false)
  })
})
