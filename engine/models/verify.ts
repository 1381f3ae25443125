import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { hashFile } from './content-hash.ts'
import type { ModelEntry } from './model-entry.ts'
import { listModelFiles } from './model-files.ts'
import type { ExpectedFile } from './model-files.ts'

/** Fingerprints of verified files by path. A file that has since been replaced or touched is verified again. */
const verified = new Map<string, string>()

interface VerifyOptions {
  /** The folder in which hashes are stored. */
  modelsDir?: string
  signal?: AbortSignal
}

/**
 * Verifies that a model's files exist and are intact before native code opens them: their structure, and their size and hash if the
 * catalog has them. This process does not read a verified file again until its size or times change.
 *
 * @throws AppError `model_unavailable` naming the file, what was found and what to do
 */
export async function verifyModel(model: ModelEntry & { path: string }, options: VerifyOptions = {}): Promise<void> {
  for (const file of await listModelFiles(model)) await verifyFile(model, file, options)
}

async function verifyFile(
  model: ModelEntry & { path: string },
  file: ExpectedFile,
  options: VerifyOptions,
): Promise<void> {
  const info = await findFile(model, file)
  const fingerprint = `${model.kind} ${info.size} ${info.mtimeMs} ${info.ctimeMs} ${file.sha256 ?? file.sha1 ?? ''}`
  if (verified.get(file.path) === fingerprint) return
  const problem = await findProblem(file, info.size)
  if (problem) {
    throw new AppError(
      'model_unavailable',
      `The file ${file.path} of the model ${model.name} cannot be used: ${problem}.`,
      {
        help: howToGet(model, file),
      },
    )
  }
  await assertHash(model, file, options)
  verified.set(file.path, fingerprint)
}

async function findFile(model: ModelEntry & { path: string }, file: ExpectedFile): Promise<Stats> {
  const info = await stat(file.path).catch((error: unknown) => (isNotDirectory(error) ? error : undefined))
  if (info instanceof Error) throw wrongPlace(model, `${model.path} is a file, and the model is a folder of files`)
  if (info?.isDirectory()) throw wrongPlace(model, `${file.path} is a folder, and the model is a file`)
  if (info?.isFile()) return info
  throw new AppError('model_unavailable', `The model ${model.name} is not installed.`, { help: howToGet(model, file) })
}

function isNotDirectory(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR'
}

function wrongPlace({ name, id }: ModelEntry, found: string): AppError {
  return new AppError('model_unavailable', `The model ${name} cannot be used: ${found}.`, {
    help: `Move that away, then bring the model in with ${awazCommand} models import PATH --id ${id}.`,
  })
}

async function findProblem(file: ExpectedFile, actualBytes: number): Promise<string | undefined> {
  const { sizeBytes } = file
  const sizeProblem =
    sizeBytes === null || sizeBytes === actualBytes ? undefined : `it has ${actualBytes} bytes instead of ${sizeBytes}`
  const problems = [await file.findProblem(), sizeProblem].filter((problem) => problem !== undefined)
  return problems.length === 0 ? undefined : problems.join('; ')
}

/** An intact file with a different hash may be a good model under the wrong id; the help says so. */
async function assertHash(model: ModelEntry, file: ExpectedFile, options: VerifyOptions): Promise<void> {
  const wanted = file.sha256 ?? file.sha1
  if (!wanted) return
  const { sha256, sha1 } = await hashFile(file.path, options)
  const actual = file.sha256 ? sha256 : sha1
  if (actual === wanted) return
  const algorithm = file.sha256 ? 'SHA-256' : 'SHA-1'
  throw new AppError(
    'model_unavailable',
    `The file ${file.path} is not the one that the catalogue names for ${model.name}: its ${algorithm} is ${actual} instead of ${wanted}.`,
    {
      help: model.isDemo
        ? restoreDemo
        : `If it is the model you want, bring it in under a name of its own: ${awazCommand} models import ${file.path} --id MY-NAME. Else get the one of the catalogue: ${awazCommand} models pull ${model.id}.`,
    },
  )
}

const restoreDemo = 'Restore models/demo from the Awaz repository.'

function howToGet(model: ModelEntry, { path }: ExpectedFile): string {
  if (model.isDemo) return restoreDemo
  const from = model.url ? ` (from ${model.url})` : ''
  return `${awazCommand} models pull ${model.id} downloads it; without internet put the file at ${path}${from}.`
}
