import { constants, open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BatchLanguages, TargetLanguages } from '#contract/batches.ts'
import { defaultTranscriptionLanguage } from '#contract/languages.ts'

/** Beside the recordings it is for, and for the folders in that folder that have none of their own. */
export const settingsFile = 'watch.json'

const maxSettingsBytes = 64 * 1024

/** What is done with the recordings of a folder. Missing: they are transcribed in the default language and not translated. */
const FolderSettings = z.strictObject({
  ...BatchLanguages.shape,
  language: BatchLanguages.shape.language.default(defaultTranscriptionLanguage),
  /** False: they are stored and nothing more. */
  transcribe: z.boolean().default(true),
  target_languages: TargetLanguages,
})
export type FolderSettings = z.infer<typeof FolderSettings>

/** A file that people have to correct before anything of its folder is taken in. */
export class FolderProblem extends Error {}

/**
 * Reads the settings of a folder: of its own watch.json, or of the nearest one above it.
 *
 * @param folders from the folder itself up to that of the user or case
 * @throws FolderProblem where watch.json cannot be understood
 */
export async function readFolderSettings(folders: string[]): Promise<FolderSettings> {
  for (const folder of folders) {
    const text = await readText(join(folder, settingsFile)).catch(ignoreMissing)
    if (text !== undefined) return parse(text)
  }
  return FolderSettings.parse({})
}

/** A link, which may lead anywhere, is not followed, and a pipe, which may never end, is not read. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > maxSettingsBytes)
      throw new FolderProblem(`${settingsFile} must be a file of its own, of at most ${maxSettingsBytes / 1024} KB.`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function parse(text: string): FolderSettings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FolderProblem(`${settingsFile} is not valid JSON. Correct it; the recordings are taken in then.`)
  }
  const parsed = FolderSettings.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  throw new FolderProblem(
    `${settingsFile} cannot be used: ${problems.join('; ')}. Correct it; the recordings are taken in then.`,
  )
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error instanceof FolderProblem) throw error
  if (error.code !== 'ENOENT')
    throw new FolderProblem(`${settingsFile} cannot be read (${error.code ?? error.message}).`)
}
