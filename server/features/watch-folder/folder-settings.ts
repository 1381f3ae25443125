import { z } from 'zod'
import { BatchLanguages, TargetLanguages } from '#contract/batches.ts'
import { defaultTranscriptionLanguage } from '#contract/languages.ts'
import { FolderProblem } from './folder-problem.ts'
import { settingsFile } from './names.ts'
import type { FolderHandle } from './folder-handle.ts'

const maxSettingsBytes = 64 * 1024

/** What to do with the recordings of a folder. By default they are transcribed in the default language and not translated. */
const FolderSettings = z.strictObject({
  ...BatchLanguages.shape,
  language: BatchLanguages.shape.language.default(defaultTranscriptionLanguage),
  /** False: they are only stored. */
  transcribe: z.boolean().default(true),
  target_languages: TargetLanguages,
})
export type FolderSettings = z.infer<typeof FolderSettings>

/**
 * Reads the settings of a folder: from its own watch.json, or from the nearest one above it.
 *
 * @param folders from that of the user or case down to the folder itself
 * @throws FolderProblem where watch.json is invalid
 */
export async function readFolderSettings(folders: FolderHandle[]): Promise<FolderSettings> {
  for (const folder of folders.toReversed()) {
    const text = await readText(folder).catch(ignoreMissing)
    if (text !== undefined) return parse(text)
  }
  return FolderSettings.parse({})
}

/** A link, which may lead anywhere, is not followed; a pipe, which may never end, is not read. */
async function readText(folder: FolderHandle): Promise<string> {
  const file = await folder.openFile(settingsFile)
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > maxSettingsBytes)
      throw new FolderProblem(`watch.json must be a file of its own, of at most ${maxSettingsBytes / 1024} KB.`)
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
    throw new FolderProblem('watch.json is not valid JSON. Correct it; the recordings are imported then.')
  }
  const parsed = FolderSettings.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  throw new FolderProblem(
    `watch.json cannot be used: ${problems.join('; ')}. Correct it; the recordings are imported then.`,
  )
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error instanceof FolderProblem) throw error
  if (error.code !== 'ENOENT') throw new FolderProblem(`watch.json cannot be read (${error.code ?? error.message}).`)
}
