import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { convertWhisper } from '#engine/models/convert/convert-whisper.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { writeJson } from './whisper-folder.ts'

/** The content of a large file in a checkout without Git LFS. */
export const lfsPointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1d2\nsize 145217607\n'

/** Converts a faulty folder and returns the error; asserts that no partial output file is left behind. */
export async function convertFaulty(folder: string): Promise<unknown> {
  const out = await temporaryFolder()
  const error = await convertWhisper(folder, join(out, 'out.bin')).catch((reason: unknown) => reason)
  expect(await readdir(out)).toEqual([])
  return error
}

/** Returns a matcher for an error with this message and help; `FOLDER` in the message is replaced with the folder. */
export function errorWith(folder: string, message: string, help: RegExp) {
  return { code: 'model_unavailable', message: message.replaceAll('FOLDER', folder), help: expect.stringMatching(help) }
}

/** Removes or replaces files in a folder. */
export type Damage = (folder: string) => Promise<unknown>

export const remove =
  (...names: string[]): Damage =>
  async (folder) => {
    for (const name of names) await rm(join(folder, name))
  }
export const put =
  (name: string, content: string | Buffer): Damage =>
  (folder) =>
    writeFile(join(folder, name), content)
export const putJson =
  (name: string, content: unknown): Damage =>
  (folder) =>
    writeJson(join(folder, name), content)
