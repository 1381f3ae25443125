import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { api } from '#contract/api.ts'

interface WelcomeOptions {
  url: string
  dataDir: string
  isEmbedded: boolean
  write: (text: string) => void
}

const Languages = z.object({
  features: api.system.languages.response.shape.features.pick({ speech: true, translation: true, models: true }),
})

/** Prints the address of Awaz, how to sign in, and what it runs on. */
export async function printWelcome({ url, dataDir, isEmbedded, write }: WelcomeOptions): Promise<void> {
  const passwordFile = join(dataDir, 'initial-admin-password')
  const lines = [
    '',
    `  Awaz is running at ${url}`,
    '',
    existsSync(passwordFile)
      ? `  First sign-in   e-mail and password are in ${passwordFile}`
      : '  Sign-in         with the account you made (npm run awaz -- admin list shows accounts)',
    `  Models          ${await describeModels(url)}`,
    isEmbedded
      ? `  Database        embedded, in ${join(dataDir, 'db')} (one machine, small teams; set MONGODB_URI for MongoDB)`
      : '  Database        MongoDB',
    '',
    '  Ctrl-C stops it.',
    '',
  ]
  write(`${lines.join('\n')}\n`)
}

/** Width of the first column. */
const indent = ' '.repeat(18)

async function describeModels(url: string): Promise<string> {
  try {
    const answer = await fetch(new URL('/api/languages', url))
    const { speech, translation, models } = Languages.parse(await answer.json()).features
    const problems = models.flatMap(({ problem }) => problem ?? []).map((problem) => `\n${indent}${problem}`)
    const names = [speech, translation].map((model) => model?.name ?? 'none').join(', ')
    const isDemo = speech?.is_demo || translation?.is_demo
    const remark = isDemo
      ? `\n${indent}DEMO models: they know a few hundred words, for trying Awaz out; see README for real ones`
      : ''
    return [names, ...problems, remark].join('')
  } catch {
    return 'not known yet'
  }
}
