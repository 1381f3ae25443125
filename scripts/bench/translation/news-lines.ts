import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realDataDir } from '#testing/real-data.ts'

/** Returns the first lines of NTREX-128 in a language. */
export async function readNews(language: string, count: number): Promise<string[]> {
  const text = await readFile(join(realDataDir, 'translation', `ntrex-1-500.${language}.txt`), 'utf8')
  return text.split('\n').slice(0, count)
}
