import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { api } from '#contract/api.ts'

interface WelcomeOptions {
  url: string
  dataDir: string
  isEmbedded: boolean
  /** Resolves once an engine has reported its models. */
  engineReady: Promise<unknown>
  write: (text: string) => void
}

const Features = api.system.languages.response.shape.features.pick({
  speech: true,
  translation: true,
  transcription: true,
  models: true,
})
type Features = z.infer<typeof Features>

/** An engine that first reads large models completely may take longer; the welcome then ends without their names. */
const modelsTimeoutMs = 10_000

/**
 * Prints the address of Awaz, how to sign in, and what it runs on. The models come last, once an engine has reported them: it starts along
 * with the server and is often ready later.
 */
export async function printWelcome({ url, dataDir, isEmbedded, engineReady, write }: WelcomeOptions): Promise<void> {
  const passwordFile = join(dataDir, 'initial-admin-password')
  const lines = [
    '',
    `  Awaz is running at ${url}`,
    '',
    existsSync(passwordFile)
      ? `  First sign-in   e-mail and password are in ${passwordFile}`
      : '  Sign-in         with the account you made (the command `admin list` shows accounts)',
    isEmbedded
      ? `  Database        embedded, in ${join(dataDir, 'db')} (one machine, small teams; set MONGODB_URI for MongoDB)`
      : '  Database        MongoDB',
  ]
  write(`${lines.join('\n')}\n`)
  await Promise.race([engineReady, wait(modelsTimeoutMs, undefined, { ref: false })])
  const features = await fetchFeatures(url).catch(() => undefined)
  write(`  Models          ${describeModels(features)}\n\n`)
}

async function fetchFeatures(url: string): Promise<Features> {
  const response = await fetch(new URL('/api/languages', url))
  return z.object({ features: Features }).parse(await response.json()).features
}

/** Width of the first column. */
const indent = ' '.repeat(18)

/** Returns the names of the models in use with their problems, and a warning where one is a demo model. */
export function describeModels(features: Features | undefined): string {
  if (!features || isUnknown(features)) return 'not known yet'
  const { speech, translation, models } = features
  const problems = models.flatMap(({ problem }) => problem ?? []).map((problem) => `\n${indent}${problem}`)
  const names = [speech, translation].map((model) => model?.name ?? 'none').join(', ')
  const isDemo = speech?.is_demo || translation?.is_demo
  const remark = isDemo
    ? `\n${indent}DEMO models: they know a few hundred words, for trying Awaz out; see README for real ones`
    : ''
  return [names, ...problems, remark].join('')
}

/** While no engine is live, the server offers every language and names no model; with an engine but no speech model, it offers none. */
function isUnknown({ speech, transcription }: Features): boolean {
  return speech === null && transcription.length > 0
}
