import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'

const ModelChoices = z.object({
  /** For every language that is not in `speechByLanguage`. */
  speech: z.string().optional(),
  /** By language code. */
  speechByLanguage: z.record(z.string(), z.string()).default({}),
  /** For every pair that is not in `translationByPair`. */
  translation: z.string().optional(),
  /** By source and target, such as `ps-en`. */
  translationByPair: z.record(z.string(), z.string()).default({}),
})
/** Ids of the models that an operator chose. The environment takes precedence. */
export type ModelChoices = z.infer<typeof ModelChoices>

/** Returns a path in the models folder, so that the engines of all hosts that share the folder use the same models. */
export function choicesPath(modelsDir: string): string {
  return join(modelsDir, 'choices.json')
}

/**
 * Returns the choices; empty if there is no file.
 *
 * @throws AppError `model_unavailable` naming the file if it cannot be read
 */
export async function readChoices(modelsDir: string): Promise<ModelChoices> {
  const path = choicesPath(modelsDir)
  try {
    return ModelChoices.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ModelChoices.parse({})
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new AppError('model_unavailable', `The choices of models in ${path} cannot be read.`, {
      help: `Delete the file and choose again with ${awazCommand} models use ID.`,
      details: [reason],
      cause: error,
    })
  }
}

/** Replaces the choices atomically. */
export async function writeChoices(modelsDir: string, choices: ModelChoices): Promise<void> {
  const temporary = `${choicesPath(modelsDir)}.${randomUUID()}.partial`
  try {
    await writeFile(temporary, `${JSON.stringify(choices, null, 2)}\n`)
    await rename(temporary, choicesPath(modelsDir))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}
