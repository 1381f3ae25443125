import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { UnfinishedUpload } from '#contract/endpoints/uploads.ts'
import { forgetUser, unsentUploadsPrefix } from '../../shared/recordings/tab-data.ts'
import { UploadStatus } from '../../shared/uploads/upload-status.tsx'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { fakeUploads } from '../../testing/fake-upload.ts'
import { renderAt } from '../../testing/render.tsx'
import { UploadPage } from './upload-page.tsx'

const id = '0123456789abcdef01234567'
const mebibyte = 1024 ** 2
const lastModified = 1_700_000_000_000
const harbour: UnfinishedUpload = {
  id,
  name: 'harbour.wav',
  size: 80 * mebibyte,
  received: 20 * mebibyte,
  fingerprint: `harbour.wav/${80 * mebibyte}/${lastModified}`,
  created_at: '2026-11-26T10:00:00.000Z',
  expires_at: '2026-11-27T10:00:00.000Z',
}
const unsentKey = unsentUploadsPrefix + someUser.id
const readNoted = () => JSON.parse(localStorage.getItem(unsentKey) ?? '[]') as { name: string; at: number }[]
const note = (files: { name: string; size: number; at: number }[]) =>
  localStorage.setItem(unsentKey, JSON.stringify(files))

/** Fakes a server that keeps these uploads until they are discarded. */
function serve(uploads: UnfinishedUpload[]) {
  let left = uploads
  return fakeServer({
    'GET /api/uploads': () => ({ body: { uploads: left } }),
    [`DELETE /api/uploads/${id}`]() {
      left = []
      return new Response(null, { status: 204 })
    },
  })
}

const show = () => renderAt('/upload', <UploadPage />, someUser)

async function findRow(name: string) {
  const row = (await screen.findByText(name)).closest('li')
  if (!row) throw new Error(`${name} stands in no row`)
  return within(row)
}

it('names what was not finished, with its size and what has arrived', async () => {
  serve([harbour])
  note([{ name: 'market.wav', size: 2048, at: 0 }])
  show()
  expect(await screen.findByRole('heading', { name: '2 uploads were not finished' })).toBeVisible()
  const begun = await findRow('harbour.wav')
  expect(begun.getByText('80.0 MB')).toBeVisible()
  expect(begun.getByText(/^25% arrived\. Kept until Friday 27 November at /)).toBeVisible()
  expect((await findRow('market.wav')).getByText('Nothing was sent yet.')).toBeVisible()
})

it('asks for the same file when another one is chosen', async () => {
  serve([harbour])
  show()
  const row = await findRow('harbour.wav')
  const input = row.getByRole('button', { name: 'Choose harbour.wav' }).parentElement?.querySelector('input[type=file]')
  if (!input) throw new Error('There is no file input')
  const other = new File(['x'], 'harbour.wav', { lastModified })
  fireEvent.change(input, { target: { files: [other] } })
  expect(await screen.findByText(/^This is another file\. Choose harbour\.wav \(80.0 MB\)/)).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Files' })).toBeNull()
})

it('discards what is not wanted any more', async () => {
  const calls = serve([harbour])
  note([{ name: 'market.wav', size: 2048, at: 0 }])
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Discard market.wav' }))
  await user.click(await screen.findByRole('button', { name: 'Discard harbour.wav' }))
  await waitFor(() => expect(screen.queryByText(/not finished/)).toBeNull())
  expect(calls.filter(({ key }) => key.startsWith('DELETE'))).toHaveLength(1)
  expect(readNoted()).toEqual([])
})

it('leaves out what another tab is sending', async () => {
  serve([harbour])
  note([
    { name: harbour.name, size: harbour.size, at: Date.now() },
    { name: 'market.wav', size: 2048, at: 0 },
  ])
  show()
  expect(await screen.findByRole('heading', { name: '1 upload was not finished' })).toBeVisible()
  expect(screen.queryByText('harbour.wav')).toBeNull()
})

it('is announced on other pages', async () => {
  serve([harbour])
  renderAt('/dashboard', <UploadStatus />, someUser)
  expect(await screen.findByRole('link', { name: '1 upload was not finished' })).toHaveAttribute('href', '/upload')
})

it('files that wait are noted for the next visit until they are sent, and not after signing out', async () => {
  const uploads = fakeUploads()
  serve([])
  const { user } = renderAt(
    '/upload',
    <>
      <UploadStatus />
      <UploadPage />
    </>,
    someUser,
  )
  const files = ['first.wav', 'second.wav'].map((name) => new File([new Uint8Array(2048)], name))
  await user.upload(screen.getByLabelText('Recordings to upload'), files)
  await waitFor(() => expect(readNoted().map(({ name }) => name)).toEqual(['first.wav', 'second.wav']))
  act(() => window.dispatchEvent(new Event('pagehide')))
  expect(readNoted().map(({ at }) => at)).toEqual([0, 0])
  await waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0]?.respond(200, {
    file_id: id,
    name: 'first.wav',
    size: 2048,
    duration: 1,
    is_stereo: false,
    channels: 1,
    peaks: [[0]],
  })
  await waitFor(() => expect(readNoted().map(({ name }) => name)).toEqual(['second.wav']))
  forgetUser()
  expect(localStorage.getItem(unsentKey)).toBeNull()
})
