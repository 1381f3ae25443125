import { join } from 'node:path'
import { transcriptionLanguages } from '#contract/languages.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { writeWav } from '#testing/audio.ts'
import { withFolder } from './clips.ts'
import type { BenchContext } from './context.ts'
import { transcribeFile, createBackends } from './product.ts'
import type { Cells } from './report.ts'
import { listSounds } from './sounds.ts'

const choices = [...transcriptionLanguages, 'auto'] as const

/** Counts the words transcribed from noise, with each language and with language detection. */
export async function measureNoise({ model, report, onProgress }: BenchContext): Promise<void> {
  const rows: Record<string, Cells> = {}
  let falseWords = 0
  const backends = createBackends()
  try {
    await withFolder(async (folder) => {
      for (const { name, source } of await listSounds()) {
        const path = typeof source === 'string' ? source : join(folder, 'sound.wav')
        if (typeof source !== 'string') await writeWav(path, [source])
        const counts: Record<string, number> = {}
        for (const language of choices) {
          const { result } = await transcribeFile(path, { model, language, backends })
          const words = result.segments.flatMap(({ text }) => foldedWords(text))
          counts[language] = words.length
          falseWords += words.length
          if (words.length > 0) onProgress(`${name} (${language}): ${words.join(' ')}`)
        }
        rows[name] = counts
        onProgress(name)
      }
    })
  } finally {
    await backends.close()
  }
  report.heading('Words transcribed in noise')
  report.table(rows)
  report.verdict(`words in noise: ${falseWords}, expected none`, falseWords === 0)
}
