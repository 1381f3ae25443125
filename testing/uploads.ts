import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadResult } from '#contract/entities/recording.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { api } from '#contract/api.ts'
import { audioChunkModel, audioFileModel } from '#data/audio-store/gridfs/audio-file-model.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { testRate, wavHeader } from './audio.ts'
import { recordCoverage, type TestServer } from './server.ts'

/** Uploads one file as a browser does. Returns the status and the body. */
export async function upload(
  server: Pick<TestServer, 'url'>,
  token: string,
  file: { name: string; content: Uint8Array<ArrayBuffer>; field?: string },
): Promise<{ status: number; body: ErrorBody & UploadResult }> {
  const form = new FormData()
  form.append(file.field ?? 'audio', new Blob([file.content]), file.name)
  const response = await fetch(new URL(api.audio.upload.path, server.url), {
    method: 'POST',
    body: form,
    headers: { Authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as ErrorBody & UploadResult // tests assert the parts they need
  recordCoverage(api.audio.upload, response.ok ? 'success' : body.code)
  return { status: response.status, body }
}

/** Returns two seconds of stereo audio with different sounds on the two channels. */
export function makeDialogue(): Uint8Array<ArrayBuffer> {
  const samples = testRate * 2
  const content = new Uint8Array(44 + samples * 4)
  content.set(wavHeader(samples * 4, 2))
  const view = new DataView(content.buffer)
  for (let at = 0; at < samples; at += 1) {
    view.setInt16(44 + at * 4, 8000 * Math.sin(at / 9), true)
    view.setInt16(46 + at * 4, 8000 * Math.sin(at / 5), true)
  }
  return content
}

/** Uploads `makeDialogue()` as call.wav. Returns its id. */
export async function uploadDialogue(server: Pick<TestServer, 'url'>, token: string): Promise<string> {
  const { body } = await upload(server, token, { name: 'call.wav', content: makeDialogue() })
  return UploadResult.parse(body).file_id
}

/** Lists every file in a server's audio store; incomplete ones end in `.part`. */
export async function listAudioFiles({ config, services }: Pick<TestServer, 'config' | 'services'>): Promise<string[]> {
  if (config.audioStore === 'gridfs') return listGridFsFiles(services.database.connection)
  const entries = await readdir(join(config.dataDir, 'audio'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name !== '.store').map((entry) => entry.name)
}

async function listGridFsFiles(connection: DatabaseConnection): Promise<string[]> {
  const files = await audioFileModel(connection).find({}).lean()
  const ids = await audioChunkModel(connection).distinct('files_id')
  const known = new Set(files.map(({ _id }) => String(_id)))
  const stray = ids.filter((id) => !known.has(String(id))).map((id) => `${String(id)}.chunks`)
  return [
    ...files.map(({ _id, metadata }) => `${String(_id)}.${metadata.state === 'stored' ? metadata.extension : 'part'}`),
    ...stray,
  ]
}

export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path))
}
