import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeServer, serverConfig } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { checkUploadFiles } from './uploads.ts'
import { DropTarget } from './drop-target.tsx'

function show(config = {}) {
  fakeServer({ 'GET /api/config': () => ({ body: { ...serverConfig, ...config } }) })
  const onFiles = vi.fn<(files: File[]) => void>()
  const { user } = renderAt('/upload', <DropTarget onFiles={onFiles} />)
  const input = screen.getByLabelText('Recordings to upload')
  return { user, onFiles, input }
}

it('says what can be dropped and how large it may be', () => {
  show()
  const target = screen.getByLabelText('Drop recordings here or choose files')
  expect(target).toHaveTextContent('Drop recordings here')
  expect(target).toHaveTextContent('Supports MP3, WAV, M4A, FLAC, OGG, MP4, and WEBM')
  expect(target).toHaveTextContent('Up to 100MB')
  expect(target).toHaveTextContent('Choose files')
})

it('says the limit of this server', async () => {
  show({ max_upload_bytes: 1536 * 1024 ** 2 })
  expect(await screen.findByText(/Up to 1\.5GB/)).toBeVisible()
})

it('takes several files at once from the file picker', async () => {
  const { user, onFiles, input } = show()
  const files = ['a.wav', 'b.mp3'].map((name) => new File(['x'], name))
  expect(input).toHaveAttribute('multiple')
  await user.upload(input, files)
  await vi.waitFor(() => expect(onFiles).toHaveBeenCalledWith(files))
})

it('opens the file picker for the accepted types', () => {
  const accepted = show().input.getAttribute('accept')?.split(',') ?? []
  expect(accepted.filter((type) => type.startsWith('.')).toSorted()).toEqual([
    '.flac',
    '.m4a',
    '.mp3',
    '.mp4',
    '.ogg',
    '.wav',
    '.webm',
  ])
})

it.each(['mp3', 'wav', 'm4a', 'flac', 'ogg', 'mp4', 'webm', 'WAV'])('a .%s file is accepted', (ending) => {
  const file = new File(['x'], `call.${ending}`)
  expect(checkUploadFiles([file])).toEqual({ accepted: [file], refusals: [] })
})

it.each(['aac', 'wma', 'avi', 'txt'])('a .%s file is no supported audio format', (ending) => {
  expect(checkUploadFiles([new File(['x'], `call.${ending}`)]).refusals).toEqual([
    `call.${ending} is not a supported audio format`,
  ])
})

it('a file of exactly 104857600 bytes is accepted', () => {
  const file = Object.defineProperty(new File([], 'long.wav'), 'size', { value: 104_857_600 })
  expect(checkUploadFiles([file])).toEqual({ accepted: [file], refusals: [] })
})
